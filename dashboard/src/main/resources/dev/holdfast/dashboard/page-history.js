// What happened: found by kind, owner, actor, lock and time; opened for all that is known; carried away as a file.

import {html, nothing} from 'lit-html';
import {live} from 'lit-html/directives/live.js';
import {repeat} from 'lit-html/directives/repeat.js';
import {Part, copy, emptyState, isTyping, lockLink, problemBox, timeOf} from './parts.js';
import {router} from './router.js';
import {session} from './session.js';
import {ApiProblem, problemOf, withQuery} from './api.js';
import {COUNTED, KINDS, WORDS, isWanted, queryOf, toneOf} from './history-events.js';
import {download, exported} from './history-export.js';
import {age, clock, counted, exact, now} from './time.js';
import {keyText, shell} from './keys.js';

/** @typedef {import('./types').LockEvent} LockEvent */
/** @typedef {import('./types').HistoryFilter} HistoryFilter */

const PAGE = 100;
/** More rows than this nobody reads; a narrower time or a file helps further. */
const MOST = 3_000;
/** With rare things one answer may be empty though there are older ones: so many are asked for before the reader decides. */
const MOST_ASKED = 5;
/** New ones beyond this are only counted. */
const MOST_FRESH = 500;
/** Who types is waited for. */
const TYPING_MS = 350;
/** Around an event, on the timeline. */
const AROUND_MS = 5 * 60_000;

const TIMES = /** @type {[string, string, number][]} */ ([
  ['15m', 'Last 15 minutes', 15 * 60_000],
  ['1h', 'Last hour', 3_600_000],
  ['1d', 'Last day', 86_400_000],
  ['7d', 'Last 7 days', 7 * 86_400_000],
]);

class History extends Part {
  /** Newest first. @type {LockEvent[]} */
  #events = [];
  /** Happened since, and not shown yet; newest first. @type {LockEvent[]} */
  #fresh = [];
  #freshMore = false;
  #next = '';
  #loaded = false;
  #reading = false;
  /** @type {ApiProblem | null} */
  #problem = null;
  /** @type {Set<number>} */
  #open = new Set();
  /** What is asked for, as it was when it was asked: relative times stay where they were. */
  #filter = noFilter();
  #asked = '';
  #run = 0;
  #typing = 0;
  /** A namespace that is being typed. @type {string | null} */
  #naming = null;
  /** Whether the reader is choosing a time of their own. */
  #choosing = false;
  /** @type {{abort: AbortController, lines: number} | null} */
  #export = null;
  #exportSaid = '';
  /** @type {ApiProblem | null} */
  #exportProblem = null;

  connectedCallback() {
    super.connectedCallback();
    this.listen(session, 'change', () => this.#begin());
    this.listen(session, 'again', () => this.#readAgain());
    this.listen(router, 'change', () => this.#begin());
    this.listen(session.stream, 'events', (told) => this.#happened(/** @type {CustomEvent} */ (told).detail));
    this.listen(window, 'scroll', () => this.#scrolled());
    this.listen(document, 'keydown', (key) => this.#pressed(/** @type {KeyboardEvent} */ (key)));
    this.#begin();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#typing);
    this.#export?.abort.abort();
  }

  // ---- reading

  #begin() {
    if (!session.caller || router.place.page !== 'history' || this.#asked === `?${location.search}`) {
      return;
    }
    this.#asked = `?${location.search}`;
    this.#filter = filterOf(router.place.query);
    this.#choosing = Boolean(this.#filter.from || this.#filter.to) && !router.place.query.get('since');
    this.#open = new Set();
    this.#export?.abort.abort();
    this.#exportSaid = '';
    this.#exportProblem = null;
    this.#readFirst();
  }

  async #readFirst() {
    this.#run += 1;
    this.#fresh = [];
    this.#freshMore = true; // until the answer has come: what is shown may be followed by something that nobody told
    await this.#read('', (events, next) => {
      this.#events = events;
      this.#next = next;
      this.#fresh = this.#fresh.filter((event) => event.event_id > this.#newest);
      this.#freshMore = this.#fresh.length === MOST_FRESH;
      this.#loaded = true;
    });
  }

  /** The number of the newest event that is shown: below it, up to where the reader went, nothing is missing. */
  get #newest() {
    return this.#events[0]?.event_id ?? 0;
  }

  #readOlder() {
    return this.#read(this.#next, (events, next) => {
      this.#events = [...this.#events, ...events];
      this.#next = next;
    });
  }

  /** After a lost connection: what was missed is announced like what is new. Meanwhile the stream tells of the same, and of more. */
  async #readAgain() {
    if (!this.#asked || this.#filter.to) {
      return;
    }
    if (this.#problem) {
      this.#readFirst(); // what is shown is not what was asked for
      return;
    }
    const run = this.#run;
    const before = this.#fresh[0]?.event_id ?? this.#newest;
    const page = await session.api.get('/v2/history', {...queryOf(this.#filter), limit: PAGE}).catch(() => null);
    if (run !== this.#run) {
      return;
    }
    /** @type {LockEvent[]} */
    const items = page?.items ?? [];
    // Numbers that are smaller than those seen are those of another history.
    if (items.length > 0 && items[0].event_id < before) {
      this.#events = [];
      this.#readFirst();
      return;
    }
    const oldest = items[items.length - 1]?.event_id ?? Infinity;
    if (!page || (page.next_cursor && oldest > Math.max(before, this.#newest))) {
      this.#freshMore = true; // it does not reach back to what was known
    }
    this.#add(items);
    this.requestUpdate();
  }

  /**
   * Reads a page, or more answers until there is something to show.
   * @param {string} from where to go on
   * @param {(events: LockEvent[], next: string) => void} take
   */
  async #read(from, take) {
    const run = this.#run;
    this.#reading = true;
    this.requestUpdate();
    try {
      /** @type {LockEvent[]} */
      const events = [];
      let cursor = from;
      for (let asked = 0; asked === 0 || (cursor && events.length < PAGE / 2 && asked < MOST_ASKED); asked += 1) {
        const page = await session.api.get('/v2/history', {...queryOf(this.#filter), limit: PAGE, cursor});
        if (run !== this.#run) {
          return;
        }
        events.push(...page.items);
        cursor = page.next_cursor ?? '';
      }
      take(events, cursor);
      this.#problem = null;
    } catch (failure) {
      if (!(failure instanceof ApiProblem)) {
        throw failure;
      }
      if (run === this.#run) {
        this.#problem = failure;
      }
    } finally {
      if (run === this.#run) {
        this.#reading = false;
        this.requestUpdate();
      }
    }
  }

  /** @param {LockEvent[]} events oldest first */
  #happened(events) {
    if (this.#asked && !this.#filter.to) {
      this.#add(events.filter((event) => isWanted(event, this.#filter)));
    }
  }

  /** Each once, and in order, whoever tells of it. @param {LockEvent[]} events */
  #add(events) {
    const known = new Set(this.#fresh.map((event) => event.event_id));
    const more = events.filter((event) => event.event_id > this.#newest && !known.has(event.event_id));
    if (more.length === 0) {
      return;
    }
    this.#fresh = [...more, ...this.#fresh].sort((a, b) => b.event_id - a.event_id);
    if (this.#fresh.length > MOST_FRESH) {
      this.#fresh.length = MOST_FRESH;
      this.#freshMore = true;
    }
    this.requestUpdate();
  }

  /** Lets in what is new; if it was more than could be kept, the list begins anew. */
  #letIn() {
    if (this.#fresh.length === 0) {
      return;
    }
    if (this.#freshMore) {
      this.#readFirst();
    } else {
      this.#events = [...this.#fresh, ...this.#events].slice(0, MOST);
      this.#fresh = [];
    }
    this.requestUpdate();
  }

  #scrolled() {
    if (scrollY < 4) {
      this.#letIn();
    }
  }

  // ---- keys

  /** @param {KeyboardEvent} key */
  #pressed(key) {
    if (key.key === 'Escape') {
      this.querySelector('details[open]')?.removeAttribute('open');
      return;
    }
    if (isTyping(key) || key.metaKey || key.ctrlKey || key.altKey) {
      return;
    }
    const inTable = /** @type {HTMLElement} */ (key.target).closest?.('table');
    if (key.key === 'j' || (inTable && key.key === 'ArrowDown')) {
      this.#step(1);
    } else if (key.key === 'k' || (inTable && key.key === 'ArrowUp')) {
      this.#step(-1);
    } else if (key.key === '.') {
      this.#letIn();
    } else {
      return;
    }
    key.preventDefault();
  }

  /** The focus is the selection: Enter opens what has it. @param {number} by */
  #step(by) {
    const rows = [...this.querySelectorAll('button.opens')];
    const here = document.activeElement?.closest('tbody')?.querySelector('button.opens');
    const at = here ? rows.indexOf(here) : -1;
    const next = rows[Math.min(rows.length - 1, Math.max(0, at < 0 ? 0 : at + by))];
    if (next instanceof HTMLElement) {
      next.focus({preventScroll: true});
      next.scrollIntoView({block: 'nearest'});
    }
  }

  // ---- showing

  render() {
    if (!this.#loaded && !this.#problem) {
      return html`<h1 class="sentence soft">Looking…</h1>`; // then all at once: nothing moves when the rest comes
    }
    return html`
      <h1 class="sentence">${this.#sentence()}</h1>
      ${this.#filters()}
      ${this.#problem ? html`${problemBox(this.#problem, this.#loaded ? 'What is shown is old: the history cannot be read now.' : 'The history cannot be read.')}
        <p><button @click=${() => this.#readFirst()}>Try again</button></p>` : nothing}
      ${this.#exportProblem ? problemBox(this.#exportProblem, 'The file could not be made.') : nothing}
      ${this.#exportSaid ? html`<p class="small soft said-export" role="status">${this.#exportSaid}</p>` : nothing}
      ${this.#events.length > 0 ? html`${this.#table()}${this.#end()}` : this.#loaded && !this.#reading ? this.#empty() : nothing}`;
  }

  #sentence() {
    if (!this.#loaded) {
      return html`<span class="soft">Nothing is known.</span>`;
    }
    const events = this.#events;
    if (events.length === 0) {
      return this.#next ? 'No match in the newest events.' : isAny(this.#filter) ? 'Nothing has happened yet.' : 'No event matches.';
    }
    const counts = COUNTED.map(([event, words, tone]) => ({words, tone, count: events.filter((it) => it.event === event).length})).filter(({count}) => count > 0);
    const since = clock(events[events.length - 1].timestamp);
    const start = this.#next ? `The newest ${counted(events.length, 'event')}, since ${since}` : `${counted(events.length, 'event')}, the first ${since.includes(',') ? 'on' : 'at'} ${since}`;
    return html`${start}${counts.map(({words, tone, count}, i) => html`${i === 0 ? ': ' : ', '}<span class=${tone}>${count.toLocaleString()} ${words}</span>`)}.`;
  }

  #filters() {
    const {query} = router.place;
    const {namespace, name} = this.#filter;
    const names = [...new Set([...[...session.locks.all.values()].map((lock) => lock.namespace), ...this.#events.map((event) => event.namespace)])].sort();
    const since = query.get('since') ?? '';
    return html`<div class="filters history" role="group" aria-label="Filters">
      <input type="search" placeholder="Any namespace" aria-label="Namespace" list="namespaces" spellcheck="false" autocomplete="off" maxlength="64" .value=${live(this.#naming ?? namespace)}
        @input=${(/** @type {Event} */ it) => this.#named(valueOf(it), names)} @change=${(/** @type {Event} */ it) => this.#named(valueOf(it))}>
      <datalist id="namespaces">${names.map((one) => html`<option value=${one}></option>`)}</datalist>
      ${name
        ? html`<button class="chip" aria-pressed="true" @click=${() => router.refine({name: ''})}>Lock ${name} <span aria-hidden="true">×</span></button>`
        : this.#field('prefix', 'Name begins with')}
      ${this.#field('owner', 'Owner, or ci-*')}
      ${this.#field('actor', 'By, or admin-*')}
      <select aria-label="Time" @change=${(/** @type {Event} */ it) => this.#chose(valueOf(it))}>
        <option value="" ?selected=${!since && !this.#choosing}>Any time</option>
        ${TIMES.map(([value, words]) => html`<option value=${value} ?selected=${value === since}>${words}</option>`)}
        <option value="own" ?selected=${!since && this.#choosing}>From … to …</option>
      </select>
      <span class="rest"></span>
      ${isAny(this.#filter) ? nothing : html`<a class="button" href="/ui/history">Clear</a>`}
      ${this.#exportMenu()}
    </div>
    ${this.#choosing && !since ? html`<div class="filters history" role="group" aria-label="Time, in your zone">
      ${this.#time('from', 'From')}${this.#time('to', 'To')}<span class="soft small">in your zone, ${ZONE}</span>
    </div>` : nothing}
    ${this.#bar()}
    <div class="filters kinds" role="group" aria-label="Kinds">${KINDS.map((kind) => this.#kind(kind))}</div>`;
  }

  /** Half a namespace is none: what is typed counts when it is known, or finished. @param {string} typed @param {string[]} [known] */
  #named(typed, known) {
    const namespace = typed.trim();
    if (known && namespace && !known.includes(namespace)) {
      this.#naming = typed;
      return;
    }
    this.#naming = null;
    if (namespace !== this.#filter.namespace) {
      router.refine({namespace, name: ''});
    }
  }

  /** @param {'prefix' | 'owner' | 'actor'} name @param {string} words */
  #field(name, words) {
    return html`<input type="search" placeholder=${words} aria-label=${words} spellcheck="false" autocomplete="off" maxlength="512"
      .value=${live(this.#fieldText(name))} data-field=${name}
      @input=${() => this.#typed()} @change=${() => this.#typed(0)}>`;
  }

  /** What is being typed stays as it is; also a space at its end, which does not count. @param {'prefix' | 'owner' | 'actor'} name */
  #fieldText(name) {
    const typed = /** @type {HTMLInputElement | null} */ (this.querySelector(`input[data-field=${name}]`))?.value ?? '';
    return this.#typing || typed.trim() === this.#filter[name] ? typed : this.#filter[name];
  }

  #typed(wait = TYPING_MS) {
    clearTimeout(this.#typing);
    this.#typing = window.setTimeout(() => {
      this.#typing = 0;
      /** @type {Record<string, string>} */
      const values = {};
      for (const field of this.querySelectorAll('input[data-field]')) {
        values[/** @type {HTMLElement} */ (field).dataset.field ?? ''] = /** @type {HTMLInputElement} */ (field).value.trim();
      }
      router.refine(values);
    }, wait);
  }

  /** @param {'from' | 'to'} name @param {string} words */
  #time(name, words) {
    return html`<label class="small">${words} <input type="datetime-local" step="1" .value=${live(localOf(this.#filter[name]))}
      @change=${(/** @type {Event} */ it) => router.refine({[name]: isoOf(valueOf(it))})}></label>`;
  }

  /** @param {string} value */
  #chose(value) {
    if (value === 'own') {
      this.#choosing = true;
      const from = this.#filter.from || new Date(now() - 3_600_000).toISOString();
      router.refine({since: '', from});
    } else {
      router.refine({since: value, from: '', to: ''});
    }
  }

  /** @param {{words: string, events: string[]}} kind */
  #kind({words, events}) {
    const chosen = this.#filter.events;
    const on = events.some((event) => chosen.includes(event));
    const next = on ? chosen.filter((event) => !events.includes(event)) : [...chosen, ...events];
    return html`<button class="chip" aria-pressed=${on} @click=${() => router.refine({event: next.map((event) => event.replace(/^lock\./, '')).join(',')})}>${words}</button>`;
  }

  #exportMenu() {
    if (this.#export) {
      const {abort, lines} = this.#export;
      return html`<span class="small soft" role="status">${counted(lines, 'event')} so far</span><button @click=${() => abort.abort()}>Cancel</button>`;
    }
    const curl = `curl ${shell(location.origin + withQuery('/v2/history', {...queryOf(this.#filter), format: 'csv'}))}`;
    const entries = /** @type {[string, string, () => void][]} */ ([
      ['CSV', 'for spreadsheets; text that looks like a formula gets an apostrophe', () => this.#save('csv')],
      ['JSON lines', 'one object a line, with every field as it is', () => this.#save('jsonl')],
      ['Copy as curl', curl, () => copy(curl)],
    ]);
    return html`<details class="menu">
      <summary class="button">Export</summary>
      <ul>${entries.map(([words, note, act]) => html`<li><button @click=${(/** @type {Event} */ it) => {
        /** @type {HTMLElement} */ (it.target).closest('details')?.removeAttribute('open');
        act();
      }}><span>${words}</span><span class="soft">${note}</span></button></li>`)}</ul>
    </details>`;
  }

  /** @param {import('./history-export.js').Format} format */
  async #save(format) {
    const abort = new AbortController();
    this.#export = {abort, lines: 0};
    this.#exportSaid = '';
    this.#exportProblem = null;
    this.requestUpdate();
    try {
      const {blob, lines, whole} = await exported(queryOf(this.#filter), format, abort.signal, (count) => {
        this.#export = {abort, lines: count};
        this.requestUpdate();
      });
      download(blob, `holdfast-history-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.${format}`);
      this.#exportSaid = whole
        ? `The file has ${counted(lines, 'event')}: all that match.`
        : `The file has the newest ${counted(lines, 'event')}. There are older ones: choose a time to get them.`;
    } catch (failure) {
      const problem = problemOf(failure);
      if (problem instanceof ApiProblem) {
        this.#exportProblem = problem;
      } else if (!abort.signal.aborted) {
        throw problem;
      }
    } finally {
      this.#export = null;
      this.requestUpdate();
    }
  }

  /** Always there, so that nothing moves when something new is announced. */
  #bar() {
    const count = this.#fresh.length;
    return html`<div class="bar" role="status">${count > 0 ? html`<button class="fresh-events" @click=${() => this.#letIn()}>${counted(count, 'new event')}${this.#freshMore ? ' or more' : ''} <kbd>.</kbd></button>` : nothing}</div>`;
  }

  #table() {
    return html`<table class="log">
      <thead><tr>${[['Time', 'time'], ['What', 'what'], ['Lock', 'lock'], ['Owner', 'owner'], ['By', 'by'], ['Took', 'took'], ['Token', 'token'], ['Reason', 'why']]
        .map(([words, name]) => html`<th scope="col" class="h-${name}">${words}</th>`)}</tr></thead>
      ${repeat(this.#events, (event) => event.event_id, (event) => this.#row(event))}
    </table>`;
  }

  /** @param {LockEvent} event */
  #row(event) {
    const open = this.#open.has(event.event_id);
    const id = `facts-${event.event_id}`;
    return html`<tbody class="${toneOf(event)} ${open ? 'open' : ''}">
      <tr @click=${(/** @type {MouseEvent} */ click) => this.#clicked(click, event)}>
        <td class="h-time">${timeOf(event.timestamp)}</td>
        <td class="h-what"><button class="opens" aria-expanded=${open} aria-controls=${open ? id : nothing}><span class="dot" aria-hidden="true"></span>${WORDS[event.event] ?? event.event}</button></td>
        <td class="h-lock">${lockLink(event, event.path)}</td>
        <td class="h-owner" title=${event.owner}>${event.owner}</td>
        <td class="h-by" title=${event.actor}>${event.actor === event.owner ? html`<span class="soft" aria-label="the owner">–</span>` : event.actor}</td>
        <td class="h-took">${tookOf(event)}</td>
        <td class="h-token" title=${event.fencing_token ?? ''}>${event.fencing_token === null ? nothing : html`<span class="mono">${event.fencing_token}</span>`}</td>
        <td class="h-why" title=${event.reason ?? ''}>${event.reason ?? ''}</td>
      </tr>
      ${open ? html`<tr class="more" id=${id}><td colspan="8">${facts(event)}</td></tr>` : nothing}
    </tbody>`;
  }

  /** @param {MouseEvent} click @param {LockEvent} event */
  #clicked(click, event) {
    const target = /** @type {HTMLElement} */ (click.target);
    const selecting = getSelection()?.toString() ?? '';
    if (target.closest('a') || (selecting && !target.closest('button'))) {
      return;
    }
    if (!this.#open.delete(event.event_id)) {
      this.#open.add(event.event_id);
    }
    this.requestUpdate();
  }

  #end() {
    if (!this.#next) {
      return html`<p class="soft small end">That is all${isAny(this.#filter) ? '' : ' that matches'}.</p>`;
    }
    return this.#events.length >= MOST
      ? html`<p class="soft small end">More rows than anybody reads. Choose a time to look further back, or export them.</p>`
      : html`<p class="end"><button ?disabled=${this.#reading} @click=${() => this.#readOlder()}>${this.#reading ? 'Looking…' : 'Show older'}</button></p>`;
  }

  #empty() {
    if (this.#problem) {
      return nothing;
    }
    if (this.#next) {
      return html`<div class="empty"><h2>Nothing so far</h2><p>The newest events have been searched, and none matches. There are older ones.</p>
        <p><button @click=${() => this.#readOlder()}>Look further back</button></p></div>`;
    }
    return isAny(this.#filter)
      ? emptyState('Nothing has happened yet', 'Every grant, release and wait appears here as soon as it happens.', `holdfast exec --server ${location.origin} nightly-report -- sleep 60`)
      : html`<div class="empty"><h2>No event matches</h2><p>No event matches all of the filters.</p><p><a class="button" href="/ui/history">Show everything</a></p></div>`;
  }
}

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** @param {Event} changed */
function valueOf(changed) {
  return /** @type {HTMLInputElement | HTMLSelectElement} */ (changed.target).value;
}

/** @returns {HistoryFilter} */
function noFilter() {
  return {namespace: '', name: '', prefix: '', owner: '', actor: '', events: [], from: '', to: ''};
}

/** @param {URLSearchParams} query */
function filterOf(query) {
  const since = TIMES.find(([value]) => value === query.get('since'));
  const known = Object.keys(WORDS);
  const events = (query.get('event') ?? '').split(',').map((event) => (event.includes('.') ? event : `lock.${event}`)).filter((event) => known.includes(event));
  /** @param {string} name */
  const text = (name) => query.get(name) ?? '';
  return {
    namespace: text('namespace'), name: text('name'), prefix: text('prefix'), owner: text('owner'), actor: text('actor'), events,
    from: since ? new Date(now() - since[2]).toISOString() : timeText(text('from')),
    to: since ? '' : timeText(text('to')),
  };
}

/** @param {string} text of an address, which anybody may have written */
function timeText(text) {
  const time = Date.parse(text);
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
}

/** @param {HistoryFilter} filter */
function isAny(filter) {
  return Object.values(filter).every((value) => value.length === 0);
}

/** As a field for times has it: in the reader's zone. @param {string} iso */
function localOf(iso) {
  if (!iso) {
    return '';
  }
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** @param {string} local */
function isoOf(local) {
  return local ? new Date(local).toISOString() : '';
}

/** @param {LockEvent} event */
function tookOf(event) {
  if (event.held_ms !== null) {
    return html`<span class="soft">held</span> ${age(event.held_ms)}`;
  }
  return event.waited_ms ? html`<span class="soft">waited</span> ${age(event.waited_ms)}` : nothing;
}

/** Everything that is known, in the order of need. @param {LockEvent} event */
function facts(event) {
  const at = Date.parse(event.timestamp);
  const known = /** @type {[string, unknown, boolean?][]} */ ([
    ['Time', exact(event.timestamp).split('\n').join(' · ')],
    ['Event', html`<span class="mono">${event.event}</span> <span class="soft">number ${event.event_id}</span>`],
    ['Lock', html`<span class="mono">${keyText(event, event.path)}</span>`],
    ['Owner', event.owner],
    ['By', event.actor],
    ['Reason', event.reason],
    ['Waited', event.waited_ms === null ? '' : age(event.waited_ms)],
    ['Held', event.held_ms === null ? '' : age(event.held_ms)],
    ['Fencing token', event.fencing_token === null ? '' : html`<span class="mono">${event.fencing_token}</span>`],
    ['Lease', html`<span class="mono">${event.lock_id}</span> <span class="soft">a hash of its id</span>`],
    ['Request', event.request_id ? html`<span class="mono">${event.request_id}</span>` : ''],
  ]);
  const around = {from: new Date(at - AROUND_MS).toISOString(), to: new Date(at + AROUND_MS).toISOString()};
  return html`<div class="opened">
    <dl class="facts wide">${known.filter(([, value]) => value).map(([words, value]) => html`<div><dt>${words}</dt><dd>${value}</dd></div>`)}</dl>
    ${Object.keys(event.metadata).length > 0 ? html`<dl class="facts wide">${Object.entries(event.metadata).map(([name, value]) => html`<div><dt class="mono">${name}</dt><dd>${value}</dd></div>`)}</dl>` : nothing}
    <p class="acts"><a class="button" href=${withQuery('/ui/history', {namespace: event.namespace, name: event.name})}>Only this lock</a>
      ${event.owner ? html`<a class="button" href=${withQuery('/ui/history', {owner: event.owner})}>Only of ${event.owner}</a>` : nothing}
      ${event.actor !== event.owner ? html`<a class="button" href=${withQuery('/ui/history', {actor: event.actor})}>Only by ${event.actor}</a>` : nothing}
      <a class="button" href=${withQuery('/ui/timeline', around)}>Around then</a></p>
  </div>`;
}

customElements.define('hf-history', History);
