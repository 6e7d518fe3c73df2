// The frame around all pages: where one is, how it stands, who one is, and the keys that work everywhere.

import {html, nothing} from 'lit-html';
import {Part, isTyping, ticks} from './parts.js';
import {router} from './router.js';
import {session} from './session.js';
import {PAGES, pageAt} from './pages.js';
import {roleWord} from './access.js';
import {clock, seconds} from './time.js';
import {lettersWork} from './dialogs.js';
import './search.js';
import './page-overview.js';
import './page-locks.js';
import './page-lock.js';

const MENU = PAGES.filter(({key, page}) => key && page !== 'settings');
/** How long a short word of confirmation stays. */
const SAID_MS = 1_800;
/** Two keys are one command when they follow each other so closely. */
const CHORD_MS = 900;

class App extends Part {
  #said = '';
  #saidTimer = 0;
  #went = -CHORD_MS;

  connectedCallback() {
    super.connectedCallback();
    this.listen(session, 'change');
    this.listen(session.stream, 'state');
    this.listen(router, 'change', () => this.#arrived().then(keepFocus));
    this.listen(ticks, 'tick', () => {
      if (session.stream.state === 'reconnecting') {
        this.requestUpdate();
      }
    });
    this.listen(document, 'keydown', (key) => this.#pressed(/** @type {KeyboardEvent} */ (key)));
    this.listen(document, 'hf-said', (said) => this.#say(/** @type {CustomEvent} */ (said).detail));
    // Before all others hear of it: what no page hears, no page does.
    addEventListener('keydown', muteLetters, {capture: true});
    session.start();
    this.#arrived();
  }

  render() {
    const {page} = router.place;
    return html`
      <a class="skip" href="#content" @click=${this.#skip}>Skip to the content</a>
      <header class="frame">
        <div class="top">
          <a class="brand" href="/">Holdfast</a>
          ${session.health ? html`<span class="node soft" title="The replica that answers">${session.health.node}</span>` : nothing}
          ${session.signedOut ? nothing : html`<hf-search></hf-search>`}
          <span class="corner">
            ${session.signedOut ? nothing : this.#live()}
            <button class="quiet icon" @click=${toggleTheme} aria-label="Light or dark" title="Light or dark (t)">◐</button>
            <button class="quiet icon" @click=${this.#keys} aria-label="Keys" title="Keys (?)">?</button>
            ${session.caller ? this.#who(session.caller) : nothing}
          </span>
        </div>
        ${session.signedOut ? nothing : html`<nav aria-label="Pages">
          ${MENU.map((it) => menuEntry(it, page))}
          <span class="rest"></span>
          ${menuEntry(SETTINGS, page)}
          <a href="/docs">API</a>
        </nav>`}
      </header>
      ${session.signedOut ? html`<hf-sign-in></hf-sign-in>` : html`<main id="content" tabindex="-1" class=${this.#isLive ? '' : 'not-live'}>${this.#page(page)}</main>`}
      <hf-keys></hf-keys>
      <div class="said" role="status" aria-live="polite">${this.#said}</div>`;
  }

  /** @param {string} page */
  #page(page) {
    switch (page) {
      case 'locks':
        return html`<hf-locks></hf-locks>`;
      case 'lock':
        return html`<hf-lock></hf-lock>`;
      case 'waits':
        return html`<hf-waits></hf-waits>`;
      case 'timeline':
        return html`<hf-timeline></hf-timeline>`;
      case 'history':
        return html`<hf-history></hf-history>`;
      case 'state':
        return html`<hf-state></hf-state>`;
      case 'stack':
        return html`<hf-stack></hf-stack>`;
      case 'guard':
        return html`<hf-guard></hf-guard>`;
      case 'resource':
        return html`<hf-resource></hf-resource>`;
      case 'settings':
        return html`<hf-settings></hf-settings>`;
      default:
        return html`<hf-overview></hf-overview>`;
    }
  }

  get #isLive() {
    return session.stream.state === 'live' || session.stream.state === 'connecting';
  }

  #live() {
    const {state, since} = session.stream;
    const words = {
      connecting: 'connecting',
      live: 'live',
      reconnecting: `reconnecting, ${seconds(Date.now() - since)}`,
      paused: `paused ${clock(since)}`,
    }[state];
    const title = state === 'paused' ? 'Resume (p)' : `Pause (p)${session.stream.problem ? `: ${session.stream.problem}` : ''}`;
    return html`<button class="quiet live ${state}" @click=${togglePause} title=${title}
      aria-label=${`${words}. ${state === 'paused' ? 'Resume' : 'Pause'}`}><span class="dot" aria-hidden="true"></span><span class="word">${words}</span></button>`;
  }

  /** @param {import('./types').Caller} caller */
  #who(caller) {
    const where = Object.entries(caller.roles).map(([place, roles]) => `${place}: ${roles.join(', ')}`).join('\n');
    return html`<span class="who" title=${where}>${caller.principal} <span class="soft">${session.readOnly ? 'read only' : roleWord(caller)}</span></span>
      ${session.api.token ? html`<button class="quiet" @click=${() => session.signOut()}>Sign out</button>` : nothing}`;
  }

  async #arrived() {
    const {query} = router.place;
    const page = pageAt(location.pathname);
    page?.load?.().catch(() => this.#say('This page cannot be loaded: the server cannot be reached'));
    document.title = `${query.get('name') ?? page?.title ?? 'Overview'} · Holdfast`;
    this.requestUpdate();
    await this.updateComplete;
  }

  /** @param {Event} click */
  #skip(click) {
    click.preventDefault();
    this.querySelector('main')?.focus();
  }

  #keys() {
    const keys = /** @type {any} */ (this.querySelector('hf-keys'));
    keys.show();
  }

  /** @param {string} words */
  #say(words) {
    this.#said = words;
    this.requestUpdate();
    clearTimeout(this.#saidTimer);
    this.#saidTimer = window.setTimeout(() => {
      this.#said = '';
      this.requestUpdate();
    }, SAID_MS);
  }

  /** @param {KeyboardEvent} key */
  #pressed(key) {
    if (key.key === 'Escape' && document.activeElement instanceof HTMLInputElement) {
      document.activeElement.blur();
      return;
    }
    if (isTyping(key) || key.metaKey || key.ctrlKey || key.altKey || session.signedOut) {
      return;
    }
    const after = key.timeStamp - this.#went < CHORD_MS;
    this.#went = -CHORD_MS;
    const act = after ? CHORDS[key.key] : this.#acts()[key.key];
    if (act) {
      key.preventDefault();
      act(key);
    }
  }

  /** @returns {Record<string, (key: KeyboardEvent) => void>} */
  #acts() {
    return {
      '/': () => /** @type {HTMLElement | null} */ (this.querySelector('hf-search'))?.focus(),
      f: () => /** @type {HTMLElement | null} */ (this.querySelector('.filters input'))?.focus(),
      '?': () => this.#keys(),
      p: togglePause,
      t: toggleTheme,
      g: (key) => {
        this.#went = key.timeStamp;
      },
    };
  }
}

/** @type {Record<string, () => void>} */
const CHORDS = Object.fromEntries(PAGES.filter(({key}) => key).map(({key, href}) => [key, () => router.go(href)]));
const SETTINGS = /** @type {import('./pages.js').PageAddress} */ (PAGES.find(({page}) => page === 'settings'));

/** @param {import('./pages.js').PageAddress} to @param {string} here the page that is shown */
function menuEntry({page, href, title}, here) {
  const current = page === here || PARENTS[here] === page;
  return html`<a href=${href} aria-current=${current ? 'page' : nothing}>${title}</a>`;
}

/** To which entry of the menu a page belongs that has none. */
const PARENTS = /** @type {Record<string, string>} */ ({lock: 'locks', stack: 'state', resource: 'guard'});

/** @param {KeyboardEvent} key */
function muteLetters(key) {
  if (!lettersWork() && key.key.length === 1 && key.key !== ' ' && !isTyping(key)) {
    key.stopImmediatePropagation();
  }
}

/** Who followed a link that is gone now goes on from the beginning of the page, not from that of the window. */
function keepFocus() {
  if (!document.activeElement || document.activeElement === document.body) {
    document.querySelector('main')?.focus({preventScroll: true});
  }
}

function togglePause() {
  if (session.stream.state === 'paused') {
    session.resume();
  } else {
    session.pause();
  }
}

function toggleTheme() {
  const root = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const next = (root.dataset.theme ?? system) === 'dark' ? 'light' : 'dark';
  root.dataset.theme = next;
  try {
    localStorage.setItem('holdfast.theme', next);
  } catch {
    // It lasts until the page is loaded again.
  }
}

customElements.define('hf-app', App);
