// What if an app is stopped or started? First the answer of a dry run, with what was seen of every app; then, for who may, the act
// itself, in a second step; and in the end what came of it. What is shown does not change while the dialog is open.

import {html, nothing} from 'lit-html';
import {AskingDialog, problemBox, undone} from './parts.js';
import {ApiProblem} from './api.js';
import {session} from './session.js';
import {mayGuard} from './access.js';
import {answered} from './guard-parts.js';
import {counted} from './time.js';

/** @typedef {import('./types').GuardDecision} GuardDecision */

class GuardAsk extends AskingDialog {
  #app = '';
  #stop = true;
  #sending = false;
  #typed = '';
  /** What would be decided. @type {GuardDecision[] | null} */
  #would = null;
  /** What was decided. @type {GuardDecision[] | null} */
  #done = null;
  /** @type {ApiProblem | null} */
  #problem = null;

  /** @param {string} app @param {'stop' | 'start'} what */
  async show(app, what) {
    this.#app = app;
    this.#stop = what === 'stop';
    this.#would = null;
    this.#done = null;
    this.#problem = null;
    this.#typed = '';
    this.#sending = false;
    await Promise.all([this.open(), this.#ask()]);
  }

  get #path() {
    return `/api/guard/apps/${encodeURIComponent(this.#app)}/${this.#stop ? 'stop' : 'start'}`;
  }

  render() {
    return html`<dialog class="ask" aria-labelledby="ask-title">${this.#app ? (this.#done ? this.#told(this.#done) : this.#asking()) : nothing}</dialog>`;
  }

  #asking() {
    const app = this.#app;
    return html`<h2 id="ask-title">What if ${app} ${this.#stop ? 'stops' : 'starts'}?</h2>
      <p class="soft">${this.#stop
        ? 'A dry run: every app that shares a database with it is asked now, and nothing is changed.'
        : 'A dry run: what would be started before the app starts. Nothing is changed.'}</p>
      <div class="answer" aria-live="polite" aria-busy=${this.#would || this.#problem ? 'false' : 'true'}>
        ${this.#would ? html`<p class="verdict">${verdict(this.#would, this.#stop, true)}</p>${this.#would.map((decision) => answered(decision, true))}`
          : this.#problem ? nothing : html`<p class="soft">Asking…</p>`}
      </div>
      ${this.#problem ? problemBox(this.#problem, this.#would ? undone(this.#problem, 'As far as is known, nothing was done.') : 'This cannot be determined now.') : nothing}
      ${this.#would && this.#would.length > 0 && !session.readOnly && mayGuard(session.caller, app) ? this.#really(app) : html`
        ${session.readOnly ? html`<p class="soft">This dashboard only reads; to do it: <code>holdfast guard ${this.#stop ? 'stop' : 'start'} ${app}</code></p>` : nothing}
        <form method="dialog"><div class="buttons"><button autofocus>Close</button></div></form>`}`;
  }

  /** @param {string} app */
  #really(app) {
    const what = this.#stop ? 'Stop' : 'Start';
    return html`<form @submit=${this.#submit}>
      <p class="note">${this.#stop
        ? html`This says that <b>${app}</b> no longer needs its databases; it does not stop the app. Each is stopped as soon as nobody needs it: now, or later by itself. Starting takes it back.`
        : html`This says that <b>${app}</b> is about to need its databases. Start the app when this says that they run.`}</p>
      ${this.#stop ? html`<label for="ask-name">Type ${app} to confirm</label>
        <input id="ask-name" name="name" autocomplete="off" autocapitalize="off" spellcheck="false" .value=${this.#typed} @input=${(/** @type {InputEvent} */ it) => {
          this.#typed = /** @type {HTMLInputElement} */ (it.target).value.trim();
          this.requestUpdate();
        }}>` : nothing}
      <div class="buttons">
        <button type="button" @click=${() => this.dialog.close()}>Cancel</button>
        <button class=${this.#stop ? 'danger' : 'primary'} ?disabled=${this.#sending || (this.#stop && this.#typed !== app)}>${this.#sending
          ? (this.#stop ? 'Stopping…' : 'Starting…') : `${what} what ${app} uses`}</button>
      </div>
      ${this.#sending ? html`<p class="soft" role="status">The answer comes when it is decided. If that takes long it goes on by itself.</p>` : nothing}
    </form>`;
  }

  /** @param {GuardDecision[]} decisions */
  #told(decisions) {
    return html`<h2 id="ask-title">${this.#stop ? `${this.#app} no longer needs its databases` : `${this.#app} needs its databases`}</h2>
      <p class="verdict" role="status">${verdict(decisions, this.#stop, false)}</p>
      ${decisions.map((decision) => answered(decision, false))}
      <form method="dialog"><div class="buttons"><button class="primary" autofocus>Close</button></div></form>`;
  }

  async #ask() {
    if (await this.#answer(true)) {
      // Who uses keys goes on where the next step is.
      /** @type {HTMLElement | null} */ (this.dialog.querySelector('#ask-name, form button'))?.focus();
    }
  }

  /** @param {SubmitEvent} submit */
  async #submit(submit) {
    submit.preventDefault();
    if (this.#sending || (this.#stop && this.#typed !== this.#app)) {
      return;
    }
    this.#sending = true;
    this.#problem = null;
    this.requestUpdate();
    const shown = await this.#answer(false);
    this.dispatchEvent(new Event('asked', {bubbles: true}));
    if (shown) {
      /** @type {HTMLElement | null} */ (this.dialog.querySelector('.buttons .primary'))?.focus();
    }
  }

  /** Whether the answer is shown: not if something else is asked meanwhile, or nothing any more. @param {boolean} dry */
  async #answer(dry) {
    const {turn} = this;
    /** @type {GuardDecision[] | null} */
    let decisions = null;
    /** @type {ApiProblem | null} */
    let problem = null;
    try {
      ({decisions} = await session.api.post(this.#path, {dry_run: dry}));
    } catch (failure) {
      if (!(failure instanceof ApiProblem)) {
        throw failure;
      }
      problem = failure;
    }
    if (turn !== this.turn) {
      return false;
    }
    this.#problem = problem;
    if (dry) {
      this.#would = decisions;
    } else {
      this.#done = decisions;
      this.#sending = false;
    }
    this.requestUpdate();
    await this.updateComplete;
    return turn === this.turn && this.isConnected && this.dialog.open;
  }
}

/**
 * All of it in one sentence.
 * @param {GuardDecision[]} decisions
 * @param {boolean} stop
 * @param {boolean} dry
 */
function verdict(decisions, stop, dry) {
  if (decisions.length === 0) {
    return 'It uses no database: nothing would change.';
  }
  const done = decisions.filter(({decision}) => decision === (stop ? 'stopped' : 'started')).length;
  const rest = decisions.length - done;
  const all = counted(decisions.length, 'database');
  if (stop) {
    const one = decisions.length === 1;
    if (rest === 0) {
      return `${one ? 'Its database' : `All ${all}`} ${dry ? 'would be' : one ? 'is' : 'are'} stopped.`;
    }
    if (done === 0) {
      const now = one ? `Its database ${dry ? 'would not be' : 'is not'} stopped now` : `None of ${all} ${dry ? 'would be' : 'is'} stopped now`;
      if (decisions.every(({evidence}) => evidence.length > 0 && evidence.every(({standing}) => standing === 'gone'))) {
        return `${now}.`; // nobody needs it, and yet something keeps it from being stopped: the reason below says what
      }
      return `${now}${dry ? ', but once nobody needs it' : '. That happens by itself once nobody needs it'}.`;
    }
    return `Of ${all}, ${done} ${dry ? 'would be' : done === 1 ? 'is' : 'are'} stopped, and ${rest} not now.`;
  }
  const runs = dry ? 'would run' : decisions.length === 1 ? 'runs' : 'run';
  return rest === 0
    ? `${decisions.length === 1 ? 'Its database' : `All ${all}`} ${runs}.${dry ? '' : ' The app may be started.'}`
    : `${rest === 1 ? 'One database does' : `${rest} databases do`} not run yet.${dry ? '' : ' Wait before the app is started.'}`;
}

customElements.define('hf-guard-ask', GuardAsk);
