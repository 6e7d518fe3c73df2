// How everything stands, in one answer of the server, kept up to date while somebody looks at it.
//
// Events come by themselves and are shown at once; what they add up to is read again, however many there are, at most every two
// seconds. Renewals are no events, so it is also read now and then when nothing happens.

import {idOf} from './keys.js';
import {ApiProblem} from './api.js';
import {setServerTime} from './time.js';

/** @typedef {import('./types').Overview} Overview */
/** @typedef {import('./types').LockEvent} LockEvent */

/** Between two readings, whatever happens. */
export const REST_MS = 2_000;
/** What happens within this time is read together. */
const GATHER_MS = 250;
/** While nothing happens; rarer if there are many locks. */
const EVERY_MS = 5_000;
const EVERY_MANY_MS = 15_000;
const MANY = 500;
/** After a failure. */
const AGAIN_MS = 3_000;
const LATEST = 20;

export class OverviewReader extends EventTarget {
  /** @type {Overview | null} */
  answer = null;
  /** What has just happened, newest first. @type {LockEvent[]} */
  events = [];
  /** Why it could not be read the last time. @type {ApiProblem | null} */
  problem = null;

  /** @type {import('./api.js').Api} */
  #api;
  #timer = 0;
  #due = 0;
  #readAt = 0;
  #reading = false;
  #running = false;
  #anew = false;
  #paused = false;
  /** The newest event that was told: an answer that does not know it is a little old. */
  #newest = 0;
  /** An answer for somebody who has left since is not for who is here now. */
  #run = 0;

  /** @param {import('./api.js').Api} api */
  constructor(api) {
    super();
    this.#api = api;
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden && this.#running && !this.#paused) {
        this.#plan(0);
      }
    });
  }

  /** Somebody looks. Paused, it is still read once: a page must not be empty. */
  start() {
    this.#running = true;
    this.#read();
  }

  stop() {
    this.#running = false;
    clearTimeout(this.#timer);
    this.#due = 0;
  }

  pause() {
    this.#paused = true;
    clearTimeout(this.#timer);
    this.#due = 0;
  }

  resume() {
    this.#paused = false;
    if (this.#running) {
      this.#plan(0);
    }
  }

  /** Begins with nothing: who reads is another one. */
  forget() {
    this.stop();
    this.#run += 1;
    this.answer = null;
    this.events = [];
    this.problem = null;
    this.#newest = 0;
    this.#reading = false;
    this.#anew = false;
    this.#paused = false;
  }

  /**
   * Everything may have changed, the history too.
   * @param {number} [wait] in milliseconds
   */
  again(wait = 0) {
    this.#newest = 0;
    this.#anew = true;
    if (this.#running) {
      this.#plan(wait);
    }
  }

  /** @param {LockEvent[]} events oldest first, as they come */
  happened(events) {
    if (!this.#running || events.length === 0) {
      return;
    }
    this.#newest = Math.max(this.#newest, ...events.map((event) => event.event_id));
    if (document.hidden) {
      return; // it is read when somebody looks
    }
    this.#merge(events);
    this.#plan(Math.max(GATHER_MS, this.#readAt + REST_MS - Date.now()));
    this.dispatchEvent(new Event('change'));
  }

  /** @param {LockEvent[]} more */
  #merge(more) {
    const all = new Map([...this.events, ...more].map((event) => [event.event_id, event]));
    this.events = forPeople([...all.values()].sort((a, b) => b.event_id - a.event_id)).slice(0, LATEST);
  }

  /** Never later than was planned before. @param {number} wait */
  #plan(wait) {
    const due = Date.now() + wait;
    if (this.#due && this.#due <= due) {
      return;
    }
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = window.setTimeout(() => this.#read(), wait);
  }

  async #read() {
    clearTimeout(this.#timer);
    this.#due = 0;
    if (this.#reading || !this.#running || document.hidden) {
      return; // it goes on when that answer has come, or when somebody looks
    }
    this.#reading = true;
    const run = this.#run;
    try {
      const answer = /** @type {Overview} */ (await this.#api.get('/v2/overview'));
      if (run !== this.#run) {
        return;
      }
      setServerTime(answer.server_time);
      this.answer = answer;
      this.problem = null;
      this.events = this.#anew ? [] : this.events;
      this.#anew = false;
      this.#merge(answer.events);
    } catch (failure) {
      if (!(failure instanceof ApiProblem)) {
        throw failure;
      }
      if (run !== this.#run) {
        return;
      }
      this.problem = failure;
    } finally {
      if (run === this.#run) {
        this.#reading = false;
        this.#readAt = Date.now();
      }
    }
    this.dispatchEvent(new Event('change'));
    if (this.#running && !this.#paused) {
      this.#plan(this.#next());
    }
  }

  #next() {
    if (this.problem) {
      return AGAIN_MS;
    }
    // An answer is shared for a moment with others who look, and may be older than the last event.
    if ((this.answer?.events[0]?.event_id ?? 0) < this.#newest && this.answer?.activity) {
      this.#newest = 0; // once is enough: not everything that is told can be in it
      return REST_MS;
    }
    return (this.answer?.locks.busy ?? 0) > MANY ? EVERY_MANY_MS : EVERY_MS;
  }
}

/**
 * Without what the guard does to look again, as the server leaves it out: of that, only the last decision about each database is told.
 * @param {LockEvent[]} events newest first
 */
function forPeople(events) {
  const guarded = new Set(events.filter(({event}) => event === 'guard.decision').map(idOf));
  const decided = new Set();
  return events.filter((event) => {
    if (event.event === 'guard.decision') {
      const first = !decided.has(idOf(event));
      decided.add(idOf(event));
      return first;
    }
    return !guarded.has(idOf(event)) || !['lock.acquired', 'lock.released'].includes(event.event);
  });
}
