// One lock: who has it and why, who waits, what happened, and what can be done.

import {html, nothing, svg} from 'lit-html';
import {repeat} from 'lit-html/directives/repeat.js';
import {Part, copy, copyMenu, eventLine, problemBox, ticks} from './parts.js';
import {holderCard, queue} from './lock-parts.js';
import {explain, pastHolds} from './explain.js';
import {router} from './router.js';
import {session} from './session.js';
import {Regular} from './regular.js';
import {ApiProblem} from './api.js';
import {age, clock, exact, now, setServerTime} from './time.js';
import {copies, idOf, keyText} from './keys.js';
import './force.js';

/** @typedef {import('./types').Lock} Lock */
/** @typedef {import('./types').Holder} Holder */
/** @typedef {import('./types').LockEvent} LockEvent */

const EVERY_MS = 3_000;
/** Between two readings, however much happens. */
const SOON_MS = 500;
const HISTORY = 200;
const LISTED = 30;
const MOST_BEATS = 200;
/** Beyond what is listed; a lock that is busy for days does not fill the memory of who leaves it open. */
const MOST_UNLISTED = 1_000;

class LockPage extends Part {
  /** @type {Lock | null} */
  #lock = null;
  /** @type {LockEvent[] | null} */
  #history = null;
  #more = '';
  /** Why older events could not be read. @type {ApiProblem | null} */
  #unread = null;
  #listed = LISTED;
  /** @type {ApiProblem | null} */
  #problem = null;
  /** Heartbeats that were seen, by token. @type {Map<number, string[]>} */
  #beats = new Map();
  /** Renewals are no events. */
  #regular = new Regular(() => this.#read(this.#changed || this.#problem !== null), EVERY_MS, SOON_MS, () => this.#watched !== null);
  /** Whether something happened since it was read. */
  #changed = false;
  #asked = '';
  /** Who held it when it was last told; null if nobody watches. @type {string | null} */
  #watched = null;

  connectedCallback() {
    super.connectedCallback();
    this.listen(session, 'change', () => this.#begin());
    this.listen(session, 'again', () => this.#read(true));
    this.listen(router, 'change', () => this.#begin());
    this.listen(session.stream, 'events', (told) => this.#happened(/** @type {CustomEvent} */ (told).detail));
    this.listen(ticks, 'tick');
    this.listen(this, 'forced', () => this.#read(true));
    this.listen(window, 'focus', () => this.#untitle());
    this.#begin();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#regular.stop();
    this.#untitle();
  }

  get #name() {
    const {query} = router.place;
    return {namespace: query.get('namespace') ?? '', name: query.get('name') ?? ''};
  }

  #begin() {
    const id = idOf(this.#name);
    if (id === this.#asked || !session.caller || router.place.page !== 'lock') {
      return;
    }
    this.#asked = id;
    this.#lock = session.locks.get(this.#name) ?? null; // if a page before needed them all
    this.#watched = null;
    this.#history = null;
    this.#more = '';
    this.#problem = null;
    this.#unread = null;
    this.#listed = LISTED;
    this.#beats = new Map();
    this.closeDialogs();
    this.requestUpdate();
    this.#read(true);
  }

  /** @param {boolean} history whether something may have happened */
  async #read(history) {
    const reading = this.#regular.began();
    this.#changed = false;
    const asked = this.#asked;
    try {
      const [lock, page] = await Promise.all([
        session.api.get('/v2/lock', this.#name),
        history ? session.api.get('/v2/history', {...this.#name, limit: HISTORY}) : null,
      ]);
      if (asked !== this.#asked || !this.#regular.isNews(reading)) {
        return;
      }
      setServerTime(lock.server_time);
      this.#lock = lock;
      this.#watch(lock);
      this.#problem = null;
      if (page) {
        this.#take(page);
      }
      this.#see(lock);
      session.locks.learned(lock);
    } catch (failure) {
      if (!(failure instanceof ApiProblem)) {
        throw failure;
      }
      if (asked !== this.#asked) {
        return;
      }
      this.#problem = failure;
    }
    this.requestUpdate();
    if (this.isConnected) {
      this.#regular.next();
    }
  }

  /**
   * What is new, above what was read before: what somebody asked for stays.
   * @param {{items: LockEvent[], next_cursor: string | null}} page the newest
   */
  #take({items, next_cursor: next}) {
    const known = this.#history ?? [];
    const ids = new Set(items.map((event) => event.event_id));
    const older = known.filter((event) => !ids.has(event.event_id));
    const meets = older.length < known.length;
    if (next && meets && this.#listed > items.length && older.length + items.length <= this.#listed + MOST_UNLISTED) {
      this.#history = [...items, ...older];
    } else {
      this.#history = items;
      this.#more = next ?? '';
    }
  }

  /** Renewals are no events: what is seen of them is remembered. @param {Lock} lock */
  #see(lock) {
    for (const holder of lock.holders) {
      const seen = this.#beats.get(holder.fencing_token) ?? [];
      if (Date.parse(holder.renewed_at) > Date.parse(holder.granted_at) && !seen.includes(holder.renewed_at)) {
        this.#beats.set(holder.fencing_token, [...seen, holder.renewed_at].slice(-MOST_BEATS));
      }
    }
  }

  /** @param {LockEvent[]} events */
  #happened(events) {
    if (events.some((event) => idOf(event) === this.#asked)) {
      this.#changed = true;
      this.#regular.soon();
    }
  }

  // ---- watching

  #toggleWatch() {
    if (this.#watched !== null || !this.#lock) {
      this.#watched = null;
    } else {
      this.#watched = holdersOf(this.#lock);
      // Asked only now, when it is clear what for. Without it there are still the title of the tab and a word on the page.
      if ('Notification' in window && Notification.permission === 'default') {
        Notification.requestPermission().catch(() => {});
      }
    }
    this.requestUpdate();
  }

  /** @param {Lock} lock */
  #watch(lock) {
    const holders = holdersOf(lock);
    if (this.#watched === null || this.#watched === holders) {
      return;
    }
    this.#watched = holders;
    const who = lock.holders.map(({owner}) => `'${owner}'`).join(', ');
    const words = lock.holders.length > 0 ? `${keyText(lock)} is held by ${who} now` : `${keyText(lock)} is free`;
    document.dispatchEvent(new CustomEvent('hf-said', {detail: words}));
    if (!document.hasFocus()) {
      this.#titled ||= document.title;
      document.title = `● ${words}`;
    }
    if (document.hidden && 'Notification' in window && Notification.permission === 'granted') {
      new Notification(words, {tag: this.#asked});
    }
  }

  #titled = '';

  #untitle() {
    if (this.#titled) {
      document.title = this.#titled;
      this.#titled = '';
    }
  }

  async #showMore() {
    const [asked, more] = [this.#asked, this.#more];
    if (this.#listed >= (this.#history ?? []).length && more) {
      /** @type {ApiProblem | null} */
      let problem = null;
      let page = null;
      try {
        page = await session.api.get('/v2/history', {...this.#name, limit: HISTORY, cursor: more});
      } catch (failure) {
        if (!(failure instanceof ApiProblem)) {
          throw failure;
        }
        problem = failure;
      }
      if (asked !== this.#asked || more !== this.#more) {
        return; // another lock, or the list was read anew meanwhile
      }
      this.#unread = problem;
      if (!page) {
        this.requestUpdate();
        return;
      }
      this.#history = [...(this.#history ?? []), ...page.items];
      this.#more = page.next_cursor ?? '';
    }
    this.#listed += LISTED;
    this.requestUpdate();
  }

  render() {
    const name = this.#name;
    const lock = this.#lock;
    return html`
      <div class="title"><h1 class="mono">${keyText(name)}</h1><span class="rest"></span>
        <button aria-pressed=${this.#watched !== null} class="chip" title="Notifies you when it changes hands or comes free" @click=${this.#toggleWatch}>${this.#watched === null ? 'Watch' : 'Watching'}</button>
        ${copyMenu(copies(name, location.origin))}</div>
      ${this.#problem ? problemBox(this.#problem, lock ? 'What is shown is old.' : 'This lock cannot be read.') : nothing}
      ${lock ? html`<p class="sentence ${lock.holders.some((holder) => holder.stale) ? 'warned' : ''}">${explain(lock, this.#history)}</p>
      <div class="columns lock">
        <div>
          <section aria-labelledby="holders"><h2 id="holders">${lock.holders.length > 1 ? `Holders ${lock.holders.length}` : 'Holder'}</h2>
            ${lock.holders.length > 0
              ? repeat(lock.holders, (holder) => holder.fencing_token, (holder) => holderCard(holder, this.#acts(lock, holder), this.#beats.get(holder.fencing_token) ?? []))
              : freeToTake(name)}
          </section>
        </div>
        <div>
          <section aria-labelledby="queue"><h2 id="queue">Queue</h2>${queue(lock)}</section>
          ${this.#statistics(lock)}
        </div>
      </div>
      <section aria-labelledby="history"><h2 id="history">History</h2>${this.#past()}</section>` : nothing}
      <hf-force></hf-force>`;
  }

  /** @param {Lock} lock @param {Holder} holder */
  #acts(lock, holder) {
    return session.mayForce(lock)
      ? html`<button class="danger outline" @click=${() => /** @type {any} */ (this.querySelector('hf-force')).show(lock, holder)}>Force unlock…</button>`
      : nothing;
  }

  /** @param {Lock} lock */
  #statistics(lock) {
    if (!this.#history) {
      return nothing;
    }
    const past = pastHolds(this.#history);
    const waits = this.#history.filter((event) => event.event === 'lock.acquired' && (event.waited_ms ?? 0) > 0).map((event) => event.waited_ms ?? 0).sort((a, b) => a - b);
    return html`<section aria-labelledby="usual"><h2 id="usual">Usually</h2>
      <dl class="facts">
        <div><dt>Held (p50)</dt><dd>${past.finished.length ? age(past.median) : '–'}</dd></div>
        <div><dt>Held (p95)</dt><dd>${past.finished.length ? age(past.p95) : '–'}</dd></div>
        <div><dt>Waited (p50)</dt><dd>${waits.length ? age(waits[Math.floor(waits.length / 2)]) : '–'}</dd></div>
        <div><dt>Waited (p95)</dt><dd>${waits.length ? age(waits[Math.min(waits.length - 1, Math.floor(waits.length * 0.95))]) : '–'}</dd></div>
        <div><dt>Latest token</dt><dd class="mono">${lock.latest_token}</dd></div>
      </dl></section>`;
  }

  #past() {
    const history = this.#history;
    if (!history) {
      return html`<p class="soft">Looking…</p>`;
    }
    if (history.length === 0) {
      return html`<p class="soft">Nothing is recorded about it.</p>`;
    }
    return html`${strip(history)}
      <ol class="events">${repeat(history.slice(0, this.#listed), (event) => event.event_id, (event) => eventLine(event, false))}</ol>
      ${this.#unread ? problemBox(this.#unread, 'Older events cannot be read.') : nothing}
      ${history.length > this.#listed || this.#more ? html`<button @click=${() => this.#showMore()}>Show more</button>` : nothing}`;
  }
}

/** Each grant has a token of its own. @param {Lock} lock */
function holdersOf(lock) {
  return lock.holders.map((holder) => holder.fencing_token).join(' ');
}

/** @param {import('./types').LockName} name */
function freeToTake(name) {
  const command = copies(name, location.origin)[3].text;
  return html`<p class="soft">Nobody holds it. To run something under it:</p>
    <p class="command"><code>${command}</code> <button class="quiet" @click=${() => copy(command)}>Copy</button></p>`;
}

const OUTCOMES = /** @type {Record<string, string>} */ ({
  'lock.released': 'given back',
  'lock.expired': 'expired',
  'lock.lost': 'lost',
  'lock.forced': 'ended by force',
});
/** As many holds as a strip can show apart. */
const STRIP_HOLDS = 60;

/**
 * Holds as bars in time, waits as thin lines before them.
 * @param {LockEvent[]} history newest first
 */
function strip(history) {
  /** @type {Map<string, {from: number, to: number, waited: number, how: string, owner: string}>} */
  const holds = new Map();
  for (const event of history) {
    const at = Date.parse(event.timestamp);
    if (event.event in OUTCOMES) {
      holds.set(event.lock_id, {from: at - (event.held_ms ?? 0), to: at, waited: 0, how: event.event.slice(5), owner: event.owner});
    } else if (event.event === 'lock.acquired') {
      const hold = holds.get(event.lock_id) ?? {from: at, to: now(), waited: 0, how: 'held', owner: event.owner};
      hold.waited = event.waited_ms ?? 0;
      holds.set(event.lock_id, hold);
    }
  }
  const shown = [...holds.values()].slice(0, STRIP_HOLDS);
  if (shown.length === 0) {
    return nothing;
  }
  const end = now();
  const start = Math.min(...shown.map((hold) => hold.from - hold.waited));
  const [width, height] = [1200, 36];
  /** @param {number} time */
  const x = (time) => ((time - start) / (end - start)) * width;
  return html`<figure class="strip">
    <svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label=${`The last ${shown.length} holds since ${clock(start)}`}>
      ${shown.map((hold) => svg`
        ${hold.waited > 0 ? svg`<line x1=${x(hold.from - hold.waited)} x2=${x(hold.from)} y1="33" y2="33" />` : nothing}
        <rect class=${hold.how} x=${x(hold.from)} width=${Math.max(2, x(hold.to) - x(hold.from) - 1)} y="6" height="24" rx="2">
          <title>${`${hold.owner}: ${age(hold.to - hold.from)}, ${OUTCOMES[`lock.${hold.how}`] ?? 'holds it now'}\n${exact(new Date(hold.from).toISOString())}`}</title></rect>`)}
    </svg>
    <figcaption class="soft"><span>${clock(start)}</span><span class="legend"><i class="released"></i>given back <i class="expired"></i>expired <i class="forced"></i>forced or lost <i class="held"></i>held now</span><span>now</span></figcaption>
  </figure>`;
}

customElements.define('hf-lock', LockPage);
