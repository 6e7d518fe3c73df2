// All locks that are held or waited for, for pages that need them all: read once, then kept up to date as events tell what changed. Only
// while somebody listens to 'change'; a page that shows a part of them asks the server for that part.
//
// An event tells that something happened to a lock, not how it stands now, and renewals are no events. So a lock that an event names
// is read again, and all of them are read again from time to time. Whatever happens, requests stay bounded.

import {idOf} from './keys.js';
import {setServerTime} from './time.js';
import {ApiProblem} from './api.js';

/** @typedef {import('./types').Lock} Lock */
/** @typedef {import('./types').LockEvent} LockEvent */
/** @typedef {import('./types').LockName} LockName */

const PAGE = 1000;
/** Locks beyond this are counted by nobody at a glance; the page says that there are more. */
const MOST = 20_000;
/** So many single locks are read at a time; if more changed, all of them are read again. */
const MOST_SINGLE = 16;
/** Changes within this time are read together. */
const GATHER_MS = 120;
/** Between two such rounds, however much changes. */
const ROUND_MS = 500;
/** While nothing happens all are read again so often, for renewals; rarer if there are many. */
const EVERY_MS = 5_000;
const EVERY_MANY_MS = 30_000;
const MANY = 500;

export class Locks extends EventTarget {
  /** @type {Map<string, Lock>} */
  all = new Map();
  /** Whether all have been read once. */
  complete = false;
  /** Whether there are more than can be shown. */
  truncated = false;
  /** Why they could not be read the last time. @type {ApiProblem | null} */
  problem = null;

  /** @type {import('./api.js').Api} */
  #api;
  /** @type {Map<string, LockName>} */
  #changed = new Map();
  #gathering = 0;
  /** Whether single locks are being read. */
  #round = false;
  #roundAt = 0;
  #timer = 0;
  #reading = false;
  #again = false;
  #lastRead = 0;
  #running = false;
  #paused = false;
  /** An answer for somebody who has left since is not for who is here now. */
  #run = 0;
  /** @type {Set<EventListenerOrEventListenerObject>} */
  #listeners = new Set();

  /** @param {import('./api.js').Api} api */
  constructor(api) {
    super();
    this.#api = api;
    document.addEventListener('visibilitychange', () => {
      if (!this.#paused && !document.hidden) {
        this.reload();
      }
    });
  }

  /**
   * Whoever wants to hear of changes needs the locks; without anybody they are not read.
   * @param {string} type
   * @param {EventListenerOrEventListenerObject | null} listener
   */
  addEventListener(type, listener) {
    super.addEventListener(type, listener);
    if (type === 'change' && listener) {
      this.#listeners.add(listener);
      if (!this.#running) {
        this.#running = true;
        this.reload(); // once also while it is paused: a page must not be empty
      }
    }
  }

  /** @param {string} type @param {EventListenerOrEventListenerObject | null} listener */
  removeEventListener(type, listener) {
    super.removeEventListener(type, listener);
    if (type === 'change' && listener && this.#listeners.delete(listener) && this.#listeners.size === 0) {
      this.#stop();
    }
  }

  /** Begins with nothing: who reads is another one. */
  forget() {
    this.#stop();
    this.#run += 1;
    this.all = new Map();
    this.complete = false;
    this.truncated = false;
    this.problem = null;
    this.#paused = false;
    this.#reading = false;
    this.#again = false;
    this.#round = false;
  }

  pause() {
    this.#paused = true;
    this.#rest();
  }

  resume() {
    this.#paused = false;
    this.reload();
  }

  #stop() {
    this.#running = false;
    this.#rest();
  }

  /** Nothing is read by itself any more. */
  #rest() {
    clearTimeout(this.#timer);
    clearTimeout(this.#gathering);
    this.#gathering = 0;
    this.#changed.clear();
  }

  /** @param {LockName} lock */
  get(lock) {
    return this.all.get(idOf(lock));
  }

  /** @param {LockEvent[]} events */
  happened(events) {
    if (!this.#running || this.#paused || document.hidden) {
      return; // all are read when somebody looks
    }
    for (const event of events) {
      if (event.event.startsWith('lock.')) {
        this.#changed.set(idOf(event), event);
      }
    }
    this.#gather();
  }

  /** One round at a time, and not at once after the last. */
  #gather() {
    if (this.#changed.size > 0 && !this.#gathering && !this.#round) {
      this.#gathering = window.setTimeout(() => this.#readChanged(), Math.max(GATHER_MS, this.#roundAt + ROUND_MS - Date.now()));
    }
  }

  /**
   * Somebody has read this lock; it is known here as well.
   * @param {Lock} lock
   */
  learned(lock) {
    if (!this.#running) {
      return;
    }
    this.#put(lock);
    this.#tell();
  }

  /** Reads all of them again, page by page; the first page is shown before the last has come. */
  async reload() {
    if (!this.#running) {
      return;
    }
    if (this.#reading) {
      this.#again = true;
      return;
    }
    this.#reading = true;
    clearTimeout(this.#timer);
    const run = this.#run;
    /** @type {unknown} */
    let failed = null;
    try {
      await this.#readAll(run);
    } catch (failure) {
      failed = failure;
    }
    if (run !== this.#run) {
      return;
    }
    this.#reading = false;
    this.#lastRead = Date.now();
    if (failed && !(failed instanceof ApiProblem)) {
      throw failed;
    }
    this.problem = /** @type {ApiProblem | null} */ (failed);
    this.#tell();
    this.#schedule();
  }

  /** @param {number} run */
  async #readAll(run) {
    /** @type {Map<string, Lock>} */
    const found = new Map();
    let cursor;
    do {
      const page = await this.#api.get('/v2/locks', {state: 'busy', limit: PAGE, cursor});
      if (run !== this.#run) {
        return;
      }
      for (const lock of page.items) {
        found.set(idOf(lock), lock);
      }
      if (page.items.length > 0) {
        setServerTime(page.items[0].server_time);
      }
      cursor = page.next_cursor;
      if (!this.complete) {
        this.all = new Map(found);
        this.#tell();
      }
    } while (cursor && found.size < MOST);
    this.truncated = Boolean(cursor);
    this.all = found;
    this.complete = true;
  }

  #schedule() {
    if (!this.#running || this.#paused) {
      return;
    }
    const rest = this.all.size > MANY ? EVERY_MANY_MS : EVERY_MS;
    const wait = this.#again ? Math.min(rest, 1_000) : rest;
    this.#again = false;
    this.#timer = window.setTimeout(() => {
      if (!document.hidden) {
        this.reload();
      }
    }, wait);
  }

  async #readChanged() {
    this.#gathering = 0;
    const names = [...this.#changed.values()];
    this.#changed.clear();
    if (names.length > MOST_SINGLE) {
      this.#reloadSoon();
      return;
    }
    const run = this.#run;
    this.#round = true;
    const answers = await Promise.allSettled(
      names.map(({namespace, name}) => this.#api.get('/v2/lock', {namespace, name})),
    );
    if (run !== this.#run) {
      return;
    }
    this.#round = false;
    this.#roundAt = Date.now();
    for (const answer of answers) {
      if (answer.status === 'fulfilled') {
        this.#put(answer.value);
      }
    }
    this.#tell();
    this.#gather();
  }

  /** A storm of changes costs one reading a while, however long it lasts. */
  #reloadSoon() {
    const rest = this.all.size > MANY ? 10_000 : 2_000;
    if (Date.now() - this.#lastRead > rest) {
      this.reload();
    } else {
      this.#again = true;
      if (!this.#reading) {
        clearTimeout(this.#timer);
        this.#timer = window.setTimeout(() => this.reload(), rest);
      }
    }
  }

  /** @param {Lock} lock */
  #put(lock) {
    const known = this.all.get(idOf(lock));
    if (known && Date.parse(known.server_time) > Date.parse(lock.server_time)) {
      return; // answers may overtake each other
    }
    if (lock.held || lock.waiters.length > 0) {
      this.all.set(idOf(lock), lock);
    } else {
      this.all.delete(idOf(lock));
    }
  }

  #tell() {
    this.dispatchEvent(new Event('change'));
  }
}
