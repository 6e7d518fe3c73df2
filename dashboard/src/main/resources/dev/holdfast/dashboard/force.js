// Ending a hold by force: first the evidence, then a reason, then the act, and in the end what came of it. What is shown does not
// change while the dialog is open; the token that was seen is sent, so a hold that changed meanwhile is left alone.

import {html, nothing} from 'lit-html';
import {AskingDialog, ageOf, problemBox, timeOf, undone} from './parts.js';
import {ApiProblem} from './api.js';
import {session} from './session.js';
import {keyText, pathsOf} from './keys.js';
import {counted, seconds, now} from './time.js';

/** @typedef {import('./types').Lock} Lock */
/** @typedef {import('./types').Holder} Holder */

class ForceDialog extends AskingDialog {
  /** @type {Lock | null} */
  #lock = null;
  /** @type {Holder | null} */
  #holder = null;
  #sending = false;
  /** @type {ApiProblem | null} */
  #problem = null;
  #outcome = '';

  /** @param {Lock} lock @param {Holder} holder */
  show(lock, holder) {
    this.#lock = lock;
    this.#holder = holder;
    this.#problem = null;
    this.#outcome = '';
    this.#sending = false;
    return this.open();
  }

  render() {
    return html`<dialog class="force" aria-labelledby="force-title">
      ${this.#lock && this.#holder ? (this.#outcome ? this.#done() : this.#asking(this.#lock, this.#holder)) : nothing}
    </dialog>`;
  }

  /** @param {Lock} lock @param {Holder} holder */
  #asking(lock, holder) {
    const renewed = Date.parse(holder.renewed_at) > Date.parse(holder.granted_at);
    return html`<h2 id="force-title">End this hold by force?</h2>
      <p class="mono key-line">${keyText(lock, pathsOf(holder))}</p>
      <dl class="facts wide">
        <div><dt>Holder</dt><dd><b>${holder.owner}</b></dd></div>
        <div><dt>Doing</dt><dd>${holder.reason || html`<span class="soft">it did not say</span>`}</dd></div>
        <div><dt>Held for</dt><dd>${ageOf(holder.granted_at)} <span class="soft">since ${timeOf(holder.granted_at)}</span></dd></div>
        <div><dt>Last heartbeat</dt><dd>${renewed ? html`${ageOf(holder.renewed_at)} ago` : 'none yet'}
          ${holder.stale ? html`<span class="mark warn">stale</span>` : html`<span class="soft">it may still be at work</span>`}</dd></div>
        <div><dt>Ends by itself</dt><dd>${holder.expires_at ? html`in ${seconds(Date.parse(holder.expires_at) - now())}, unless renewed` : 'never'}</dd></div>
        <div><dt>Who waits</dt><dd>${lock.waiters.length === 0 ? 'nobody' : html`${counted(lock.waiters.length, 'waiter')}, <b>${lock.waiters[0].owner}</b> is next`}</dd></div>
      </dl>
      <p class="note">Its program is not stopped. After this, token <span class="mono">${holder.fencing_token}</span> is no longer current: what checks the token refuses
        its writes; what does not check it is <b>not protected</b>.</p>
      ${this.#problem ? problemBox(this.#problem, undone(this.#problem, 'Nothing was ended.')) : nothing}
      <form @submit=${this.#submit}>
        <label for="force-reason">Why? It goes into the history.</label>
        <textarea id="force-reason" name="reason" rows="2" maxlength="500" required placeholder="Its pod was deleted"></textarea>
        <div class="buttons">
          <button type="button" @click=${() => this.dialog.close()}>Cancel</button>
          <button class="danger" ?disabled=${this.#sending}>${this.#sending ? 'Ending…' : `End the hold of ${holder.owner}`}</button>
        </div>
      </form>`;
  }

  #done() {
    return html`<h2 id="force-title">The hold was ended</h2>
      <p role="status">${this.#outcome}</p>
      <form method="dialog"><div class="buttons"><button class="primary" autofocus>Close</button></div></form>`;
  }

  /** @param {SubmitEvent} submit */
  async #submit(submit) {
    submit.preventDefault();
    const lock = /** @type {Lock} */ (this.#lock);
    const holder = /** @type {Holder} */ (this.#holder);
    const reason = String(new FormData(/** @type {HTMLFormElement} */ (submit.target)).get('reason')).trim();
    if (!reason || this.#sending) {
      return;
    }
    this.#sending = true;
    this.#problem = null;
    this.requestUpdate();
    const {turn} = this;
    const {namespace, name} = lock;
    let outcome = '';
    /** @type {ApiProblem | null} */
    let problem = null;
    try {
      await session.api.post('/v2/locks/force-unlock', {namespace, name, fencing_token: holder.fencing_token, reason});
      outcome = await this.#whatNow(lock, holder);
    } catch (failure) {
      if (!(failure instanceof ApiProblem)) {
        throw failure;
      }
      problem = failure;
    }
    this.dispatchEvent(new Event('forced', {bubbles: true}));
    if (turn === this.turn) {
      this.#sending = false;
      this.#outcome = outcome;
      this.#problem = problem;
      this.requestUpdate();
    }
  }

  /** @param {Lock} lock @param {Holder} holder */
  async #whatNow({namespace, name}, holder) {
    const gone = `'${holder.owner}' no longer holds it.`;
    try {
      /** @type {Lock} */
      const after = await session.api.get('/v2/lock', {namespace, name});
      session.locks.learned(after);
      const others = after.holders.map((it) => `'${it.owner}'`).join(', ');
      return others ? `${gone} It is held by ${others} now.` : `${gone} The lock is free.`;
    } catch {
      return `${gone} Who has it now could not be read.`;
    }
  }
}

customElements.define('hf-force', ForceDialog);
