// A list of locks as the server filters and orders it, page by page, and what changes in it while somebody looks.
//
// The order of rows is changed only by the reader: a lock that becomes free stays in its row, one that is new waits aside. An event
// tells that something happened to a lock, not how it stands now, so the lock is read again if its row is seen. Renewals are no events:
// a row that is seen is read again when its lease runs low. Whatever happens, requests stay bounded.

import {ApiProblem} from './api.js';
import {idOf, keyText} from './keys.js';
import {now, setServerTime} from './time.js';

/** @typedef {import('./types').Lock} Lock */
/** @typedef {import('./types').LockEvent} LockEvent */
/** @typedef {import('./types').LockFilter} LockFilter */
/** @typedef {import('./types').LockPage} LockPage */

/** The first page is small, for the first view. */
const FIRST = 100;
const PAGE = 250;
/** Where only the first ones in an order can be had. */
const ORDERED = 200;
/** A filter that finds little is followed through so many pages until somebody scrolls. */
const FOLLOWED = 10;
/** Locks read at a time, and between two such rounds. */
const ROUND = 16;
const ROUND_MS = 250;
/** New names that are looked at one by one; if there are more, only that there are new ones is said. */
const MOST_NEW = 32;
/** Between two readings of the list itself. */
const REST_MS = 3_000;
const COUNT_EVERY_MS = 15_000;
/** Typing goes on; only what stands still is asked for. */
const TYPED_MS = 150;

export class LockList extends EventTarget {
  /** What is shown, in order. @type {string[]} */
  rows = [];
  /** As they were last seen, also those that are free by now. @type {Map<string, Lock>} */
  locks = new Map();
  /** Rows whose lock is free by now. @type {Set<string>} */
  gone = new Set();
  /** Locks that match and are not shown yet. @type {Map<string, Lock>} */
  fresh = new Map();
  /** Whether there are new ones that were not looked at one by one. */
  crowd = false;
  /** How many match; null until it is known. @type {number | null} */
  total = null;
  totalComplete = true;
  /** How many match in each namespace. @type {Map<string, number>} */
  namespaces = new Map();
  /** All namespaces seen so far, to choose from. @type {Set<string>} */
  names = new Set();
  /** Whether the first page has come. */
  complete = false;
  /** Why it could not be read the last time. @type {ApiProblem | null} */
  problem = null;
  /** Asked by the owner of the list: whether rows may come and go by themselves now. */
  atRest = () => true;

  /** @type {import('./api.js').Api} */
  #api;
  /** @type {LockFilter} */
  #filter = {q: '', namespace: '', owner: '', state: '', mode: '', order: 'name'};
  #cursor = '';
  #run = 0;
  #loading = false;
  /** @type {Set<string>} */
  #seen = new Set();
  /** @type {Set<string>} */
  #due = new Set();
  /** Rows to be read again as soon as they are seen. @type {Set<string>} */
  #old = new Set();
  /** When each lock was read. @type {Map<string, number>} */
  #readAt = new Map();
  #round = 0;
  #reading = false;
  #asking = 0;
  #listedAt = 0;
  #countedAt = 0;
  #happened = false;
  #running = false;

  /** @param {import('./api.js').Api} api */
  constructor(api) {
    super();
    this.#api = api;
  }

  get filter() {
    return this.#filter;
  }

  /** Whether more rows can be had by scrolling. */
  get more() {
    return this.#cursor !== '';
  }

  /**
   * Shows what matches; answers to what was asked before are no longer wanted.
   * @param {LockFilter} filter
   * @param {boolean} typed whether more may be typed in a moment
   */
  ask(filter, typed = false) {
    this.#filter = filter;
    this.#running = true;
    this.#run += 1;
    clearTimeout(this.#asking);
    if (typed) {
      this.#asking = window.setTimeout(() => this.#begin(), TYPED_MS);
    } else {
      this.#begin();
    }
  }

  stop() {
    this.#running = false;
    this.#run += 1;
    clearTimeout(this.#asking);
    clearTimeout(this.#round);
    this.#round = 0;
  }

  /** @param {string} cursor @param {number} limit @param {boolean} count @returns {Promise<LockPage>} */
  #page(cursor, limit, count) {
    const {q, namespace, owner, state, mode, order} = this.#filter;
    return this.#api.get('/v2/locks', {
      q: q.trim(), namespace, owner, mode, cursor, limit,
      state: state || 'busy',
      order: order === 'name' ? undefined : order,
      count: count ? 'true' : undefined,
    });
  }

  /** The list from its beginning; what is shown stays until the answer has come, and what was asked for before is no longer wanted. */
  async #begin() {
    this.#run += 1;
    const run = this.#run;
    const ordered = this.#filter.order !== 'name';
    this.#listedAt = Date.now();
    this.#happened = false;
    this.#old = new Set(); // not later: what happens until the answer comes may not be in it
    this.#due = new Set();
    try {
      const page = await this.#page('', ordered ? ORDERED : FIRST, true);
      if (run !== this.#run) {
        return;
      }
      this.rows = [];
      this.locks = new Map();
      this.gone = new Set();
      this.fresh = new Map();
      this.crowd = false;
      this.#readAt = new Map();
      this.complete = true;
      this.#take(page);
      this.#count(page);
      this.problem = null;
    } catch (failure) {
      this.#failed(failure, run);
    }
    this.#listedAt = Date.now();
    this.#tell();
    if (this.rows.length < FIRST && this.more && run === this.#run) {
      await this.loadMore();
    }
  }

  /** The next page; with a filter that finds little, the next few. */
  async loadMore() {
    if (this.#loading || !this.more || this.problem) {
      return;
    }
    this.#loading = true;
    const run = this.#run;
    const wanted = this.rows.length + FIRST;
    try {
      for (let pages = 0; pages < FOLLOWED && this.more && this.rows.length < wanted; pages += 1) {
        const page = await this.#page(this.#cursor, PAGE, false);
        if (run !== this.#run) {
          return;
        }
        this.#take(page);
      }
    } catch (failure) {
      this.#failed(failure, run);
    } finally {
      this.#loading = false;
    }
    this.#tell();
  }

  /** @param {LockPage} page */
  #take(page) {
    for (const lock of page.items) {
      const id = idOf(lock);
      if (!this.locks.has(id)) {
        this.rows.push(id);
      }
      this.fresh.delete(id);
      this.#put(id, lock);
    }
    if (page.items.length > 0) {
      setServerTime(page.items[0].server_time);
    }
    this.#cursor = page.next_cursor ?? '';
  }

  /** @param {LockPage} page */
  #count(page) {
    this.total = page.total ?? null;
    this.totalComplete = page.total_complete ?? true;
    this.namespaces = new Map((page.namespaces ?? []).map(({namespace, locks}) => [namespace, locks]));
    for (const namespace of this.namespaces.keys()) {
      this.names.add(namespace);
    }
    this.#countedAt = Date.now();
  }

  /** @param {string} id @param {Lock} lock */
  #put(id, lock) {
    const known = this.locks.get(id);
    if (known && Date.parse(known.server_time) > Date.parse(lock.server_time)) {
      return; // answers may overtake each other
    }
    if (isBusy(lock)) {
      this.locks.set(id, lock);
      this.gone.delete(id);
    } else {
      this.gone.add(id); // as it was: that is what the row was about
    }
    this.#readAt.set(id, Date.now());
  }

  /** Lets in what is new and takes out what is free, in order. */
  settle() {
    if (this.crowd || this.#filter.order !== 'name') {
      this.#begin();
      return;
    }
    const before = this.rows.length;
    const rows = this.rows.filter((id) => !this.gone.has(id) && matches(/** @type {Lock} */ (this.locks.get(id)), this.#filter));
    const kept = new Set(rows);
    this.rows.filter((id) => !kept.has(id)).forEach((id) => this.#counts(id, -1));
    if (this.fresh.size > 0) {
      for (const [id, lock] of this.fresh) {
        this.locks.set(id, lock);
        this.#counts(id, 1);
      }
      rows.push(...this.fresh.keys());
      rows.sort(byKey);
    }
    this.total = this.total === null ? null : Math.max(0, this.total + rows.length - before);
    this.rows = rows;
    this.gone = new Set();
    this.fresh = new Map();
    this.locks = new Map(rows.map((id) => [id, /** @type {Lock} */ (this.locks.get(id))]));
    this.#readAt = new Map([...this.#readAt].filter(([id]) => this.locks.has(id)));
    this.#old = new Set([...this.#old].filter((id) => this.locks.has(id)));
    this.#tell();
  }

  /** @param {string} id @param {number} by */
  #counts(id, by) {
    const namespace = id.slice(0, id.indexOf('\n'));
    this.names.add(namespace);
    const count = (this.namespaces.get(namespace) ?? 0) + by;
    if (count > 0) {
      this.namespaces.set(namespace, count);
    } else {
      this.namespaces.delete(namespace);
    }
  }

  // ---- what changes

  /** These rows are on the screen now. @param {Iterable<string>} ids */
  see(ids) {
    this.#seen = new Set(ids);
    for (const id of this.#seen) {
      if (this.#old.delete(id)) {
        this.#want(id);
      }
    }
  }

  /** @param {LockEvent[]} events */
  happened(events) {
    if (!this.#running || !this.complete || document.hidden) {
      return; // all are looked at again when somebody looks
    }
    this.#happened = true;
    for (const event of events) {
      if (event.event.startsWith('lock.')) {
        this.#touch(event);
      }
    }
  }

  /** @param {LockEvent} event */
  #touch(event) {
    const id = idOf(event);
    if (this.locks.has(id)) {
      if (this.#seen.has(id)) {
        this.#want(id);
      } else {
        this.#old.add(id);
      }
    } else if (this.fresh.has(id)) {
      this.#want(id);
    } else if ((event.event === 'lock.acquired' || event.event === 'lock.queued') && this.#mayBeNew(event, id)) {
      if (this.#due.size < MOST_NEW && this.fresh.size < MOST_NEW) {
        this.#want(id);
      } else {
        this.crowd = true;
      }
    }
  }

  /** Behind the last row that was loaded it comes with its page. @param {LockEvent} event @param {string} id */
  #mayBeNew(event, id) {
    const {namespace, order} = this.#filter;
    if (namespace && event.namespace !== namespace) {
      return false;
    }
    const last = this.rows[this.rows.length - 1];
    return order !== 'name' || !this.more || last === undefined || byKey(id, last) < 0;
  }

  /** @param {string} id */
  #want(id) {
    this.#due.add(id);
    if (!this.#round && !this.#reading && this.#running) {
      this.#round = window.setTimeout(() => this.#readDue(), ROUND_MS / 2);
    }
  }

  /** Called once a second while somebody looks: leases that run low, and what was put off. */
  tick() {
    const time = Date.now();
    if (this.#running && this.problem && time - this.#listedAt > REST_MS) {
      this.#recover();
    }
    if (!this.#running || !this.complete || this.problem) {
      return;
    }
    for (const id of this.#seen) {
      const lock = this.locks.get(id);
      if (lock && !this.gone.has(id) && isLow(lock, time - (this.#readAt.get(id) ?? 0))) {
        this.#want(id);
      }
    }
    if (this.crowd && this.atRest() && time - this.#listedAt > REST_MS) {
      this.#begin();
    } else if (this.#happened && time - this.#countedAt > COUNT_EVERY_MS) {
      this.#countAgain();
    }
  }

  /** After a failure: everything that is seen may be old. */
  async #recover() {
    if (this.atRest() || !this.complete) {
      await this.#begin();
      return;
    }
    this.#listedAt = Date.now();
    await this.#compare();
  }

  /** Everything may have changed: at rest the list begins anew, otherwise rows stay and are looked at again when they are seen. */
  again() {
    if (!this.#running) {
      return;
    }
    if (this.atRest() || !this.complete) {
      this.#begin();
    } else {
      this.#compare();
    }
  }

  /** What the list would begin with now: rows change, what is new is announced, and what lies further down is looked at when it is seen. */
  async #compare() {
    const run = this.#run;
    const ordered = this.#filter.order !== 'name';
    try {
      const page = await this.#page('', ordered ? ORDERED : FIRST, true);
      if (run !== this.#run) {
        return;
      }
      this.#count(page);
      this.problem = null;
      const found = new Set(page.items.map(idOf));
      page.items.forEach((lock) => this.#learn(idOf(lock), lock));
      this.rows.filter((id) => !found.has(id)).forEach((id) => this.#old.add(id));
      this.crowd ||= !ordered && this.rows.length > FIRST;
      this.see(this.#seen);
    } catch (failure) {
      this.#failed(failure, run);
    }
    this.#tell();
  }

  async #countAgain() {
    const run = this.#run;
    this.#happened = false;
    this.#countedAt = Date.now();
    try {
      const page = await this.#page('', 1, true);
      if (run === this.#run) {
        this.#count(page);
        this.problem = null;
        this.#tell();
      }
    } catch (failure) {
      this.#failed(failure, run);
      this.#tell();
    }
  }

  async #readDue() {
    this.#round = 0;
    const ids = [...this.#due].slice(0, ROUND);
    ids.forEach((id) => this.#due.delete(id));
    if (ids.length === 0) {
      return;
    }
    this.#reading = true;
    const run = this.#run;
    const answers = await Promise.allSettled(ids.map((id) => this.#api.get('/v2/lock', nameOf(id))));
    this.#reading = false;
    if (this.#due.size > 0 && this.#running) {
      this.#round = window.setTimeout(() => this.#readDue(), ROUND_MS);
    }
    if (run !== this.#run) {
      return;
    }
    answers.forEach((answer, i) => {
      if (answer.status === 'fulfilled') {
        this.#learn(ids[i], answer.value);
      } else {
        this.#failed(answer.reason, run);
      }
    });
    if ((this.fresh.size > 0 || this.gone.size > 0) && !this.crowd && this.#filter.order === 'name' && this.atRest()) {
      this.settle();
    } else {
      this.#tell();
    }
  }

  /** @param {string} id @param {Lock} lock */
  #learn(id, lock) {
    setServerTime(lock.server_time);
    if (this.locks.has(id)) {
      this.#put(id, lock);
    } else if (isBusy(lock) && matches(lock, this.#filter)) {
      if (this.#filter.order === 'name') {
        this.fresh.set(id, lock);
      } else {
        this.crowd = true;
      }
    } else {
      this.fresh.delete(id);
    }
  }

  /** @param {unknown} failure @param {number} run */
  #failed(failure, run) {
    if (!(failure instanceof ApiProblem)) {
      throw failure;
    }
    if (run === this.#run) {
      this.problem = failure;
      this.#listedAt = Date.now();
    }
  }

  #tell() {
    this.dispatchEvent(new Event('change'));
  }
}

/** @param {string} id */
export function nameOf(id) {
  const [namespace, name] = id.split('\n', 2);
  return {namespace, name};
}

/** @param {Lock} lock */
function isBusy(lock) {
  return lock.held || lock.waiters.length > 0;
}

/** By code, as stores order them. @param {string} a @param {string} b */
function byKey(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Whether a lease has run so low that it has probably been renewed meanwhile.
 * @param {Lock} lock
 * @param {number} readAgo in milliseconds
 */
function isLow(lock, readAgo) {
  return lock.holders.some((holder) => {
    if (!holder.expires_at) {
      return false;
    }
    const lease = Date.parse(holder.expires_at) - Date.parse(holder.renewed_at);
    return Date.parse(holder.expires_at) - now() < lease / 2 && readAgo > Math.max(2_000, lease / 6);
  });
}

/**
 * Whether the server would list it: what is new, or has changed, is not asked for again with the filter.
 * @param {Lock} lock
 * @param {LockFilter} filter
 */
export function matches(lock, filter) {
  const {holders, waiters} = lock;
  const words = filter.q.toLowerCase().split(/\s+/).filter(Boolean);
  const texts = words.length === 0 ? [] : [
    `${lock.namespace}:${lock.name}`, keyText(lock), ...holders.flatMap((it) => [it.owner, it.reason, ...(it.paths ?? [it.path])]), ...waiters.map((it) => it.owner),
  ].map((text) => text.toLowerCase());
  return (
    (!filter.namespace || lock.namespace === filter.namespace) &&
    (!filter.owner || holders.some((it) => it.owner === filter.owner) || waiters.some((it) => it.owner === filter.owner)) &&
    (!filter.mode || holders.some((it) => it.mode === filter.mode)) &&
    (filter.state !== 'waiting' || waiters.length > 0) &&
    (filter.state !== 'stale' || holders.some((it) => it.stale)) &&
    (filter.state !== 'expiring' || holders.some(endsSoon)) &&
    words.every((word) => texts.some((text) => text.includes(word)))
  );
}

/** Less than a quarter of the lease is left. @param {import('./types').Holder} holder */
function endsSoon(holder) {
  if (!holder.expires_at) {
    return false;
  }
  const end = Date.parse(holder.expires_at);
  return (end - now()) * 4 < end - Date.parse(holder.renewed_at);
}
