// All locks that are held or waited for, as the server finds them. Rows change in place; new ones are announced and let in by the reader.

import {html, nothing} from 'lit-html';
import {live} from 'lit-html/directives/live.js';
import {repeat} from 'lit-html/directives/repeat.js';
import {Part, ageOf, emptyState, isTyping, leaseLeft, lockLink, marks, problemBox, ticks} from './parts.js';
import {holderCard, queue} from './lock-parts.js';
import {LockList, nameOf} from './lock-list.js';
import {explain} from './explain.js';
import {router} from './router.js';
import {session} from './session.js';
import {counted} from './time.js';
import {lockHref} from './keys.js';

/** @typedef {import('./types').Lock} Lock */
/** One line of the list: a lock, or the heading of a namespace. @typedef {{id: string, namespace?: string, top: number}} Line */

const ROW = 44;
const ROW_NARROW = 104;
const HEADING = 36;
/** Lines drawn above and below what is seen, so that scrolling shows no gaps. */
const SPARE = 8;
/** The next page is asked for when so many lines are left. */
const AHEAD = 40;
const NARROW = matchMedia('(max-width: 719px)');
const HISTORY_FOR_PREVIEW = 200;
/** Who runs through the list does not ask for the history of each. */
const PREVIEW_AFTER_MS = 200;
/** What stays above a row that is brought into view: the frame and the head of the list. */
const HEAD = 120;

const ORDERS = [['', 'By namespace'], ['name', 'Name'], ['held', 'Held longest'], ['ends', 'Ends first'], ['waiting', 'Most waiting']];
const ORDER_WORDS = /** @type {Record<string, string>} */ ({held: 'held longest', ends: 'that end first', waiting: 'most waited for'});
const FILTERS = ['q', 'namespace', 'owner', 'state', 'mode'];

class LocksPage extends Part {
  #list = new LockList(session.api);
  /** @type {Line[]} */
  #lines = [];
  /** Of what the lines were made. @type {unknown[]} */
  #madeOf = [];
  #height = 0;
  #selected = '';
  #asked = '';
  #first = 0;
  #pointer = false;
  /** @type {{id: string, events: import('./types').LockEvent[]} | null} */
  #history = null;
  #historyTimer = 0;

  connectedCallback() {
    super.connectedCallback();
    this.#list.atRest = () => scrollY < ROW && !this.#pointer && !this.#selected && !this.querySelector('.rows')?.contains(document.activeElement);
    this.listen(this.#list, 'change', () => this.#changed());
    this.listen(session.stream, 'events', (told) => this.#list.happened(/** @type {CustomEvent} */ (told).detail));
    this.listen(session.stream, 'state', () => {
      if (session.stream.state === 'reconnecting') {
        this.#again(); // says so, if it is not only the stream that broke
      }
    });
    this.listen(session, 'again', (told) => {
      if (!(/** @type {CustomEvent} */ (told).detail.first) || this.#list.complete) {
        this.#again();
      }
    });
    this.listen(router, 'change', () => this.#ask());
    this.listen(ticks, 'tick', () => this.#ticked());
    this.listen(window, 'scroll', () => this.#scrolled());
    this.listen(window, 'resize', () => this.requestUpdate());
    this.listen(document, 'visibilitychange', () => this.#again());
    this.listen(document, 'keydown', (key) => this.#pressed(/** @type {KeyboardEvent} */ (key)));
    this.#ask();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#list.stop();
    this.#asked = '';
  }

  // ---- which rows

  #ask() {
    const {query, page} = router.place;
    const [q, namespace, owner, state, mode] = FILTERS.map((name) => query.get(name) ?? '');
    const order = query.get('sort') ?? '';
    // By namespace is the order of names as well, only with headings.
    const filter = {q, namespace, owner, state, mode, order: order in ORDER_WORDS ? order : 'name'};
    const asked = JSON.stringify(filter);
    if (page === 'locks' && asked !== this.#asked) {
      const typed = this.#asked !== '' && q !== this.#list.filter.q;
      this.#asked = asked;
      this.#list.ask(filter, typed);
    }
    this.requestUpdate();
  }

  /** Only for somebody who looks, and wants it to change. */
  #again() {
    if (!document.hidden && session.stream.state !== 'paused') {
      this.#list.again();
    }
  }

  #changed() {
    if (this.#selected && !this.#list.locks.has(this.#selected)) {
      this.#selected = '';
    }
    this.requestUpdate();
  }

  #ticked() {
    if (session.stream.state !== 'paused') {
      this.#list.tick();
    }
    this.requestUpdate();
  }

  #scrolled() {
    if (scrollY < 4 && this.#hasNew) {
      this.#list.settle();
    } else if (this.#firstSeen() !== this.#first) {
      this.requestUpdate();
    }
  }

  get #hasNew() {
    return this.#list.fresh.size > 0 || this.#list.crowd;
  }

  get #order() {
    const order = router.place.query.get('sort') ?? '';
    return ORDERS.some(([value]) => value === order) ? order : '';
  }

  get #isGrouped() {
    return this.#order === '' && this.#list.filter.namespace === '';
  }

  /** Where each line is; made anew only when rows came or went. */
  #layOut() {
    const {rows} = this.#list;
    const grouped = this.#isGrouped;
    const height = rowHeight();
    const of = [rows, rows.length, grouped, height];
    if (of.every((it, i) => it === this.#madeOf[i])) {
      return;
    }
    this.#madeOf = of;
    this.#lines = [];
    let top = 0;
    let last = '';
    for (const id of rows) {
      const namespace = id.slice(0, id.indexOf('\n'));
      if (grouped && namespace !== last) {
        this.#lines.push({id: `\n${namespace}`, namespace, top});
        top += HEADING;
        last = namespace;
      }
      this.#lines.push({id, top});
      top += height;
    }
    this.#height = top;
  }

  // ---- selecting

  /** @param {KeyboardEvent} key */
  #pressed(key) {
    if (isTyping(key) || key.metaKey || key.ctrlKey || key.altKey) {
      return;
    }
    const inList = /** @type {HTMLElement} */ (key.target).getAttribute?.('role') === 'grid';
    const onLink = /** @type {HTMLElement} */ (key.target).closest?.('a, button');
    if (key.key === 'j' || (inList && key.key === 'ArrowDown')) {
      this.#step(1);
    } else if (key.key === 'k' || (inList && key.key === 'ArrowUp')) {
      this.#step(-1);
    } else if (key.key === 'Enter' && this.#selected && !onLink) {
      router.go(lockHref(nameOf(this.#selected)));
    } else if (key.key === '.') {
      this.#list.settle();
    } else if (key.key === 'Escape' && this.#selected) {
      this.#select('');
    } else {
      return;
    }
    key.preventDefault();
  }

  /** @param {number} by */
  #step(by) {
    const {rows} = this.#list;
    const at = rows.indexOf(this.#selected);
    const next = Math.min(rows.length - 1, Math.max(0, at < 0 ? 0 : at + by));
    if (rows.length > 0) {
      this.#select(rows[next]);
      this.#reveal(rows[next]);
    }
  }

  /** @param {string} id */
  #select(id) {
    this.#selected = id;
    clearTimeout(this.#historyTimer);
    if (id && this.#history?.id !== id) {
      this.#historyTimer = window.setTimeout(() => this.#readHistory(id), PREVIEW_AFTER_MS);
    }
    this.requestUpdate();
  }

  /** @param {string} id */
  async #readHistory(id) {
    const page = await session.api.get('/v2/history', {...nameOf(id), limit: HISTORY_FOR_PREVIEW}).catch(() => null);
    if (page && this.#selected === id) {
      this.#history = {id, events: page.items};
      this.requestUpdate();
    }
  }

  /** @param {string} id */
  #reveal(id) {
    const line = this.#lines.find((it) => it.id === id);
    if (!line) {
      return;
    }
    const height = rowHeight();
    const top = this.#top() + line.top;
    if (top < scrollY + HEAD) {
      scrollTo({top: Math.max(0, top - HEAD)});
    } else if (top + height > scrollY + innerHeight) {
      scrollTo({top: top + height - innerHeight + 16});
    }
  }

  #top() {
    const body = this.querySelector('.rows');
    return body ? body.getBoundingClientRect().top + scrollY : 0;
  }

  #firstSeen() {
    const from = scrollY - this.#top();
    let [low, high] = [0, this.#lines.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#lines[middle].top < from) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return Math.max(0, low - 1 - SPARE);
  }

  // ---- showing

  render() {
    const list = this.#list;
    this.#layOut();
    return html`
      <h1 class="sentence">${this.#sentence()}</h1>
      ${this.#filters()}
      ${list.problem ? problemBox(list.problem, list.complete ? 'What is shown is old: locks cannot be read now.' : 'Locks cannot be read.') : nothing}
      ${this.#hasNew ? html`<button class="fresh" @click=${() => list.settle()}>${list.crowd ? 'New locks' : counted(list.fresh.size, 'new lock')} <kbd>.</kbd></button>` : nothing}
      ${list.rows.length > 0 ? html`<div class="split ${this.#selected ? 'open' : ''}">${this.#grid()}${this.#preview()}</div>` : list.complete && !list.more ? this.#empty() : nothing}`;
  }

  #sentence() {
    const {complete, problem, total, totalComplete, rows, filter, more} = this.#list;
    if (!complete) {
      return problem ? 'Locks' : html`<span class="soft">Looking…</span>`;
    }
    const count = total ?? rows.length;
    const about = totalComplete && !(total === null && more) ? '' : 'More than ';
    if (filter.order !== 'name' && count > rows.length) {
      return `The ${rows.length} locks ${ORDER_WORDS[filter.order]} of ${about.toLowerCase()}${count.toLocaleString()}`;
    }
    return this.#isFiltered ? `${about}${counted(count, 'lock matches', 'locks match')}` : `${about}${counted(count, 'lock')} in use`;
  }

  get #isFiltered() {
    return FILTERS.some((name) => router.place.query.get(name));
  }

  #filters() {
    const {query} = router.place;
    const names = [...this.#list.names].sort();
    const namespace = query.get('namespace') ?? '';
    const owner = query.get('owner');
    const mode = query.get('mode');
    return html`<div class="filters" role="group" aria-label="Filters">
      <input type="search" placeholder="Filter by name, holder or reason" aria-label="Filter by name, holder or reason" spellcheck="false"
        .value=${live(query.get('q') ?? '')} @input=${(/** @type {InputEvent} */ typed) => router.refine({q: /** @type {HTMLInputElement} */ (typed.target).value})}>
      <select aria-label="Namespace" @change=${(/** @type {Event} */ it) => router.refine({namespace: /** @type {HTMLSelectElement} */ (it.target).value})}>
        <option value="" ?selected=${!namespace}>All namespaces</option>
        ${names.map((name) => html`<option value=${name} ?selected=${name === namespace}>${name}</option>`)}
        ${namespace && !names.includes(namespace) ? html`<option value=${namespace} selected>${namespace}</option>` : nothing}
      </select>
      ${chip('state', 'waiting', 'Waited for')}${chip('state', 'stale', 'Stale')}${chip('state', 'expiring', 'Ends soon')}
      ${chip('mode', 'shared', 'Shared')}${chip('mode', 'permit', 'Permits')}${mode === 'exclusive' ? chip('mode', 'exclusive', 'Exclusive') : nothing}
      ${owner ? html`<button class="chip" aria-pressed="true" aria-label=${`Only of ${owner}, remove`} @click=${() => router.refine({owner: ''})}>Of ${owner} ×</button>` : nothing}
      ${this.#isFiltered ? html`<button class="quiet" @click=${() => router.refine(Object.fromEntries(FILTERS.map((name) => [name, ''])))}>Clear</button>` : nothing}
      <span class="rest"></span>
      <select aria-label="Order" @change=${(/** @type {Event} */ it) => router.refine({sort: /** @type {HTMLSelectElement} */ (it.target).value})}>
        ${ORDERS.map(([value, words]) => html`<option value=${value} ?selected=${value === this.#order}>${words}</option>`)}
      </select>
    </div>`;
  }

  #grid() {
    const list = this.#list;
    const height = rowHeight();
    this.#first = this.#firstSeen();
    const count = Math.ceil(innerHeight / height) + 2 * SPARE;
    const seen = this.#lines.slice(this.#first, this.#first + count);
    list.see([...seen.map(({id}) => id), this.#selected]);
    if (list.more && this.#first + count + AHEAD > this.#lines.length) {
      queueMicrotask(() => list.loadMore());
    }
    const active = seen.findIndex(({id}) => id === this.#selected);
    return html`<div class="grid" role="grid" tabindex="0" aria-label="Locks in use" aria-rowcount=${list.more ? -1 : this.#lines.length + 1}
        aria-activedescendant=${active < 0 ? nothing : `row-${this.#first + active}`} @pointerenter=${() => (this.#pointer = true)} @pointerleave=${() => (this.#pointer = false)}>
      <div class="head" role="rowgroup"><div role="row" aria-rowindex="1">
        ${['Lock', 'Holder', 'Held for', 'Ends in', 'Waiting', 'Reason'].map((name) => html`<span role="columnheader">${name}</span>`)}
      </div></div>
      <div class="rows" role="rowgroup" .style=${`height:${this.#height + (list.more ? height : 0)}px`}>
        ${repeat(seen, ({id}) => id, (line, i) => line.namespace === undefined ? this.#row(line, this.#first + i) : this.#heading(line, this.#first + i))}
      </div>
    </div>`;
  }

  /** @param {Line} line @param {number} index */
  #heading({namespace, top}, index) {
    const count = this.#list.namespaces.get(namespace ?? '');
    return html`<div role="row" class="group" aria-rowindex=${index + 2} .style=${`top:${top}px`}>
      <span role="gridcell" aria-colspan="6"><b>${namespace}</b> ${count ? html`<span class="soft">${counted(count, 'lock')}</span>` : nothing}</span></div>`;
  }

  /** @param {Line} line @param {number} index */
  #row({id, top}, index) {
    const lock = /** @type {Lock} */ (this.#list.locks.get(id));
    const current = !this.#list.gone.has(id);
    const holder = lock.holders[0];
    const stale = current && lock.holders.some((it) => it.stale);
    return html`<div role="row" id="row-${index}" aria-rowindex=${index + 2} aria-selected=${id === this.#selected}
        class="row ${current ? '' : 'gone'} ${stale ? 'stale' : ''}" .style=${`top:${top}px`} @click=${() => this.#select(id)}>
      <span role="gridcell" class="c-lock">${lockLink(lock)}</span>
      <span role="gridcell" class="c-owner">${!current ? html`<span class="soft">free now</span>` : holder
        ? html`<span class="owner">${holder.owner}</span>${lock.holders.length > 1 ? html` <span class="soft">+${lock.holders.length - 1}</span>` : nothing} ${marks(holder)}`
        : html`<span class="soft">reserved for the first</span>`}</span>
      <span role="gridcell" class="c-held">${current && holder ? ageOf(holder.granted_at) : nothing}</span>
      <span role="gridcell" class="c-ends">${current && holder ? leaseLeft(holder) : nothing}</span>
      <span role="gridcell" class="c-wait">${current && lock.waiters.length > 0 ? html`<b>${lock.waiters.length}</b><span class="unit"> waiting</span>` : html`<span class="soft">–</span>`}</span>
      <span role="gridcell" class="c-why" title=${holder?.reason ?? ''}>${current ? (holder?.reason ?? '') : ''}</span>
    </div>`;
  }

  #preview() {
    const lock = this.#list.locks.get(this.#selected);
    if (!lock) {
      return nothing;
    }
    const history = this.#history?.id === this.#selected ? this.#history.events : null;
    return html`<aside class="preview" aria-label="Preview">
      <h2>${lockLink(lock)}</h2>
      ${this.#list.gone.has(this.#selected) ? html`<p>It is free now.</p>` : html`
      <p>${explain(lock, history)}</p>
      ${lock.holders.slice(0, 3).map((holder) => holderCard(holder))}
      ${lock.waiters.length > 0 ? html`<h3>Queue</h3>${queue(lock)}` : nothing}`}
      <p><a class="button" href=${lockHref(lock)}>Open <kbd>Enter</kbd></a>
        ${lock.holders[0] ? html`<button class="quiet" @click=${() => router.refine({owner: lock.holders[0].owner})}>Only of ${lock.holders[0].owner}</button>` : nothing}</p>
    </aside>`;
  }

  #empty() {
    return this.#isFiltered
      ? html`<div class="empty"><h2>No lock matches</h2><p>No lock in use matches.</p>
          <p><a class="button" href="/ui/locks">Show all</a></p></div>`
      : emptyState('No lock is in use', 'A lock is listed here while somebody holds it or waits for it.', `holdfast exec --server ${location.origin} nightly-report -- sleep 60`);
  }
}

/** @param {string} name @param {string} value @param {string} words */
function chip(name, value, words) {
  const on = router.place.query.get(name) === value;
  return html`<button class="chip" aria-pressed=${on} @click=${() => router.refine({[name]: on ? '' : value})}>${words}</button>`;
}

function rowHeight() {
  return NARROW.matches ? ROW_NARROW : ROW;
}

customElements.define('hf-locks', LocksPage);
