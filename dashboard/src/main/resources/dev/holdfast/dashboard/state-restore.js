// Going back to an earlier version: first what would change, then a reason, then the act, and in the end what came of it. What is
// shown does not change while the dialog is open; the version that was seen as current is sent, so a save in between is not
// overwritten unseen.

import {html, nothing} from 'lit-html';
import {AskingDialog, ageOf, problemBox, timeOf, undone} from './parts.js';
import {ApiProblem} from './api.js';
import {session} from './session.js';
import {lockOf, operationText, statePath, summaryText} from './state-words.js';
import {inOrder, outline} from './state-diff.js';

/** @typedef {import('./types').StateVersion} StateVersion */
/** @typedef {import('./types').StateDiff} StateDiff */

const LISTED = 12;

class RestoreDialog extends AskingDialog {
  #stack = '';
  #environment = '';
  /** @type {StateVersion | null} */
  #wanted = null;
  /** What was current when the dialog was opened. @type {StateVersion | null} */
  #seen = null;
  /** Who held it then; null if that is not known. @type {import('./types').Lock | null} */
  #lock = null;
  /** @type {StateDiff | null} */
  #diff = null;
  /** @type {ApiProblem | null} */
  #unread = null;
  /** @type {ApiProblem | null} */
  #problem = null;
  #sending = false;
  #outcome = '';

  /**
   * @param {string} stack
   * @param {string} environment
   * @param {StateVersion} wanted
   * @param {StateVersion | null} seen the current one; null if there is none
   * @param {import('./types').Lock | null} lock as it is known; null if it is not
   */
  async show(stack, environment, wanted, seen, lock) {
    this.#stack = stack;
    this.#environment = environment;
    this.#wanted = wanted;
    this.#problem = null;
    this.#outcome = '';
    this.#sending = false;
    this.#lock = lock;
    await Promise.all([this.open(), this.#preview(seen)]);
  }

  get #path() {
    return statePath(this.#stack, this.#environment);
  }

  /** @param {StateVersion | null} seen */
  async #preview(seen) {
    this.#seen = seen;
    this.#diff = null;
    this.#unread = null;
    this.requestUpdate();
    if (!seen || !this.#wanted) {
      return;
    }
    const {turn} = this;
    /** @type {StateDiff | null} */
    let diff = null;
    /** @type {ApiProblem | null} */
    let unread = null;
    try {
      diff = inOrder(await session.api.get(`${this.#path}/diff`, {from: seen.version, to: this.#wanted.version}));
    } catch (failure) {
      if (!(failure instanceof ApiProblem)) {
        throw failure;
      }
      unread = failure;
    }
    if (turn === this.turn && seen === this.#seen) {
      this.#diff = diff;
      this.#unread = unread;
      this.requestUpdate();
    }
  }

  /** Somebody came between: what is current now is looked at, and compared again. */
  async #lookAgain() {
    const {turn} = this;
    try {
      const [page, lock] = await Promise.all([
        session.api.get(`${this.#path}/history`, {limit: 1}),
        session.api.get('/v2/lock', lockOf(this.#stack, this.#environment)).catch(() => null),
      ]);
      if (turn !== this.turn) {
        return;
      }
      this.#lock = lock;
      /** @type {StateVersion[]} */
      const newest = page.items;
      this.#problem = null;
      await this.#preview(newest.find(({version}) => version === page.current) ?? null);
    } catch (failure) {
      if (!(failure instanceof ApiProblem)) {
        throw failure;
      }
      if (turn === this.turn) {
        this.#problem = failure;
        this.requestUpdate();
      }
    }
  }

  render() {
    return html`<dialog class="restore" aria-labelledby="restore-title">
      ${this.#wanted ? (this.#outcome ? this.#done() : this.#asking(this.#wanted)) : nothing}
    </dialog>`;
  }

  /** @param {StateVersion} wanted */
  #asking(wanted) {
    const seen = this.#seen;
    return html`<h2 id="restore-title">Make serial ${wanted.serial} current again?</h2>
      <p class="mono key-line">${this.#stack}/${this.#environment}</p>
      <dl class="facts wide">
        <div><dt>Restore</dt><dd><b>serial ${wanted.serial}</b>, saved ${timeOf(wanted.saved_at)} by ${wanted.by}</dd></div>
        <div><dt>Instead of</dt><dd>${seen ? html`<b>serial ${seen.serial}</b>, saved ${timeOf(seen.saved_at)} by ${seen.by}` : 'nothing: there is no current state'}</dd></div>
        <div><dt>Lock</dt><dd>${this.#holder()}</dd></div>
        <div><dt>What changes</dt><dd>${this.#changes()}</dd></div>
      </dl>
      <p class="note">It becomes a new version above all others; nothing is lost, and you can come back the same way. Only the record is restored:
        <b>what is deployed does not change</b> until somebody plans and applies.</p>
      ${this.#problem ? html`${problemBox(this.#problem, undone(this.#problem, 'Nothing was restored.'))}
        <p><button type="button" @click=${this.#lookAgain}>Look again</button></p>` : nothing}
      <form @submit=${this.#submit}>
        <label for="restore-reason">Why? This is kept with the new version.</label>
        <textarea id="restore-reason" name="reason" rows="2" maxlength="200" required placeholder="The last apply removed the cache by mistake"></textarea>
        <div class="buttons">
          <button type="button" @click=${() => this.dialog.close()}>Cancel</button>
          <button class="primary" ?disabled=${this.#sending || (seen !== null && !this.#diff && !this.#unread)}>${this.#sending ? 'Restoring…' : `Restore serial ${wanted.serial}`}</button>
        </div>
      </form>`;
  }

  #holder() {
    const holder = this.#lock?.holders[0];
    if (!holder) {
      return this.#lock ? 'free' : html`<span class="soft">not known</span>`;
    }
    return html`<span class="warn">held by <b>${holder.owner}</b></span> for ${ageOf(holder.granted_at)}${holder.reason ? ` (${operationText(holder.reason)})` : ''}: it is refused as long as that lasts`;
  }

  #changes() {
    if (!this.#seen) {
      return 'all of it comes back';
    }
    if (this.#unread) {
      return html`<span class="warn">They could not be compared:</span> ${this.#unread.message} <span class="soft mono">${this.#unread.code} · request ${this.#unread.requestId}</span>`;
    }
    return this.#diff
      ? html`<span class="changes">${summaryText(this.#diff.summary)}</span>${outline(this.#diff, LISTED)}`
      : html`<span class="soft">Comparing…</span>`;
  }

  #done() {
    return html`<h2 id="restore-title">Restored</h2>
      <p role="status">${this.#outcome}</p>
      <form method="dialog"><div class="buttons"><button class="primary" autofocus>Close</button></div></form>`;
  }

  /** @param {SubmitEvent} submit */
  async #submit(submit) {
    submit.preventDefault();
    const wanted = /** @type {StateVersion} */ (this.#wanted);
    // One line: it is shown in a list.
    const reason = String(new FormData(/** @type {HTMLFormElement} */ (submit.target)).get('reason')).replace(/\s+/g, ' ').trim();
    if (!reason || this.#sending) {
      return;
    }
    this.#sending = true;
    this.#problem = null;
    this.requestUpdate();
    const {turn} = this;
    let outcome = '';
    /** @type {ApiProblem | null} */
    let problem = null;
    try {
      /** @type {Record<string, string>} */
      const condition = this.#seen ? {'If-Match': `"${this.#seen.version}"`} : {'If-None-Match': '*'};
      const made = await session.api.post(`${this.#path}/restore`, {version: wanted.version, reason}, condition);
      outcome = `Serial ${made.serial} is current now: what serial ${wanted.serial} was.`;
      this.dispatchEvent(new Event('restored', {bubbles: true}));
    } catch (failure) {
      if (!(failure instanceof ApiProblem)) {
        throw failure;
      }
      problem = failure;
    }
    if (turn === this.turn) {
      this.#sending = false;
      this.#outcome = outcome;
      this.#problem = problem;
      this.requestUpdate();
    }
  }
}

customElements.define('hf-restore', RestoreDialog);
