// Events in words, and which of them a reader wants: the same choice as the server makes, for those that arrive live.

/** @typedef {import('./types').LockEvent} LockEvent */
/** @typedef {import('./types').HistoryFilter} HistoryFilter */

/** What happened, as the title of a row. */
export const WORDS = /** @type {Record<string, string>} */ ({
  'lock.acquired': 'Granted',
  'lock.released': 'Given back',
  'lock.expired': 'Expired',
  'lock.lost': 'Lost',
  'lock.forced': 'Ended by force',
  'lock.queued': 'Began to wait',
  'lock.abandoned': 'Stopped waiting',
  'lock.stale': 'Looks abandoned',
  'state.saved': 'State saved',
  'state.refused': 'Save refused',
  'state.restored': 'State restored',
  'state.deleted': 'State deleted',
  'guard.decision': 'Guard decided',
  'guard.registered': 'App registered',
  'guard.unregistered': 'App removed',
  'guard.stop': 'Stop requested',
  'guard.start': 'Start requested',
  'token.created': 'Token created',
  'token.revoked': 'Token revoked',
  'cleanup.done': 'Cleaned up',
  'store.restored': 'Restored from a backup',
});

/** What can be chosen, and the kinds of events that it stands for. */
export const KINDS = [
  {words: 'Granted', events: ['lock.acquired']},
  {words: 'Given back', events: ['lock.released']},
  {words: 'Expired', events: ['lock.expired']},
  {words: 'Lost', events: ['lock.lost']},
  {words: 'Forced', events: ['lock.forced']},
  {words: 'Waits', events: ['lock.queued', 'lock.abandoned']},
  {words: 'Stale', events: ['lock.stale']},
  {words: 'State', events: ['state.saved', 'state.refused', 'state.restored', 'state.deleted']},
  {words: 'Guard', events: ['guard.decision', 'guard.registered', 'guard.unregistered', 'guard.stop', 'guard.start']},
  {words: 'Tokens', events: ['token.created', 'token.revoked']},
];

/** How the summary counts them: in the order of what a reader wants to know. */
export const COUNTED = /** @type {[string, string, string][]} */ ([
  ['lock.forced', 'ended by force', 'bad'],
  ['lock.lost', 'lost', 'bad'],
  ['state.refused', 'refused', 'bad'],
  ['lock.expired', 'expired', 'warn'],
  ['lock.acquired', 'granted', ''],
  ['lock.released', 'given back', ''],
]);

export {tone as toneOf} from './parts.js';

/** @param {LockEvent} event @param {HistoryFilter} filter */
export function isWanted(event, filter) {
  const at = Date.parse(event.timestamp);
  return (
    (filter.events.length === 0 || filter.events.includes(event.event)) &&
    (!filter.namespace || event.namespace === filter.namespace) &&
    (!filter.name || event.name === filter.name) &&
    (!filter.prefix || event.name.startsWith(filter.prefix)) &&
    isLike(filter.owner, event.owner) &&
    isLike(filter.actor, event.actor) &&
    (!filter.from || at >= Date.parse(filter.from)) &&
    (!filter.to || at < Date.parse(filter.to))
  );
}

/** @param {string} wanted @param {string} text */
function isLike(wanted, text) {
  return !wanted || (wanted.endsWith('*') ? text.startsWith(wanted.slice(0, -1)) : text === wanted);
}

/** The parameters of the call that finds these. @param {HistoryFilter} filter */
export function queryOf({namespace, name, prefix, owner, actor, events, from, to}) {
  return {namespace, name, prefix, owner, actor, event: events.join(','), from, to};
}
