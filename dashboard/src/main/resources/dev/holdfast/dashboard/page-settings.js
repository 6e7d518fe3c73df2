// Who am I and what may I do; what answers here, and how it was configured.

import {html, nothing} from 'lit-html';
import {live} from 'lit-html/directives/live.js';
import {repeat} from 'lit-html/directives/repeat.js';
import {Part, copy, problemBox, ticks, timeOf} from './parts.js';
import {router} from './router.js';
import {session} from './session.js';
import {ApiProblem} from './api.js';
import {lettersWork, setLetters} from './dialogs.js';
import {SHOWN_BY, mayWords, placeWords} from './settings-words.js';
import {counted, seconds} from './time.js';
import './settings-tokens.js';

/** @typedef {import('./types').Setting} Setting */
/** @typedef {import('./types').ServerAbout} ServerAbout */
/** @typedef {import('./types').Caller} Caller */

const STORES = /** @type {Record<string, string>} */ ({
  memory: 'Memory', sqlite: 'SQLite', postgresql: 'PostgreSQL', mariadb: 'MariaDB', mysql: 'MySQL', dynamodb: 'DynamoDB', s3: 'S3',
});
const THEMES = [['system', 'As the system'], ['light', 'Light'], ['dark', 'Dark']];

class SettingsPage extends Part {
  /** @type {{about: ServerAbout, at: number} | null} */
  #server = null;
  /** @type {{items: Setting[], notes: string[]} | null} */
  #settings = null;
  /** @type {Record<string, ApiProblem>} */
  #problems = {};
  #asked = '';

  connectedCallback() {
    super.connectedCallback();
    this.listen(session, 'change', () => this.#begin());
    this.listen(session, 'again', () => this.#read());
    this.listen(router, 'change');
    this.listen(ticks, 'tick');
    this.#begin();
  }

  #begin() {
    const who = session.caller ? JSON.stringify(session.caller) : '';
    if (who && who !== this.#asked) {
      this.#asked = who;
      this.#read();
    }
    this.requestUpdate();
  }

  async #read() {
    await Promise.all([
      this.#ask('server', async () => (this.#server = {about: await session.api.get('/v2/server'), at: Date.now()})),
      ...(this.#isAdmin ? [this.#ask('settings', async () => (this.#settings = await session.api.get('/v2/settings')))] : []),
    ]);
    this.requestUpdate();
  }

  /** @param {string} what @param {() => Promise<unknown>} act */
  async #ask(what, act) {
    try {
      await act();
      delete this.#problems[what];
    } catch (failure) {
      if (!(failure instanceof ApiProblem)) {
        throw failure;
      }
      this.#problems[what] = failure;
    }
  }

  get #isAdmin() {
    return session.caller?.roles['*']?.includes('admin') ?? false;
  }

  render() {
    const {caller} = session;
    const waiting = !session.asked || (!this.#server && !this.#problems.server);
    if (!caller || waiting || (this.#isAdmin && !this.#settings && !this.#problems.settings)) {
      return html`<h1 class="sentence soft">Looking…</h1>`;
    }
    return html`
      <h1 class="sentence">${whoSentence(caller)}</h1>
      <div class="columns settings">
        <div>
          <section aria-labelledby="may"><h2 id="may">What you may do</h2>${mayList(caller)}</section>
          <section aria-labelledby="looks"><h2 id="looks">Appearance</h2>${this.#themes()}</section>
          <section aria-labelledby="letters"><h2 id="letters">Keyboard</h2>${this.#letters()}</section>
          <section aria-labelledby="more"><h2 id="more">More</h2>${this.#links()}</section>
        </div>
        <div>
          <section aria-labelledby="server"><h2 id="server">This server</h2>${this.#about()}</section>
        </div>
      </div>
      <section aria-labelledby="config"><h2 id="config">Configuration</h2>${this.#configuration(caller)}</section>
      ${this.#isAdmin ? html`<section aria-labelledby="tokens"><h2 id="tokens">API tokens</h2><hf-tokens></hf-tokens></section>` : nothing}`;
  }

  // ---- the server

  #about() {
    const {health} = session;
    if (!this.#server) {
      return problemBox(this.#problems.server, 'The facts about this server cannot be read.');
    }
    const {about, at} = this.#server;
    const up = about.uptime_ms + (Date.now() - at);
    return html`
      ${this.#problems.server ? problemBox(this.#problems.server, 'What is shown is old.') : nothing}
      <dl class="facts wide">
        <div><dt>Replica</dt><dd>${about.node} ${health?.status === 'DOWN' ? html`<span class="mark bad">not ready</span> <span class="soft">${health.reason}</span>` : nothing}</dd></div>
        <div><dt>Version</dt><dd>${about.version}</dd></div>
        <div><dt>Java</dt><dd>${about.java}</dd></div>
        <div><dt>Store</dt><dd>${STORES[about.store] ?? about.store} <span class="soft">${latency(health)}</span></dd></div>
        <div><dt>Clock</dt><dd>${clockWords(health)}</dd></div>
        <div><dt>Running for</dt><dd>${seconds(up)} <span class="soft">since ${timeOf(about.started_at)}</span></dd></div>
        <div><dt>Replicas</dt><dd>${about.store_shared
          ? html`Others may use the same store. Replicas keep no list of each other, so only this one is known here.`
          : html`This is the only one: no other process can use its store.`}</dd></div>
      </dl>`;
  }

  #links() {
    return html`<ul class="links">
      <li><a href="/docs">Reference of the API</a> <a class="soft" href="/openapi.json">openapi.json</a></li>
      ${this.#server?.about.metrics === false ? nothing : html`<li><a href="/metrics">Metrics</a> <span class="soft">for Prometheus</span></li>`}
      <li><a href="/health/ready">Health</a> <span class="soft">as a load balancer asks</span></li>
      <li><span class="soft">On the command line:</span> <code>holdfast help</code></li>
    </ul>`;
  }

  #themes() {
    const chosen = document.documentElement.dataset.theme ?? 'system';
    return html`<fieldset class="themes"><legend class="offscreen">Theme</legend>
      ${THEMES.map(([value, words]) => html`<label><input type="radio" name="theme" value=${value} .checked=${live(chosen === value)} @change=${() => this.#theme(value)}> ${words}</label>`)}
    </fieldset>`;
  }

  #letters() {
    return html`<p class="themes"><label><input type="checkbox" name="letters" .checked=${live(lettersWork())} @change=${(/** @type {Event} */ it) => {
      setLetters(/** @type {HTMLInputElement} */ (it.target).checked);
    }}> <span>Keys of one character, such as <kbd>/</kbd>, <kbd>p</kbd> and <kbd>g</kbd> <kbd>l</kbd></span></label></p>
      <p class="soft small">Turn them off if you speak to your computer or press keys by accident. Arrows, Enter and Esc always work.</p>`;
  }

  /** @param {string} theme */
  #theme(theme) {
    if (theme === 'system') {
      delete document.documentElement.dataset.theme;
    } else {
      document.documentElement.dataset.theme = theme;
    }
    try {
      if (theme === 'system') {
        localStorage.removeItem('holdfast.theme');
      } else {
        localStorage.setItem('holdfast.theme', theme);
      }
    } catch {
      // It lasts until the page is loaded again.
    }
    this.requestUpdate();
  }

  // ---- the configuration

  /** @param {Caller} caller */
  #configuration(caller) {
    if (!this.#isAdmin) {
      return html`<p class="soft small">It says where things are kept and who may log in, so only those who are <b>admin in all namespaces</b> see it; ${caller.principal} is not. Ask whoever runs this server,
        or run there: <code>holdfast config show --origin</code></p>`;
    }
    if (!this.#settings) {
      return problemBox(this.#problems.settings, 'The configuration cannot be read.');
    }
    const words = (router.place.query.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.#settings.items.filter((item) => words.every((word) => `${item.name} ${item.value} ${item.origin} ${item.description}`.toLowerCase().includes(word)));
    const changed = found.filter((item) => item.changed);
    const usual = found.filter((item) => !item.changed);
    return html`
      ${this.#problems.settings ? problemBox(this.#problems.settings, 'What is shown is old.') : nothing}
      ${this.#settings.notes.map((note) => html`<p class="note-line">${note}</p>`)}
      <div class="filters"><input type="search" placeholder="Search settings" aria-label="Search settings" spellcheck="false" .value=${live(router.place.query.get('q') ?? '')}
        @input=${(/** @type {InputEvent} */ typed) => router.refine({q: /** @type {HTMLInputElement} */ (typed.target).value})}>
        <span class="soft" role="status">${words.length > 0 ? `${counted(found.length, 'setting')} of ${this.#settings.items.length}` : `${changed.length} of ${counted(this.#settings.items.length, 'setting')} differ from the default`}</span></div>
      ${changed.length > 0 ? html`<ul class="config">${repeat(changed, (item) => item.name, settingRow)}</ul>` : nothing}
      ${found.length === 0 ? html`<p class="soft">No setting matches. <button class="quiet" @click=${() => router.refine({q: ''})}>Show all</button></p>` : nothing}
      ${usual.length > 0 ? html`<details class="usual" ?open=${words.length > 0}><summary>${counted(usual.length, 'setting has its default', 'settings have their defaults')}</summary>
        <ul class="config">${repeat(usual, (item) => item.name, settingRow)}</ul></details>` : nothing}
      <p class="soft small">As the server was started with. Changes in the file take effect at the next start; only <code>auth.tokens</code> is followed at once. Secrets (***) never leave the server.</p>`;
  }
}

/** @param {Caller} caller */
function whoSentence(caller) {
  if (caller.authenticated_by === null) {
    return html`This server has no authentication: anyone who can reach it may do anything.`;
  }
  const places = Object.entries(caller.roles);
  const all = caller.roles['*'];
  const may = places.length === 0
    ? 'You have no role, so you may do nothing here. Ask whoever runs this server for one.'
    : all
      ? `You may ${mayWords(all)}, in all namespaces.`
      : `You have roles in ${counted(places.length, 'place')}.`;
  return html`You are <b>${caller.principal}</b>, known by ${SHOWN_BY[caller.authenticated_by] ?? caller.authenticated_by}${caller.group ? html`, of the group <b>${caller.group}</b>` : nothing}. ${may}`;
}

/** @param {Caller} caller */
function mayList(caller) {
  const places = Object.entries(caller.roles);
  return html`${places.length === 0 ? html`<p class="soft">Nothing: no role was granted.</p>` : html`<ul class="may-list">
      ${places.map(([place, roles]) => html`<li><span class="mono">${place}</span><span>${roles.join(', ')}: <span class="soft">may ${mayWords(roles)}, ${placeWords(place)}</span></span></li>`)}
    </ul>`}
    ${session.readOnly ? html`<p class="soft">This dashboard only shows: <code>dashboard.read-only</code> is set. Other clients are not bound by that.</p>` : nothing}`;
}

/** @param {import('./types').Health | null} health */
function latency(health) {
  if (!health || health.store_latency_ms === undefined) {
    return 'does not answer';
  }
  return `answers in ${health.store_latency_ms.toFixed(health.store_latency_ms < 10 ? 1 : 0)} ms`;
}

/** @param {import('./types').Health | null} health */
function clockWords(health) {
  const error = health?.clock_error_ms;
  if (error === undefined) {
    return html`<span class="soft">not known while the store does not answer</span>`;
  }
  return error < 0.001 ? 'exact: the store and the server share it' : `the store's, known to within ${error.toFixed(error < 10 ? 1 : 0)} ms`;
}

/** @param {Setting} item */
function settingRow(item) {
  return html`<li class=${item.changed ? 'changed' : ''}>
    <div class="what"><b class="mono">${item.name}</b><p class="soft">${marked(item.description)}</p></div>
    <div class="value">
      <p>${item.value === '' ? html`<span class="soft">not set</span>` : html`<code>${item.value}</code> <button class="quiet" aria-label=${`Copy the value of ${item.name}`} @click=${() => copy(item.value)}>Copy</button>`}</p>
      <p class="soft">${originWords(item)}${item.changed ? html`, default ${item.default ? item.default.includes('`') ? marked(item.default) : html`<code>${item.default}</code>` : 'not set'}` : nothing}</p>
    </div>
  </li>`;
}

/** @param {Setting} item */
function originWords(item) {
  switch (item.source) {
    case 'default':
      return 'default';
    case 'file':
      return html`file <code>${item.origin}</code>`;
    default:
      return html`${item.source} <code>${item.origin.slice(item.source.length + 1)}</code>`;
  }
}

/** The little Markdown that descriptions have: code between backticks. @param {string} text */
function marked(text) {
  return text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part));
}

customElements.define('hf-settings', SettingsPage);
