// What the pages of the guard share: answers as squares, what was seen of each app as a table, one decision.

import {html, nothing, svg} from 'lit-html';
import {ageOf, leaseBar, timeOf} from './parts.js';
import {age, clock, counted, exact, now, seconds} from './time.js';
import {answerWords, countdown, countsAs, decidedWords, plainReason, resourceHref, ruleWords, seenWords, stopTime} from './guard-words.js';

/** @typedef {import('./types').Resource} Resource */
/** @typedef {import('./types').ResourceUser} ResourceUser */
/** @typedef {import('./types').GuardDecision} GuardDecision */

const SQUARE = 8;
const STEP = 11;

/**
 * The last answers, oldest on the left. Down is what somebody asked for, or it is not: that decides the colour.
 * @param {ResourceUser} user
 * @param {number} most
 */
export function squares(user, most) {
  const shown = user.answers.slice(0, most).reverse();
  if (shown.length === 0) {
    return html`<span class="soft none" title="The guard looks at an app while a stop is asked for, or what it uses is stopped">no answers seen</span>`;
  }
  const width = most * STEP;
  const up = shown.filter(({answer}) => answer === 'up').length;
  const label = `Last ${counted(shown.length, 'answer')} of ${user.app}: ${up} up; the latest ${answerWords(shown[shown.length - 1])}`;
  return html`<svg class="squares ${user.desired === 'stopped' ? 'asked' : ''}" viewBox="0 0 ${width} 12" width=${width} height="12" role="img" aria-label=${label}>
    ${shown.map((answer, i) => {
      const x = i * STEP + 1;
      const words = `${clock(answer.at)}: ${answerWords(answer)}\n${exact(answer.at)}`;
      return answer.answer === 'no_answer'
        ? svg`<g class="no_answer"><rect class="place" x=${x} y="1" width=${SQUARE + 1} height="10"></rect><line x1=${x} x2=${x + SQUARE} y1="6" y2="6"></line><title>${words}</title></g>`
        : svg`<rect class=${answer.answer} x=${x + 0.5} y="2.5" width=${SQUARE - 1} height=${SQUARE - 1} rx="1.5"><title>${words}</title></rect>`;
    })}
  </svg>`;
}

export function legend() {
  return html`<p class="squares-legend soft" aria-hidden="true">
    ${[['up', 'up'], ['down', 'down'], ['refused', 'connection refused'], ['unclear', 'unknown'], ['no_answer', 'no answer']].map(
      ([kind, words]) => html`<span><svg class="squares" viewBox="0 0 10 12" width="10" height="12">${
        kind === 'no_answer' ? svg`<g class="no_answer"><line x1="1" x2="9" y1="6" y2="6"></line></g>` : svg`<rect class=${kind} x="1.5" y="2.5" width="7" height="7" rx="1.5"></rect>`
      }</svg>${words}</span>`)}
    <span>Grey: it was asked to stop. Each server shows only what it has seen itself since it started.</span></p>`;
}

/** @param {Resource} resource */
export function stateMark(resource) {
  return html`<span class="state ${resource.state}">${resource.state}</span>${resource.recorded_only ? html` <span class="mark" title="Its actuator only records: nothing is really stopped or started">recorded only</span>` : nothing}`;
}

/** The time that is left until it is stopped, as a bar; nothing if it does not only take time. @param {Resource} resource */
export function stopBar(resource) {
  const time = stopTime(resource);
  return time && time.at > now()
    ? html`<span class="lease stopbar" title=${`An estimate of this server: it counts as long as nothing else is answered\n${exact(new Date(time.at).toISOString())}`}>${leaseBar((time.at - now()) / (time.at - time.from))}
      <span class="left">${countdown(time.at - now())}</span></span>`
    : nothing;
}

/**
 * What was seen of every app at that moment.
 * @param {GuardDecision} decision
 */
export function evidenceTable(decision) {
  if (decision.evidence.length === 0) {
    return html`<p class="soft">No app was probed for it.</p>`;
  }
  return html`<table class="evidence">
    <thead><tr><th scope="col">App</th><th scope="col">Answer</th><th scope="col">Counts as</th><th scope="col">Seen</th></tr></thead>
    <tbody>${decision.evidence.map((seen) => html`<tr>
      <th scope="row">${seen.app}</th><td>${seenWords(seen)}</td><td class=${seen.standing === 'needs' ? 'strong' : seen.standing === 'doubtful' ? 'warn' : ''}>${countsAs(seen, decision.app)}</td>
      <td class="soft">${timeOf(seen.checked_at)}</td></tr>`)}</tbody>
  </table>`;
}

/**
 * What was decided about one database, in the answer of a stop or start.
 * @param {GuardDecision} decision
 * @param {boolean} dry
 */
export function answered(decision, dry) {
  return html`<section class="answered" aria-label=${decision.db_identifier}>
    <p><a class="key" href=${resourceHref(decision.db_identifier)}>${decision.db_identifier}</a> <b class=${tone(decision)}>${decidedWords(decision, dry)}</b>.</p>
    <p class="soft">${plainReason(decision.reason)}.</p>
    ${decision.evidence.length ? evidenceTable(decision) : nothing}
  </section>`;
}

/** @param {GuardDecision} decision */
export function tone(decision) {
  if (decision.act?.failed || decision.decision === 'needed') {
    return 'bad';
  }
  return decision.decision === 'skipped_unknown' ? 'warn' : '';
}

/**
 * One decision in the list; those that follow each other and say the same are one.
 * @param {{decision: GuardDecision, times: number, first: string}} one
 * @param {boolean} open
 * @param {(open: boolean) => void} toggled
 */
export function decisionLine({decision, times, first}, open, toggled) {
  const rule = ruleWords(decision);
  return html`<li class="decision ${tone(decision)}"><details ?open=${open} @toggle=${(/** @type {Event} */ it) => toggled(/** @type {HTMLDetailsElement} */ (it.target).open)}>
    <summary><span class="when">${timeOf(decision.decided_at)}</span><span class="dot" aria-hidden="true"></span>
      <span class="what"><b>${capital(decidedWords(decision))}</b>
        <span class="soft">· asked by ${decision.app}${times > 1 ? html` · ${times} times since ${timeOf(first)}` : nothing}</span></span></summary>
    <div class="why">
      <p>${plainReason(decision.reason)}.</p>
      ${evidenceTable(decision)}
      <dl class="facts wide">
        ${rule ? html`<div><dt>Rule</dt><dd>${rule}</dd></div>` : nothing}
        ${decision.act ? html`<div><dt>Actuator</dt><dd class=${decision.act.failed ? 'bad' : ''}>${decision.act.failed ? 'failed: ' : ''}${decision.act.said}</dd></div>` : nothing}
        <div><dt>Token</dt><dd>${decision.fencing_token ? html`<span class="mono">${decision.fencing_token}</span> <span class="soft">of its lock</span>` : 'without its lock'}</dd></div>
        ${decision.recorded_only ? html`<div><dt>Recorded only</dt><dd>Nothing was really stopped or started.</dd></div>` : nothing}
      </dl>
    </div>
  </details></li>`;
}

/**
 * Decisions that follow each other and say the same, as one. The key stays the same while newer ones come and the oldest are dropped: it is when the
 * first was made, except for the last line, whose first ones are dropped one by one.
 * @param {GuardDecision[]} decisions newest first
 */
export function folded(decisions) {
  /** @type {{decision: GuardDecision, times: number, first: string, key: string}[]} */
  const lines = [];
  for (const decision of decisions) {
    const last = lines[lines.length - 1];
    if (last && last.decision.decision === decision.decision && last.decision.app === decision.app && last.decision.reason === decision.reason) {
      last.times += 1;
      last.first = decision.decided_at;
    } else {
      lines.push({decision, times: 1, first: decision.decided_at, key: ''});
    }
  }
  lines.forEach((line, i) => {
    line.key = i === lines.length - 1 ? 'oldest' : line.first;
  });
  return lines;
}

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Who asked to stop it, and for how long that has been so. @param {Resource} resource */
export function askedBy(resource) {
  return html`${resource.intents.map(({requested_by, since}, i) => html`${i ? ', ' : ''}<b>${requested_by}</b> ${ageOf(since)} ago`)}`;
}

/** When it was last looked at. @param {ResourceUser} user */
export function lastLook(user) {
  const at = user.answers[0]?.at ?? user.checked_at;
  return at ? html`looked at <time datetime=${at} title=${exact(at)}>${seconds(now() - Date.parse(at))}</time> ago` : nothing;
}

/** @param {ResourceUser} user */
export function downIn(user) {
  const left = Date.parse(user.down_at ?? '') - now();
  return user.standing === 'failing' ? `counts as down in ${left > 0 ? countdown(left) : 'a moment'}, after ${age(user.down_after_ms ?? 0)}` : '';
}
