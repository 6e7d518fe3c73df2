// Dialogs of the frame: which keys there are, and signing in.

import {html, nothing} from 'lit-html';
import {Part} from './parts.js';
import {PAGES} from './pages.js';
import {session} from './session.js';

const KEYS = [
  ['/', 'Search locks, stacks, apps'],
  ['f', 'Filter this list'],
  ['j', 'Next lock in the list'],
  ['k', 'Previous lock in the list'],
  ['Enter', 'Open the selected lock'],
  ['.', 'Let new rows in'],
  ['p', 'Pause, resume'],
  ...PAGES.filter(({key}) => key).map(({key, title}) => [`g ${key}`, title]),
  ['t', 'Light or dark'],
  ['Esc', 'Close, or leave a field'],
  ['?', 'This list'],
];

const STORED = 'holdfast.letters';
let letters = storedLetters();

function storedLetters() {
  try {
    return localStorage.getItem(STORED) !== 'off';
  } catch {
    return true; // storage can be forbidden
  }
}

/** Whether single characters are commands. Who speaks to a computer, or hits keys by accident, can turn that off. */
export function lettersWork() {
  return letters;
}

/** @param {boolean} work */
export function setLetters(work) {
  letters = work;
  try {
    localStorage.setItem(STORED, work ? 'on' : 'off');
  } catch {
    // It lasts until the page is loaded again.
  }
}

class KeysDialog extends Part {
  show() {
    this.requestUpdate();
    this.querySelector('dialog')?.showModal();
  }

  render() {
    return html`<dialog aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl class="keys">${KEYS.map(([key, what]) => html`<div><dt>${key.split(' ').map((one) => html`<kbd>${one}</kbd> `)}</dt><dd>${what}</dd></div>`)}</dl>
      ${letters ? nothing : html`<p class="soft">Keys of one character are turned off. Settings turn them on again.</p>`}
      <form method="dialog"><button>Close</button></form>
    </dialog>`;
  }
}
customElements.define('hf-keys', KeysDialog);

class SignIn extends Part {
  connectedCallback() {
    super.connectedCallback();
    this.listen(session, 'change');
  }

  firstUpdated() {
    this.querySelector('input')?.focus();
  }

  render() {
    return html`<main class="signin" id="content">
      <form @submit=${this.#submit}>
        <h1>Sign in to Holdfast</h1>
        <p class="soft">This server requires authentication. Enter an API token or a JWT. It stays in this page and is gone when you close it.</p>
        <label for="token">Token</label>
        <input id="token" name="token" type="password" autocomplete="current-password" required spellcheck="false"
          aria-describedby=${session.refusal ? 'refusal' : nothing} aria-invalid=${session.refusal ? 'true' : nothing}>
        ${session.refusal ? html`<p id="refusal" class="bad" role="alert">${session.refusal}</p>` : nothing}
        <button class="primary">Sign in</button>
        <p class="soft">No token yet? An admin creates one: <code>holdfast token create you --role '*=read'</code></p>
      </form>
    </main>`;
  }

  /** @param {SubmitEvent} submit */
  #submit(submit) {
    submit.preventDefault();
    const field = /** @type {HTMLInputElement} */ (this.querySelector('input'));
    session.signIn(field.value);
  }
}
customElements.define('hf-sign-in', SignIn);
