// Holds and waits in time: put together from events, which tell when something began or ended, and from the locks as they are now, which
// tell what still lasts, however long ago it began.

import {idOf} from './keys.js';

/** @typedef {import('./types').LockEvent} LockEvent */
/** @typedef {import('./types').Lock} Lock */
/** @typedef {import('./types').TimeBar} TimeBar */
/** @typedef {import('./types').TimeLane} TimeLane */

/** What is asked for: all that begins or ends a hold, and who gave up waiting. */
export const NEEDED = ['lock.acquired', 'lock.released', 'lock.expired', 'lock.lost', 'lock.forced', 'lock.abandoned'];
export const ENDS = ['lock.released', 'lock.expired', 'lock.lost', 'lock.forced'];

/** How each is told. */
export const OUTCOMES = /** @type {Record<string, string>} */ ({
  held: 'held now',
  released: 'given back',
  expired: 'expired: it was not renewed',
  lost: 'lost by its holder',
  forced: 'ended by force',
  later: 'held beyond this window',
  unknown: 'how it ended is not recorded',
  waits: 'waits now',
  'gave-up': 'stopped waiting',
});

/** Holds at the same time are drawn one under the other, as far as a lane has room. */
const MOST_ROWS = 4;
/** An event is told sooner than the lock is read again. */
const LAG_MS = 10_000;

/**
 * Everything that is known, by lock.
 * @param {Iterable<LockEvent>} events
 * @param {Iterable<Lock>} locks those in use
 * @param {{now: number, complete: boolean}} known the time; and whether the events go on until then
 * @returns {Map<string, {lock: import('./types').LockName, bars: TimeBar[]}>}
 */
export function barsOf(events, locks, known) {
  /** @type {Map<string, {lock: import('./types').LockName, byKey: Map<string, TimeBar>}>} */
  const found = new Map();
  /** @param {import('./types').LockName} of @param {string} key @param {() => TimeBar} make */
  const bar = (of, key, make) => {
    const id = idOf(of);
    let lane = found.get(id);
    if (!lane) {
      lane = {lock: {namespace: of.namespace, name: of.name}, byKey: new Map()};
      found.set(id, lane);
    }
    let one = lane.byKey.get(key);
    if (!one) {
      one = make();
      lane.byKey.set(key, one);
    }
    return one;
  };
  for (const event of events) {
    const at = Date.parse(event.timestamp);
    /** @param {number} from @param {string} how */
    const blank = (from, how) => ({
      key: '', from, to: /** @type {number | null} */ (null), how, owner: event.owner, reason: event.reason ?? '', token: event.fencing_token, waited: 0, path: event.path, by: '',
    });
    if (event.event === 'lock.abandoned') {
      const key = `wait ${event.event_id}`;
      bar(event, key, () => ({...blank(at - (event.waited_ms ?? 0), 'gave-up'), key, to: at}));
      continue;
    }
    const key = `hold ${event.fencing_token}`;
    if (event.event === 'lock.acquired') {
      const one = bar(event, key, () => ({...blank(at, 'unknown'), key}));
      one.from = at;
      one.waited = event.waited_ms ?? 0;
    } else if (ENDS.includes(event.event)) {
      const one = bar(event, key, () => ({...blank(at - (event.held_ms ?? 0), ''), key}));
      one.to = at;
      one.how = event.event.slice(5);
      one.by = event.event === 'lock.forced' ? event.actor : '';
      one.reason = event.event === 'lock.forced' ? (event.reason ?? '') : one.reason || (event.reason ?? '');
    }
  }
  for (const lock of locks) {
    for (const holder of lock.holders) {
      const key = `hold ${holder.fencing_token}`;
      const one = bar(lock, key, () => ({
        key, from: Date.parse(holder.granted_at), to: null, how: 'held', owner: holder.owner, reason: holder.reason, token: holder.fencing_token, waited: 0, path: holder.path, by: '',
      }));
      if (one.to === null) {
        one.how = 'held';
      }
    }
    for (const waiter of lock.waiters) {
      const key = `waits ${waiter.owner} ${waiter.since}`;
      bar(lock, key, () => ({
        key, from: Date.parse(waiter.since), to: null, how: 'waits', owner: waiter.owner, reason: '', token: null, waited: 0, path: waiter.path, by: '',
      }));
    }
  }
  /** @type {Map<string, {lock: import('./types').LockName, bars: TimeBar[]}>} */
  const lanes = new Map();
  for (const [id, {lock, byKey}] of found) {
    lanes.set(id, {lock, bars: [...byKey.values()].map((one) => settled(one, known)).sort((a, b) => a.from - b.from)});
  }
  return lanes;
}

/** What is said of a hold whose end is not known. @param {TimeBar} bar @param {{now: number, complete: boolean}} known */
function settled(bar, known) {
  if (bar.how !== 'unknown') {
    return bar;
  }
  if (!known.complete) {
    return {...bar, how: 'later'};
  }
  return known.now - bar.from < LAG_MS ? {...bar, how: 'held'} : {...bar, to: bar.from};
}

/** @param {TimeBar} bar */
export function isWait(bar) {
  return bar.how === 'waits' || bar.how === 'gave-up';
}

/**
 * What of a lock is within a window, with how hot it was: the time it was held and waited for.
 * @param {{lock: import('./types').LockName, bars: TimeBar[]}} lane
 * @param {number} from
 * @param {number} to
 * @returns {TimeLane | null} null if nothing is
 */
export function laneIn({lock, bars}, from, to) {
  const seen = bars.filter((bar) => bar.from - bar.waited < to && (bar.to ?? Infinity) >= from);
  if (seen.length === 0) {
    return null;
  }
  let [held, waited, longest] = [0, 0, 0];
  /** @type {{from: number, to: number}[]} */
  const holds = [];
  for (const bar of seen) {
    const [start, end] = [Math.max(from, bar.from), Math.min(to, bar.to ?? to)];
    if (isWait(bar)) {
      waited += Math.max(0, end - start);
      longest = Math.max(longest, (bar.to ?? to) - bar.from);
    } else {
      if (end > start) {
        holds.push({from: start, to: end});
      }
      waited += Math.max(0, Math.min(to, bar.from) - Math.max(from, bar.from - bar.waited));
      longest = Math.max(longest, bar.waited);
    }
  }
  let covered = from;
  for (const hold of holds) { // in the order of their beginning: what overlaps counts once
    held += Math.max(0, hold.to - Math.max(covered, hold.from));
    covered = Math.max(covered, hold.to);
  }
  return {id: idOf(lock), lock, bars: seen, held, waited, longest, heat: held + waited, ...packed(seen)};
}

/** Which hold is in which row of its lane. @param {TimeBar[]} bars in the order of their beginning */
function packed(bars) {
  /** @type {number[]} */
  const ends = [];
  /** @type {Map<string, number>} */
  const rows = new Map();
  for (const bar of bars) {
    if (!isWait(bar)) {
      const free = ends.findIndex((end) => end <= bar.from);
      const row = free >= 0 ? free : Math.min(ends.length, MOST_ROWS - 1);
      ends[row] = Math.max(ends[row] ?? 0, bar.to ?? Infinity);
      rows.set(bar.key, row);
    }
  }
  return {rows, depth: Math.max(1, ends.length)};
}
