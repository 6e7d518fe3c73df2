// Is all well? Who is hot, what needs a look, what has just happened.

import {html, nothing} from 'lit-html';
import {repeat} from 'lit-html/directives/repeat.js';
import {Part, ageOf, emptyState, eventLine, leaseLeft, lockLink, marks, problemBox, sparkline, ticks} from './parts.js';
import {session} from './session.js';
import {age, counted, now, seconds} from './time.js';
import {idOf} from './keys.js';

/** @typedef {import('./types').Overview} Overview */
/** @typedef {import('./types').OverviewLock} OverviewLock */
/** @typedef {import('./types').LockEvent} LockEvent */

/** Of each kind that needs a look. */
const EACH = 5;
const ENDING = 3;
const NO_LINE = /** @type {(number | null)[]} */ (Array(60).fill(null));
const STORES = /** @type {Record<string, string>} */ ({
  memory: 'Memory', sqlite: 'SQLite', postgresql: 'PostgreSQL', mariadb: 'MariaDB', mysql: 'MySQL', dynamodb: 'DynamoDB', s3: 'S3',
});

class OverviewPage extends Part {
  /** What has just happened, held still while somebody points at it. @type {LockEvent[] | null} */
  #still = null;

  connectedCallback() {
    super.connectedCallback();
    this.listen(session.overview, 'change');
    this.listen(ticks, 'tick');
    session.overview.start();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    session.overview.stop();
  }

  render() {
    const {answer, problem, events} = session.overview;
    if (!answer) {
      return problem ? problemBox(problem, 'The overview cannot be read.') : html`<h1 class="sentence soft">Looking…</h1>`;
    }
    const {locks, activity} = answer;
    const longest = sinceThen(answer, locks.longest_wait_ms);
    return html`
      <h1 class="sentence">${sentence(answer)}</h1>
      ${problem ? problemBox(problem, 'What is shown is old: it cannot be read now.') : nothing}
      <div class="tiles">
        ${tile('Held', locks.holders.toLocaleString(), locks.expiring > 0 ? html`<a class="warn" href="/ui/locks?state=expiring">${counted(locks.expiring, 'ends', 'end')} soon</a>` : '', activity?.lines.held, '/ui/locks')}
        ${tile('Waiting', locks.waiting.toLocaleString(), locks.waiting > 0 ? `longest ${seconds(longest)}` : '', activity?.lines.waiting, '/ui/locks?state=waiting')}
        ${tile('Grants per second', rate(activity), 'last minute', activity?.lines.grants_per_second)}
        ${tile('Wait (p99)', activity ? age(activity.wait_p99_ms) : '–', 'last 15 minutes', activity?.lines.wait_p99_ms)}
      </div>
      ${locks.busy === 0 && events.length === 0 ? nothingYet() : html`
      <div class="columns">
        <div>
          <section aria-labelledby="look"><h2 id="look">Needs a look</h2>${needsALook(answer)}</section>
          <section aria-labelledby="hot"><h2 id="hot">Most waited for</h2>${hottest(answer)}</section>
        </div>
        <section aria-labelledby="latest"><h2 id="latest">Just happened</h2>
          <ol class="events ticker" @pointerenter=${this.#hold} @pointerleave=${this.#letGo} @focusin=${this.#hold} @focusout=${this.#letGo}>
            ${(this.#still ?? events).map((event) => eventLine(event))}</ol>
          ${events.length > 0 ? nothing : html`<p class="soft">${activity ? 'Nothing in the last 15 minutes.' : 'No history is kept here. What happens from now on is shown.'}</p>`}
        </section>
      </div>`}`;
  }

  #hold() {
    this.#still ??= session.overview.events;
  }

  #letGo() {
    this.#still = null;
    this.requestUpdate();
  }
}

/** What lasted so long when it was read, and goes on. @param {Overview} answer @param {number} ms */
function sinceThen(answer, ms) {
  return ms + Math.max(0, now() - Date.parse(answer.server_time));
}

/** @param {Overview['activity']} activity */
function rate(activity) {
  return activity ? activity.grants_per_second.toFixed(activity.grants_per_second < 10 ? 1 : 0) : '–';
}

/** @param {Overview} answer */
function sentence(answer) {
  const {health, locks} = answer;
  if (health.status === 'DOWN') {
    return html`<span class="bad">The server is not ready:</span> ${health.reason}.`;
  }
  const latency = health.store_latency_ms ?? 0;
  const store = `${STORES[health.store] ?? health.store} answers in ${latency.toFixed(latency < 10 ? 1 : 0)} ms${
    (health.clock_error_ms ?? 0) >= 1 ? `, its clock is known to ${(health.clock_error_ms ?? 0).toFixed(0)} ms` : ''}.`;
  const stale = locks.stale > 0 ? html`<span class="warn">${counted(locks.stale, 'hold looks', 'holds look')} abandoned.</span> ` : 'All well: ';
  const wait = locks.waiting === 0 ? 'nobody waits' : `nobody waits longer than ${seconds(Math.max(1000, sinceThen(answer, locks.longest_wait_ms) + 999))}`;
  return html`${stale}${locks.complete ? '' : 'more than '}${counted(locks.held, 'lock')} held, ${wait}. ${store}`;
}

/**
 * @param {string} label
 * @param {string} number
 * @param {unknown} note
 * @param {(number | null)[]} [line]
 * @param {string} [href]
 */
function tile(label, number, note, line, href) {
  return html`<div class="tile">
    <div class="label">${href ? html`<a href=${href}>${label}</a>` : label}</div>
    <div class="number">${number} <span class="note">${note}</span></div>
    ${sparkline(line ?? NO_LINE, `${label} in the last 15 minutes`)}
  </div>`;
}

/** @param {Overview} answer */
function needsALook(answer) {
  const {stale, long_waits: long, expiring, warnings, locks} = answer;
  const ending = expiring.flatMap(({lock}) => {
    const holder = endsFirst(lock);
    return holder ? [{lock, holder}] : [];
  });
  if (stale.length + long.length + ending.length + warnings.length === 0) {
    return html`<p class="soft">Nothing. No hold is stale, nobody waits for more than a minute, and in 15 minutes nothing was lost, forced or refused.</p>`;
  }
  return html`<ul class="look">
    ${repeat(stale.slice(0, EACH), key, ({lock}) => {
      const holder = lock.holders.filter((it) => it.stale)[0] ?? lock.holders[0];
      return entry('warn', html`${lockLink(lock, holder.path)} looks abandoned: no heartbeat of <b>${holder.owner}</b> for ${ageOf(holder.renewed_at)}.
        <span class="soft">Check that it is gone, then end it by force.</span>`);
    })}
    ${locks.stale > EACH ? more(`All ${locks.stale} that are stale`, '/ui/locks?state=stale') : nothing}
    ${repeat(long.slice(0, EACH), key, ({lock, longest_wait_ms: longest}) => entry('warn', html`${lockLink(lock)} keeps <b>${lock.waiters[0].owner}</b> waiting for ${seconds(sinceThen(answer, longest))}.
        <span class="soft">Ask ${lock.holders[0]?.owner ?? 'whoever is next'}.</span>`))}
    ${long.length > EACH ? more('All that are waited for', '/ui/locks?state=waiting&sort=waiting') : nothing}
    ${repeat(warnings.slice(0, EACH), (event) => event.event_id, (event) => entry(TONES[event.event] ?? 'bad', html`${lockLink(event, event.path)}
        ${WORDS[event.event]?.(event) ?? event.event}, ${ageOf(event.timestamp)} ago.`))}
    ${repeat(ending.slice(0, ENDING), key, ({lock, holder}) =>
      entry('', html`${lockLink(lock, holder.path)} ends in ${seconds(endOf(holder) - now())} unless <b>${holder.owner}</b> renews it.`))}
    ${locks.expiring > ENDING ? more(`All ${locks.expiring} that end soon`, '/ui/locks?state=expiring&sort=ends') : nothing}
  </ul>`;
}

/** Whoever of those that still hold it ends first; nobody if none of them ends. @param {OverviewLock['lock']} lock */
function endsFirst(lock) {
  return lock.holders.filter((holder) => endOf(holder) > now()).sort((a, b) => endOf(a) - endOf(b))[0];
}

/** @param {import('./types').Holder} holder */
function endOf(holder) {
  return Date.parse(holder.expires_at ?? '');
}

/** @param {{lock: OverviewLock['lock']}} one */
function key(one) {
  return idOf(one.lock);
}

/** @param {string} tone @param {unknown} words */
function entry(tone, words) {
  return html`<li class=${tone}><span class="dot" aria-hidden="true"></span><span>${words}</span></li>`;
}

/** @param {string} words @param {string} href */
function more(words, href) {
  return html`<li><span></span><a href=${href}>${words}</a></li>`;
}

const TONES = /** @type {Record<string, string>} */ ({'lock.expired': 'warn', 'guard.decision': 'warn'});

/** @type {Record<string, (event: LockEvent) => unknown>} */
const WORDS = {
  'lock.expired': (event) => html`expired: <b>${event.owner}</b> did not renew it`,
  'lock.lost': (event) => html`was lost by <b>${event.owner}</b>`,
  'lock.forced': (event) => html`was taken from <b>${event.owner}</b> by ${event.actor}${event.reason ? ` (${event.reason})` : ''}`,
  'state.refused': (event) => html`: a save by <b>${event.owner || event.actor}</b> was refused${event.reason ? ` (${event.reason})` : ''}`,
  'guard.decision': (event) => event.metadata.decision === 'needed'
    ? html`is stopped, and <b>${event.metadata.app || 'an app'}</b> needs it${event.reason ? ` (${event.reason})` : ''}`
    : html`was not stopped, since nobody can say who needs it${event.reason ? ` (${event.reason})` : ''}`,
};

/** @param {Overview} answer */
function hottest(answer) {
  if (answer.hottest.length === 0) {
    return html`<p class="soft">Nobody waits for a lock.</p>`;
  }
  return html`<ul class="hot">
    ${repeat(answer.hottest, key, ({lock, holders, waiters, waiting_ms: caused}) => html`<li>
      <span class="first">${lockLink(lock)}<span class="soft">${counted(waiters, 'waits', 'wait')}, together ${seconds(caused + waiters * (sinceThen(answer, 0)))}</span></span>
      <span class="second">${lock.holders[0]
        ? html`<span class="owner">${lock.holders[0].owner}${holders > 1 ? ` +${holders - 1}` : ''}</span> ${marks(lock.holders[0])} ${leaseLeft(lock.holders[0])}`
        : html`<span class="soft">reserved for the first in line</span>`}</span>
    </li>`)}
  </ul>`;
}

function nothingYet() {
  return emptyState('No locks yet', 'Run something under a lock, and it is shown here while it runs.', `holdfast exec --server ${location.origin} nightly-report -- sleep 60`);
}

customElements.define('hf-overview', OverviewPage);
