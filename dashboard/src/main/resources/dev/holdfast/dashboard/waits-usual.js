// How long locks are usually held, and what that means for who waits. Always an estimate, from the last times, and only if there were some.

import {session} from './session.js';
import {pastHolds} from './explain.js';
import {idOf} from './keys.js';
import {now} from './time.js';

/** @typedef {import('./types').Lock} Lock */
/** @typedef {import('./waits-graph.js').Blocker} Blocker */
/** @typedef {{median: number, times: number}} Usual */

/** Fewer times say nothing about the next. */
const ENOUGH = 5;
const TIMES = 20;
/** What is usual changes slowly. */
const FRESH_MS = 60_000;
/** As many locks are asked about, those that are drawn first; one request each, one after the other. */
const MOST = 12;

export class UsualHolds extends EventTarget {
  /** @type {Map<string, {at: number, usual: Usual | null}>} */
  #known = new Map();
  #asking = false;

  /** @param {Lock} lock */
  of(lock) {
    return this.#known.get(idOf(lock))?.usual ?? null;
  }

  /** @param {Lock[]} locks the first of these */
  async learn(locks) {
    const shown = new Set(locks.map(idOf));
    for (const [id, {at}] of this.#known) {
      if (!shown.has(id) && Date.now() - at > FRESH_MS) {
        this.#known.delete(id); // it would be asked for anew
      }
    }
    const wanted = locks.slice(0, MOST).filter((lock) => Date.now() - (this.#known.get(idOf(lock))?.at ?? 0) > FRESH_MS);
    if (this.#asking || wanted.length === 0 || document.hidden) {
      return;
    }
    this.#asking = true;
    for (const {namespace, name} of wanted) {
      // Without an answer nothing is estimated; an outage is told by the locks themselves.
      const page = await session.api.get('/v2/history', {namespace, name, event: 'lock.released', limit: TIMES}).catch(() => null);
      const {finished, median} = pastHolds(page?.items ?? []);
      const usual = finished.length >= ENOUGH ? {median, times: finished.length} : null;
      this.#known.set(idOf({namespace, name}), {at: Date.now(), usual});
    }
    this.#asking = false;
    this.dispatchEvent(new Event('change'));
  }
}

/**
 * When everybody in a queue gets its turn if things go as usual: milliseconds from now, 'overdue' behind somebody who takes longer than
 * usual, or null where nothing can be said.
 * @param {ReturnType<typeof import('./waits-graph.js').queueOf>} queue
 * @param {Usual} usual
 * @param {(owner: string) => boolean} waitsItself
 */
export function expected(queue, usual, waitsItself) {
  /** @type {Map<import('./types').Waiter, number | 'overdue' | null>} */
  const turns = new Map();
  /** @param {Blocker} blocker @returns {number | 'overdue' | null} when it is done */
  const done = (blocker) => {
    if (blocker.kind === 'wait') {
      const turn = turns.get(blocker.waiter) ?? null;
      return typeof turn === 'number' ? turn + usual.median : turn;
    }
    if (waitsItself(blocker.holder.owner)) {
      return null; // it depends on another lock
    }
    const left = usual.median - (now() - Date.parse(blocker.holder.granted_at));
    return left > 0 ? left : 'overdue';
  };
  for (const {waiter, behind} of queue) {
    const ends = behind.map(done);
    if (ends.includes(null) || behind.length === 0) {
      turns.set(waiter, null);
    } else if (ends.includes('overdue')) {
      turns.set(waiter, 'overdue');
    } else {
      const times = /** @type {number[]} */ (ends).sort((a, b) => a - b);
      turns.set(waiter, times[needed(waiter, behind) - 1]);
    }
  }
  return turns;
}

/** How many of those in the way must be done: all, but of permits only as many as are too many. @param {import('./types').Waiter} waiter @param {Blocker[]} behind */
function needed(waiter, behind) {
  const scopes = behind.map((it) => (it.kind === 'hold' ? it.holder : it.waiter));
  if (waiter.mode !== 'permit' || scopes.some((scope) => scope.mode !== 'permit' || scope.path !== waiter.path)) {
    return behind.length;
  }
  const limit = Math.min(waiter.limit ?? 1, ...scopes.map((scope) => scope.limit ?? 1));
  return Math.max(1, Math.min(behind.length, behind.length + 1 - limit));
}
