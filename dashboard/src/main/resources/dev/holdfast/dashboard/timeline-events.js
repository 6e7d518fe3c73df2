// The events behind the timeline: as many as are needed for a window, but never more than a page can hold.

import {session} from './session.js';
import {ENDS, NEEDED} from './timeline-data.js';

/** @typedef {import('./types').LockEvent} LockEvent */

const PAGE = 1_000;
export const MOST = 5_000;

export class TimelineEvents {
  /** @type {Map<number, LockEvent>} */
  all = new Map();
  /** From when on everything is known. */
  from = 0;
  /** Until when; null: until now, and on. @type {number | null} */
  to = null;
  /** Whether there was more than could be read. */
  cut = false;
  #run = 0;
  /** What happened while the rest was read. @type {LockEvent[]} */
  #meanwhile = [];

  /** Whether a window is known. @param {number} from @param {number | null} to null for now */
  covers(from, to) {
    return from >= this.from && this.from > 0 && (this.to === null || (to !== null && to <= this.to));
  }

  /**
   * Reads what is needed for a window.
   * @param {number} from
   * @param {number | null} to null for now
   * @returns {Promise<boolean>} whether nobody asked for another meanwhile
   */
  async load(from, to) {
    this.#run += 1;
    const run = this.#run;
    this.#meanwhile = [];
    /** @type {Map<number, LockEvent>} */
    const found = new Map();
    const window = {event: NEEDED.join(','), from: new Date(from).toISOString(), to: to === null ? '' : new Date(to).toISOString()};
    let [cursor, asked, newest] = ['', 0, 0];
    let oldest = Infinity;
    do {
      const page = await session.api.get('/v2/history', {...window, limit: PAGE, cursor});
      if (run !== this.#run) {
        return false;
      }
      for (const event of page.items) {
        found.set(event.event_id, event);
        newest = Math.max(newest, event.event_id);
        oldest = Math.min(oldest, Date.parse(event.timestamp));
      }
      cursor = page.next_cursor ?? '';
      asked += 1;
    } while (cursor && found.size < MOST && asked < 2 * (MOST / PAGE));
    if (to !== null) {
      // What was held in the window may have ended after it, also where nothing happened within it.
      const after = newest || (await newestBefore(window.to));
      const page = await session.api.get('/v2/history', {event: ENDS.join(','), after, limit: PAGE});
      if (run !== this.#run) {
        return false;
      }
      page.items.forEach((/** @type {LockEvent} */ event) => found.set(event.event_id, event));
    }
    if (to === null) {
      this.#meanwhile.forEach((event) => found.set(event.event_id, event));
    }
    this.all = found;
    this.cut = Boolean(cursor);
    this.from = cursor && oldest < Infinity ? oldest : from;
    this.to = to;
    return true;
  }

  /** @param {LockEvent[]} events @param {number} needed what is older is forgotten */
  happened(events, needed) {
    const fresh = events.filter((event) => NEEDED.includes(event.event));
    this.#meanwhile = [...this.#meanwhile, ...fresh].slice(-PAGE);
    if (this.to !== null || this.from === 0) {
      return false;
    }
    fresh.forEach((event) => this.all.set(event.event_id, event));
    if (this.all.size > MOST + PAGE) {
      this.#forget(needed);
    }
    return fresh.length > 0;
  }

  /** @param {number} needed */
  #forget(needed) {
    const sorted = [...this.all.values()].sort((a, b) => b.event_id - a.event_id);
    const kept = sorted.filter((event, i) => i < MOST && Date.parse(event.timestamp) >= needed);
    this.from = Math.max(this.from, needed);
    if (kept.length === MOST) {
      this.from = Math.max(this.from, Date.parse(kept[kept.length - 1].timestamp));
      this.cut = true;
    }
    this.all = new Map(kept.map((event) => [event.event_id, event]));
  }
}

/** The number of the last event before a time; 0 if there is none. @param {string} time @returns {Promise<number>} */
async function newestBefore(time) {
  const page = await session.api.get('/v2/history', {to: time, limit: 1});
  return page.items[0]?.event_id ?? 0;
}
