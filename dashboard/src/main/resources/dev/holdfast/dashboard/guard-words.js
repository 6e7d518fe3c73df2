// What the guard does about a database, as sentences. No markup here: what is told is the same on both pages and in the dialog.

import {age, now, seconds} from './time.js';

/** @typedef {import('./types').Resource} Resource */
/** @typedef {import('./types').ResourceUser} ResourceUser */
/** @typedef {import('./types').GuardDecision} GuardDecision */
/** @typedef {import('./types').GuardEvidence} GuardEvidence */
/** @typedef {import('./types').AppAnswer} AppAnswer */

/** As many names as a sentence can bear. */
const NAMED = 3;
/** A reason that is a heading, too. */
const SHORT = 120;

/** Where the lock of a resource is. @param {string} id */
export function lockOf(id) {
  return {namespace: 'guard', name: `LOCK#DB#${id}`};
}

/** @param {string} id */
export function resourceHref(id) {
  return `/ui/resource?${new URLSearchParams({id})}`;
}

/** a, b and c; more than a few are counted. @param {string[]} names */
export function list(names) {
  const shown = names.length > NAMED + 1 ? [...names.slice(0, NAMED), `${names.length - NAMED} more`] : names;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown[shown.length - 1]}`;
}

/** 3:12, as a clock counts down. @param {number} ms */
export function countdown(ms) {
  const all = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes, rest] = [Math.floor(all / 3600), Math.floor((all % 3600) / 60), all % 60];
  const tail = String(rest).padStart(2, '0');
  return hours ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}

/** What one answer says. @param {AppAnswer} answer */
export function answerWords({answer, http_code, detail}) {
  switch (answer) {
    case 'up':
      return `up (${http_code})`;
    case 'down':
      return `down (${http_code})`;
    case 'refused':
      return 'connection refused';
    case 'unclear':
      return `unknown: it answered ${http_code}, which its health check counts neither as up nor as down`;
    default:
      return `no answer${detail ? `: ${detail}` : ''}`;
  }
}

/** What was seen of an app, in a word or two. @param {{status: string, http_code: number | null}} seen */
export function seenWords({status, http_code}) {
  const code = http_code === null ? '' : ` ${http_code}`;
  switch (status) {
    case 'UP':
      return `answers${code}`;
    case 'DOWN':
      return http_code === null ? 'connection refused' : `answers${code}`;
    case 'STARTING':
      return 'is starting';
    default:
      return http_code === null ? 'no answer' : `answers${code}`;
  }
}

/** How an app stands to a stop. */
const STANDINGS = /** @type {Record<string, string>} */ ({
  needs: 'needs it',
  doubtful: 'not known',
  failing: 'fails, nobody asked it to stop',
  confirming: 'down, to be confirmed',
  gone: 'down',
});

/**
 * What it counted as, of evidence that was stored before that was told, too.
 * @param {GuardEvidence} seen
 * @param {string} asking the app whose stop it is
 */
export function countsAs(seen, asking) {
  if (seen.standing === 'needs' && seen.app === asking && seen.status === 'UP') {
    return 'has not stopped yet';
  }
  return STANDINGS[seen.standing ?? ''] ?? {UP: 'up', DOWN: 'down', STARTING: 'is starting'}[/** @type {string} */ (seen.status)] ?? 'not known';
}

/** How an app stands to the stop that is asked for, as a sentence of its own. @param {ResourceUser} user */
export function standingWords(user) {
  switch (user.standing) {
    case 'needs':
      return user.desired === 'stopped' && user.status === 'UP' ? 'It was asked to stop and still answers: it is waited for' : 'It needs this database';
    case 'doubtful':
      return 'Nobody can say whether it needs this database';
    case 'failing':
      return 'It fails, but nobody asked it to stop';
    case 'confirming':
      return 'It was seen down; one more look confirms that';
    default:
      return 'It counts as down';
  }
}

/** @param {Resource} resource @param {import('./types').Standing} standing */
function those(resource, standing) {
  return resource.apps.filter((user) => user.standing === standing);
}

/** @param {Resource} resource */
export function isFailing(resource) {
  return resource.decisions[0]?.act?.failed === true;
}

/** Asked to be stopped, and not stopped. @param {Resource} resource */
export function isWaiting(resource) {
  return resource.intents.length > 0;
}

/** Whom a stop waits for. @param {Resource} resource */
export function waitsFor(resource) {
  return resource.apps.filter(({standing}) => standing && standing !== 'gone').map(({app}) => app);
}

/**
 * When it will be stopped, if that only takes time.
 * @param {Resource} resource
 * @returns {{at: number, from: number, apps: string[], after: number} | null}
 */
export function stopTime(resource) {
  const failing = those(resource, 'failing');
  if (failing.length === 0 || those(resource, 'needs').length + those(resource, 'doubtful').length > 0) {
    return null;
  }
  const last = failing.reduce((a, b) => (Date.parse(a.down_at ?? '') > Date.parse(b.down_at ?? '') ? a : b));
  const at = Date.parse(last.down_at ?? '');
  const after = last.down_after_ms ?? 0;
  return {at, from: at - after, apps: failing.map(({app}) => app), after};
}

/**
 * What will happen to it, and what that waits for.
 * @param {Resource} resource
 */
export function nextWords(resource) {
  const {state, intents, decisions} = resource;
  const last = decisions[0];
  const stored = resource.recorded_only ? ' (recorded only)' : '';
  if (isFailing(resource)) {
    return `could not be ${state === 'starting' ? 'started' : 'stopped'}; it is tried again`;
  }
  if (resource.needed_by.length > 0) {
    return `is stopped, but ${list(resource.needed_by)} ${verb(resource.needed_by, 'needs', 'need')} it`;
  }
  if (state === 'stopping' || state === 'starting') {
    return `is being ${state === 'stopping' ? 'stopped' : 'started'}${last ? `, for ${last.app}` : ''}`;
  }
  if (intents.length === 0) {
    return state === 'stopped' ? `is stopped${stored}: no app needs it` : 'nobody asked to stop it';
  }
  if (resource.problems.length > 0) {
    return `cannot be stopped: ${resource.problems[0]}`;
  }
  const [needs, doubtful, confirming] = [those(resource, 'needs'), those(resource, 'doubtful'), those(resource, 'confirming')];
  if (needs.length > 0) {
    return needWords(needs);
  }
  if (doubtful.length > 0) {
    const names = doubtful.map(({app}) => app);
    return `keeps running: nobody can say whether ${list(names)} ${verb(names, 'needs', 'need')} it`;
  }
  const time = stopTime(resource);
  if (time) {
    const left = time.at - now();
    return `will be stopped when ${list(time.apps)} ${verb(time.apps, 'has', 'have')} been down for ${age(time.after)}: ${left > 0 ? `${countdown(left)} left` : 'any moment now'}`;
  }
  if (confirming.length > 0) {
    return 'every app is down; one more look confirms it';
  }
  return last ? last.reason : 'will be looked at within seconds';
}

/** @param {ResourceUser[]} needs */
function needWords(needs) {
  const leaving = needs.filter(({desired, status}) => desired === 'stopped' && status !== 'STARTING').map(({app}) => app);
  const staying = needs.map(({app}) => app).filter((app) => !leaving.includes(app));
  if (staying.length === 0) {
    return `will be stopped when ${list(leaving)} no longer ${verb(leaving, 'answers', 'answer')}`;
  }
  return `keeps running for ${list(staying)}; stopped when nobody needs it`;
}

/** @param {string[]} names @param {string} one @param {string} many */
export function verb(names, one, many) {
  return names.length === 1 ? one : many;
}

/** What was decided, as the end of a sentence that begins with the database. @param {GuardDecision} decision @param {boolean} [dry] */
export function decidedWords(decision, dry = false) {
  const {evidence} = decision;
  const recorded = decision.recorded_only ? ' (recorded only)' : '';
  /** @param {string} standing */
  const named = (standing) => evidence.filter((seen) => seen.standing === standing).map(({app}) => app);
  switch (decision.decision) {
    case 'stopped':
      return dry ? `would be stopped${recorded}` : `was stopped${recorded}`;
    case 'started':
      return dry ? `would run${recorded}` : `runs${recorded}`;
    case 'needed':
      return 'is stopped, and an app needs it';
    case 'skipped_shared_active': {
      const names = named('needs').filter((app) => app !== decision.app);
      const runs = dry ? 'would keep running' : 'keeps running';
      if (names.length > 0) {
        return `${runs}: ${list(names)} ${verb(names, 'needs', 'need')} it`;
      }
      return named('needs').length > 0 ? `${runs} until ${decision.app} no longer answers` : runs;
    }
    case 'skipped_unknown': {
      const names = named('doubtful');
      const runs = dry ? 'would keep running' : 'keeps running';
      return names.length ? `${runs}: nobody can say whether ${list(names)} ${verb(names, 'needs', 'need')} it` : `${runs}: it cannot be decided`;
    }
    case 'skipped_lock':
      return 'was not judged: somebody else had its lock. It is judged again';
    default:
      return pendingWords(decision, named('failing'), named('confirming'), dry);
  }
}

/** @param {GuardDecision} decision @param {string[]} failing @param {string[]} confirming @param {boolean} dry */
function pendingWords(decision, failing, confirming, dry) {
  if (decision.act?.failed) {
    return `could not be ${decision.evidence.length > 0 ? 'stopped' : 'started'}; it is tried again`; // for a start, no app is looked at
  }
  if (failing.length > 0) {
    return `${dry ? 'would wait' : 'waits'}: ${list(failing)} ${verb(failing, 'fails', 'fail')}, but nobody asked to stop ${verb(failing, 'it', 'them')}`;
  }
  if (confirming.length > 0) {
    return `${dry ? 'would wait' : 'waits'} until one more look confirms that every app is down`;
  }
  return decision.reason.length <= SHORT ? plainReason(decision.reason) : `${decision.reason.slice(0, SHORT)}…`;
}

/** Which rule decided. @param {GuardDecision} decision */
export function ruleWords(decision) {
  if (decision.act?.failed) {
    return 'An actuator that fails is asked again, until it is done or nobody wants it any more.';
  }
  const standings = new Set(decision.evidence.map(({standing}) => standing));
  switch (decision.decision) {
    case 'stopped':
      return decision.act ? 'Every app was seen down often and long enough, so it was stopped, and that was read back.' : 'No app needs it.';
    case 'skipped_shared_active':
      return 'One app that needs it is enough to keep it.';
    case 'skipped_unknown':
      return standings.has('doubtful') ? 'One app whose need is not known is enough to keep it.' : 'What cannot be identified or acted on is never stopped.';
    case 'skipped_lock':
      return 'Only whoever holds its lock decides about it.';
    case 'needed':
      return 'That something stopped is needed is reported once.';
    case 'started':
      return 'An app may rely on it from then on.';
    default:
      if (standings.has('failing')) {
        return 'An app that nobody asked to stop counts as down only after it has failed, and nothing else, for long enough.';
      }
      return standings.has('confirming') ? 'An app counts as down when it was seen down often enough in a row.' : '';
  }
}

/** Reasons of a dry run say so themselves; the page has said it already. @param {string} reason */
export function plainReason(reason) {
  const text = reason.replace(/^dry run: /, '');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The same where there is little room, beside the squares. @param {ResourceUser} user */
export function shortStatus(user) {
  const last = user.answers[0];
  if (!last) {
    return user.checked_at ? seenWords(user) : '';
  }
  const what = last.http_code ?? (last.answer === 'refused' ? 'refused' : 'no answer');
  return `${what}${user.since ? ` for ${seconds(now() - Date.parse(user.since))}` : ''}`;
}

/** @param {ResourceUser} user */
export function statusWords(user) {
  const last = user.answers[0];
  const since = user.since ? `, for ${seconds(now() - Date.parse(user.since))}` : '';
  if (last) {
    return `${answerWords(last)}${since}`;
  }
  return user.checked_at ? seenWords(user) : 'not looked at yet';
}
