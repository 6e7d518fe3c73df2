// One field that finds locks, stacks and guarded apps. Locks are looked for by the server; of stacks and apps there are few, so they are
// read once for a while and looked through here.

import {html, nothing} from 'lit-html';
import {live} from 'lit-html/directives/live.js';
import {Part} from './parts.js';
import {router} from './router.js';
import {session} from './session.js';
import {counted} from './time.js';
import {keyText, lockHref} from './keys.js';

/** @typedef {{text: string, note: string, href: string}} Hit */
/** @typedef {{kind: string, hits: Hit[]}} Group */

const EACH = 6;
const TYPED_MS = 150;
/** Stacks and apps that are looked through. */
const MOST = 1000;
const KEPT_MS = 30_000;

class Search extends Part {
  #words = '';
  /** @type {Group[]} */
  #groups = [];
  #note = '';
  #open = false;
  #at = -1;
  #run = 0;
  #timer = 0;
  /** @type {Map<string, {at: number, page: Promise<{items: any[], next_cursor?: string | null}>}>} */
  #lists = new Map();

  /** For the key that leads here. */
  focus() {
    const field = this.querySelector('input');
    field?.focus();
    field?.select();
  }

  get #hits() {
    return this.#groups.flatMap(({hits}) => hits);
  }

  render() {
    const shown = this.#open && this.#words.trim() !== '' && (this.#groups.length > 0 || this.#note !== '');
    let index = -1;
    return html`<form class="search" role="search" @submit=${this.#submit} @focusout=${this.#left}>
      <input type="search" placeholder="Search locks, stacks, apps" aria-label="Search locks, stacks, apps" autocomplete="off" spellcheck="false"
        role="combobox" aria-autocomplete="list" aria-expanded=${shown} aria-controls="hits" aria-activedescendant=${shown && this.#at >= 0 ? `hit-${this.#at}` : nothing}
        .value=${live(this.#words)} @input=${this.#typed} @keydown=${this.#pressed} @focus=${this.#entered}>
      <kbd aria-hidden="true">/</kbd>
      <div class="hits" id="hits" role="listbox" aria-label="Found" ?hidden=${!shown}>
        ${this.#groups.map(({kind, hits}) => html`<div role="group" aria-label=${kind}>
          <div class="kind" role="presentation">${kind}</div>
          ${hits.map((hit) => {
            index += 1;
            return html`<a role="option" tabindex="-1" id="hit-${index}" aria-selected=${index === this.#at} href=${hit.href} @click=${this.#close}>
              <span class="mono">${hit.text}</span><span class="soft">${hit.note}</span></a>`;
          })}</div>`)}
        ${this.#note ? html`<div class="kind" role="presentation">${this.#note}</div>` : nothing}
      </div>
    </form>`;
  }

  #entered() {
    this.#open = true;
    this.requestUpdate();
  }

  /** @param {FocusEvent} leaving */
  #left(leaving) {
    if (!this.contains(/** @type {Node | null} */ (leaving.relatedTarget))) {
      this.#open = false;
      this.requestUpdate();
    }
  }

  #close() {
    this.#run += 1;
    clearTimeout(this.#timer);
    this.#words = '';
    this.#groups = [];
    this.#note = '';
    this.#at = -1;
    this.#open = false;
    this.querySelector('input')?.blur();
    this.requestUpdate();
  }

  /** @param {InputEvent} typed */
  #typed(typed) {
    this.#words = /** @type {HTMLInputElement} */ (typed.target).value;
    this.#open = true;
    this.#run += 1;
    clearTimeout(this.#timer);
    if (this.#words.trim() === '') {
      this.#groups = [];
      this.#note = '';
      this.#at = -1;
    } else {
      this.#timer = window.setTimeout(() => this.#find(), TYPED_MS);
    }
    this.requestUpdate();
  }

  /** @param {KeyboardEvent} key */
  #pressed(key) {
    const count = this.#hits.length;
    if (key.key === 'ArrowDown' && count > 0) {
      this.#at = (this.#at + 1) % count;
    } else if (key.key === 'ArrowUp' && count > 0) {
      this.#at = this.#at <= 0 ? count - 1 : this.#at - 1;
    } else if (key.key === 'Escape') {
      this.#close();
    } else {
      return;
    }
    key.preventDefault();
    key.stopPropagation();
    this.#open = this.#open && key.key !== 'Escape';
    this.requestUpdate();
  }

  /** The selected one, or all locks with these words. @param {SubmitEvent} submit */
  #submit(submit) {
    submit.preventDefault();
    const hit = this.#hits[this.#at];
    const words = this.#words.trim();
    this.#close();
    router.go(hit ? hit.href : words ? `/ui/locks?${new URLSearchParams({q: words})}` : '/ui/locks');
  }

  /** Answers to what was typed before are no longer wanted. */
  async #find() {
    const run = this.#run;
    const text = this.#words.trim();
    const words = text.toLowerCase().split(/\s+/);
    /** @param {string} it */
    const has = (it) => words.every((word) => it.toLowerCase().includes(word));
    const [locks, stacks, apps] = await Promise.allSettled([
      session.api.get('/v2/locks', {q: text, order: 'waiting', limit: EACH}),
      this.#list('/state'),
      this.#list('/api/guard/apps'),
    ]);
    if (run !== this.#run) {
      return;
    }
    /** @type {Group[]} */
    const groups = [];
    if (locks.status === 'fulfilled' && locks.value.items.length > 0) {
      const {items, total} = /** @type {import('./types').LockPage} */ (locks.value);
      const hits = items.map((lock) => ({text: keyText(lock), note: lock.holders[0]?.owner ?? 'free', href: lockHref(lock)}));
      if ((total ?? 0) > items.length) {
        hits.push({text: 'All in use that match', note: counted(total ?? 0, 'lock'), href: `/ui/locks?${new URLSearchParams({q: text})}`});
      }
      groups.push({kind: 'Locks', hits});
    }
    /** @type {string[]} */
    const notes = locks.status === 'rejected' ? [`Locks cannot be searched: ${locks.reason.message}`] : [];
    if (stacks.status === 'fulfilled') {
      const found = stacks.value.items.filter((it) => has(`${it.stack}/${it.environment}`)).slice(0, EACH);
      add(groups, 'Stacks', found.map((it) => ({
        text: `${it.stack}/${it.environment}`, note: it.locked ? 'locked' : '', href: `/ui/stack?${new URLSearchParams({name: it.stack, environment: it.environment})}`,
      })));
    }
    if (apps.status === 'fulfilled') {
      const found = apps.value.items.filter((it) => has(it.app)).slice(0, EACH);
      add(groups, 'Guarded apps', found.map((it) => ({text: it.app, note: counted(it.databases.length, 'database'), href: `/ui/guard?${new URLSearchParams({q: it.app})}`})));
    }
    for (const [what, answer] of /** @type {const} */ ([['stacks', stacks], ['guarded apps', apps]])) {
      if (answer.status === 'fulfilled' && answer.value.next_cursor) {
        notes.push(`Only the first ${MOST.toLocaleString()} ${what} were looked through.`);
      } else if (answer.status === 'rejected' && answer.reason.isOutage && answer.reason.code !== 'guard-off') { // who may not read those, or has none, finds none
        notes.push(`The ${what} cannot be searched: ${answer.reason.message}`);
      }
    }
    this.#groups = groups;
    this.#at = Math.min(this.#at, this.#hits.length - 1);
    this.#note = notes.join(' ') || (groups.length === 0 ? 'Nothing has that name.' : '');
    this.requestUpdate();
  }

  /** @param {string} path */
  #list(path) {
    const known = this.#lists.get(path);
    if (known && Date.now() - known.at < KEPT_MS) {
      return known.page;
    }
    /** @type {Promise<{items: any[], next_cursor?: string | null}>} */
    const page = session.api.get(path, {limit: MOST});
    this.#lists.set(path, {at: Date.now(), page});
    page.catch(() => this.#lists.delete(path)); // the next time may be better
    return page;
  }
}

/** @param {Group[]} groups @param {string} kind @param {Hit[]} hits */
function add(groups, kind, hits) {
  if (hits.length > 0) {
    groups.push({kind, hits});
  }
}

customElements.define('hf-search', Search);
