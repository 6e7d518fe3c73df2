// API tokens: which there are, a new one, and the end of one. A secret is shown once, and kept nowhere.

import {html, nothing} from 'lit-html';
import {repeat} from 'lit-html/directives/repeat.js';
import {Part, copy, problemBox, timeOf, undone} from './parts.js';
import {session} from './session.js';
import {ApiProblem} from './api.js';
import {ROLES, ROLE_WORDS, placeWords} from './settings-words.js';

/** @typedef {import('./types').ApiToken} ApiToken */

const DAY_MS = 86_400_000;
const LIVES = [['30', '30 days'], ['90', '90 days'], ['365', 'one year'], ['', 'never']];

class Tokens extends Part {
  /** @type {ApiToken[] | null} */
  #tokens = null;
  /** @type {ApiProblem | null} */
  #problem = null;
  /** @type {{id: string, secret: string} | null} */
  #made = null;
  /** @type {ApiProblem | null} */
  #refusal = null;
  #adding = false;
  /** Whether something is under way: a second click does not do it again. */
  #sending = false;
  /** The token whose end somebody is asked to confirm. */
  #ending = '';

  connectedCallback() {
    super.connectedCallback();
    this.listen(session, 'again', () => this.#read());
    this.#read();
  }

  async #read() {
    try {
      this.#tokens = (await session.api.get('/v2/tokens')).items;
      this.#problem = null;
    } catch (failure) {
      if (!(failure instanceof ApiProblem)) {
        throw failure;
      }
      this.#problem = failure;
    }
    this.requestUpdate();
  }

  render() {
    const asks = session.caller?.authenticated_by !== null;
    return html`
      ${this.#problem ? problemBox(this.#problem, this.#tokens ? 'What is shown is old.' : 'Tokens cannot be read.') : nothing}
      ${this.#made ? this.#secret(this.#made) : nothing}
      ${this.#tokens && this.#tokens.length > 0 ? html`<ul class="tokens">${repeat(this.#tokens, (token) => `${token.source} ${token.id}`, (token) => this.#row(token))}</ul>` : nothing}
      ${!asks ? html`<p class="soft">This server has no authentication, so a token would have no effect. Set <code>auth.tokens</code> or <code>jwt.issuer</code>, and start it again.</p>` : nothing}
      ${asks && this.#tokens && !session.readOnly ? (this.#adding ? this.#form() : html`<p><button class="new-one" @click=${() => this.#open()}>New token…</button></p>`) : nothing}
      ${this.#refusal ? problemBox(this.#refusal, undone(this.#refusal, 'Nothing was changed.')) : nothing}`;
  }

  /** @param {{id: string, secret: string}} made */
  #secret(made) {
    return html`<div class="made" role="status">
      <p><b>Token ${made.id} is ready.</b> Copy it now: it is not shown again, and nobody can look it up.</p>
      <p class="command"><code>${made.secret}</code> <button class="quiet" @click=${() => copy(made.secret)}>Copy</button>
        <button class="quiet" @click=${() => this.#forget()}>Done</button></p>
    </div>`;
  }

  #forget() {
    this.#made = null;
    this.requestUpdate();
  }

  /** @param {ApiToken} token */
  #row(token) {
    const roles = Object.entries(token.roles);
    const mayEnd = token.source === 'stored' && !session.readOnly;
    return html`<li>
      <span class="name"><b class="mono">${token.id}</b> ${token.expired ? html`<span class="mark warn">expired</span>` : nothing} ${token.group ? html`<span class="mark">${token.group}</span>` : nothing}</span>
      <span class="may">${roles.map(([place, all]) => html`<span>${all.join(', ')} <span class="soft">${placeWords(place)}</span></span>`)}</span>
      <span class="soft">${token.created_at ? html`by ${token.created_by}, ${timeOf(token.created_at)}` : 'in the configuration'}${token.expires_at ? html`, until ${timeOf(token.expires_at)}` : nothing}</span>
      <span class="act">${!mayEnd ? nothing : this.#ending === token.id
        ? html`<button class="danger" @click=${() => this.#revoke(token.id)}>Revoke ${token.id}</button> <button class="quiet keep" @click=${() => this.#ask('')}>Keep</button>`
        : html`<button class="quiet" aria-label=${`Revoke ${token.id}…`} data-token=${token.id} @click=${() => this.#ask(token.id)}>Revoke…</button>`}</span>
    </li>`;
  }

  #form() {
    return html`<form class="new-token" @submit=${(/** @type {SubmitEvent} */ submit) => this.#create(submit)}>
      <div><label for="token-id">Name</label><input id="token-id" name="id" required maxlength="100" autocomplete="off" spellcheck="false" placeholder="ci"></div>
      <div><label for="token-place">Where</label><input id="token-place" name="place" required value="*" maxlength="600" autocomplete="off" spellcheck="false" aria-describedby="token-places"></div>
      <div><label for="token-role">May</label><select id="token-role" name="role">${[...ROLES].reverse().map((role) => html`<option value=${role}>${role}: ${ROLE_WORDS[role]}</option>`)}</select></div>
      <div><label for="token-life">Ends after</label><select id="token-life" name="life">${LIVES.map(([days, words]) => html`<option value=${days} ?selected=${days === '90'}>${words}</option>`)}</select></div>
      <p class="soft" id="token-places">Where: <code>*</code> for all, <code>billing</code> for a namespace, <code>billing/inv*</code> for names with that prefix. For several places: <code>holdfast token create</code>.</p>
      <div class="buttons"><button type="button" @click=${() => this.#close()}>Cancel</button><button class="primary">Create the token</button></div>
    </form>`;
  }

  async #open() {
    this.#adding = true;
    this.#refusal = null;
    await this.#focus('input');
  }

  async #close() {
    this.#adding = false;
    this.#refusal = null;
    await this.#focus('.new-one');
  }

  /** @param {string} id */
  async #ask(id) {
    const before = this.#ending;
    this.#ending = id;
    await this.#focus(id ? '.keep' : `[data-token="${CSS.escape(before)}"]`);
  }

  /** What had the focus is replaced: who uses keys goes on at the next step. @param {string} selector */
  async #focus(selector) {
    this.requestUpdate();
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.querySelector(selector))?.focus();
  }

  /** @param {SubmitEvent} submit */
  async #create(submit) {
    submit.preventDefault();
    const said = new FormData(/** @type {HTMLFormElement} */ (submit.target));
    const days = Number(said.get('life'));
    await this.#act(async () => {
      const made = await session.api.post('/v2/tokens', {
        id: String(said.get('id')).trim(),
        roles: {[String(said.get('place')).trim()]: [said.get('role')]},
        ...(days > 0 ? {expires_in_ms: days * DAY_MS} : {}),
      });
      this.#made = {id: made.id, secret: made.token};
      this.#adding = false;
    }, '.made button');
  }

  /** @param {string} id */
  async #revoke(id) {
    await this.#act(async () => {
      await session.api.delete(`/v2/tokens/${encodeURIComponent(id)}`);
      this.#ending = '';
      document.dispatchEvent(new CustomEvent('hf-said', {detail: `Token ${id} is revoked`}));
    }, 'button');
  }

  /** @param {() => Promise<void>} act @param {string} next what has the focus when it is done */
  async #act(act, next) {
    if (this.#sending) {
      return;
    }
    this.#sending = true;
    this.#refusal = null;
    this.requestUpdate();
    try {
      await act();
    } catch (failure) {
      if (!(failure instanceof ApiProblem)) {
        throw failure;
      }
      this.#refusal = failure;
    } finally {
      this.#sending = false;
    }
    await this.#read();
    if (!this.#refusal) {
      await this.#focus(next);
    }
  }
}

customElements.define('hf-tokens', Tokens);
