// A lock in plain English: the words of `holdfast explain`, with the page's own clock.

import {age, clock, now, seconds} from './time.js';
import {keyText, pathsOf} from './keys.js';

/** @typedef {import('./types').Lock} Lock */
/** @typedef {import('./types').Holder} Holder */
/** @typedef {import('./types').LockEvent} LockEvent */

/** More names than this help nobody. */
const NAMES = 5;
/** Fewer times say nothing about the next. */
const ENOUGH = 5;
const HOLDS = 20;

const ENDS = ['lock.released', 'lock.expired', 'lock.lost', 'lock.forced'];

/**
 * How a lock was held before.
 * @param {LockEvent[]} history newest first
 */
export function pastHolds(history) {
  const ends = history.filter((event) => ENDS.includes(event.event));
  const finished = ends
    .filter((event) => event.event === 'lock.released')
    .slice(0, HOLDS)
    .map((event) => event.held_ms ?? 0)
    .sort((a, b) => a - b);
  return {
    last: ends[0],
    finished,
    median: finished[Math.floor(finished.length / 2)] ?? 0,
    p95: finished[Math.min(finished.length - 1, Math.floor(finished.length * 0.95))] ?? 0,
    longest: finished[finished.length - 1] ?? 0,
  };
}

/**
 * One paragraph.
 * @param {Lock} lock
 * @param {LockEvent[] | null} history of it, newest first; null while it is not known, which is not the same as none
 */
export function explain(lock, history) {
  const past = pastHolds(history ?? []);
  const parts = [`Lock ${keyText(lock)} is ${lock.held ? held(lock.holders[0], true) : free(lock, past, history !== null)}`];
  lock.holders.slice(1, NAMES).forEach((holder) => parts.push(held(holder, false)));
  if (lock.holders.length > NAMES) {
    parts.push(`And ${lock.holders.length - NAMES} more hold it.`);
  }
  parts.push(history ? usually(lock, past) : '', waiting(lock));
  return parts.filter((part) => part).join(' ');
}

/** @param {Lock} lock @param {ReturnType<typeof pastHolds>} past @param {boolean} known */
function free(lock, past, known) {
  if (lock.waiters.length > 0) {
    return 'free, but reserved for the first in the queue.';
  }
  if (!past.last) {
    return lock.latest_token === 0 && known ? 'free. Nobody is known to have held it.' : 'free.';
  }
  const {last} = past;
  const why = last.reason ? ` (${last.reason})` : '';
  return `free. '${last.owner}'${why} had it last, ${ended(last)} ${ago(last.timestamp)}.`;
}

/** @param {LockEvent} last */
function ended(last) {
  switch (last.event) {
    case 'lock.expired':
      return 'and let it expire';
    case 'lock.forced':
      return `until '${last.actor}' ended that by force`;
    case 'lock.lost':
      return 'and lost it';
    default:
      return `for ${age(last.held_ms ?? 0)}, and gave it back`;
  }
}

/** @param {Holder} holder @param {boolean} first */
function held(holder, first) {
  const part = pathsOf(holder);
  const shared = {
    exclusive: '',
    shared: ', shared with others who share it',
    permit: holder.limit ? `, as one of at most ${holder.limit}` : ', with a permit',
  }[holder.mode];
  const reason = holder.reason ? `, for "${holder.reason}"` : '';
  return (
    `${first ? '' : 'It is also '}held by '${holder.owner}'${part ? `, but only its part '${part}'` : ''}${shared}${reason}` +
    `, since ${clock(holder.granted_at)} (${ago(holder.granted_at)}), with fencing token ${holder.fencing_token}. ` +
    heartbeat(holder) +
    end(holder)
  );
}

/** @param {Holder} holder */
function heartbeat(holder) {
  const renewed = Date.parse(holder.renewed_at) > Date.parse(holder.granted_at);
  if (holder.stale) {
    return `It looks abandoned: ${renewed ? `its last heartbeat was ${ago(holder.renewed_at)}` : 'it has never sent a heartbeat'}. `;
  }
  return renewed ? `Its last heartbeat was ${ago(holder.renewed_at)}. ` : 'It has not been renewed so far. ';
}

/** @param {Holder} holder */
function end(holder) {
  return holder.expires_at
    ? `Unless renewed it ends in ${seconds(Date.parse(holder.expires_at) - now())}.`
    : 'It does not end by itself.';
}

/** @param {Lock} lock @param {ReturnType<typeof pastHolds>} past */
function usually(lock, past) {
  const holds = past.finished.length;
  if (holds === 0) {
    return lock.held ? 'How long it usually takes is not known yet: no hold has ended so far.' : '';
  }
  if (holds === 1) {
    return `The only hold before took ${age(past.median)}.`;
  }
  if (holds < ENOUGH) {
    return `The last ${holds} holds took between ${age(past.finished[0])} and ${age(past.longest)}.`;
  }
  const known = `It usually takes about ${age(past.median)} (the longest of the last ${holds} took ${age(past.longest)})`;
  return `${known}${lock.holders.length === 1 ? outlook(lock.holders[0], past) : ''}.`;
}

/** @param {Holder} holder @param {ReturnType<typeof pastHolds>} past */
function outlook(holder, past) {
  const heldFor = now() - Date.parse(holder.granted_at);
  if (heldFor > past.longest) {
    return '; this one is already longer than any of them';
  }
  const left = past.median - heldFor;
  return left <= 0 ? ', so it is overdue, though some took longer' : `, so it may be free in about ${age(left)}`;
}

/** @param {Lock} lock */
function waiting(lock) {
  const {waiters} = lock;
  if (waiters.length === 0) {
    return lock.held ? 'Nobody waits for it.' : '';
  }
  const names = waiters
    .slice(0, NAMES)
    .map((waiter) => `'${waiter.owner}' (for ${seconds(now() - Date.parse(waiter.since))})`)
    .join(', ');
  const start = waiters.length === 1 ? 'One caller is waiting: ' : `${waiters.length} callers are waiting, in this order: `;
  return `${start}${names}${waiters.length > NAMES ? ` and ${waiters.length - NAMES} more.` : '.'}`;
}

/** @param {string} time */
function ago(time) {
  return `${seconds(now() - Date.parse(time))} ago`;
}
