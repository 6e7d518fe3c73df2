// Who is at a lock: holders and queue, as the page of a lock and the preview beside the list show them.

import {html, nothing, svg} from 'lit-html';
import {repeat} from 'lit-html/directives/repeat.js';
import {ageOf, leaseLeft, marks, timeOf} from './parts.js';
import {clock, exact, now} from './time.js';
import {pathsOf} from './keys.js';

/** @typedef {import('./types').Lock} Lock */
/** @typedef {import('./types').Holder} Holder */

/** As many leases as the line of heartbeats shows. */
const LEASES_SHOWN = 3;

/**
 * @param {Holder} holder
 * @param {unknown} [acts] buttons
 * @param {string[]} [beats] times of the heartbeats that were seen
 */
export function holderCard(holder, acts = nothing, beats) {
  const facts = factsOf(holder.metadata);
  return html`<article class="card holder ${holder.stale ? 'stale' : ''}" aria-label=${`Holder ${holder.owner}`}>
    <header><b class="owner">${holder.owner}</b> ${marks(holder)}<span class="rest"></span>${acts}</header>
    ${holder.reason ? html`<p class="reason">${holder.reason}</p>` : nothing}
    ${beats ? leaseLine(holder, beats) : nothing}
    <dl class="facts">
      <div><dt>Held for</dt><dd>${ageOf(holder.granted_at)} <span class="soft">since ${timeOf(holder.granted_at)}</span></dd></div>
      <div><dt>Ends in</dt><dd>${leaseLeft(holder)}</dd></div>
      <div><dt>Last heartbeat</dt><dd>${heartbeat(holder)}</dd></div>
      <div><dt>Fencing token</dt><dd class="mono">${holder.fencing_token}</dd></div>
      ${facts.map(({label, text, href}) => html`<div><dt>${label}</dt><dd class="mono">${linked(text, href)}</dd></div>`)}
    </dl>
  </article>`;
}

/** @param {Holder} holder */
export function heartbeat(holder) {
  return Date.parse(holder.renewed_at) > Date.parse(holder.granted_at)
    ? html`${ageOf(holder.renewed_at)} ago`
    : html`<span class="soft">none yet</span>`;
}

/** What people ask first, by the names that deployments give it. */
const KNOWN = /** @type {Record<string, string>} */ ({
  ci_url: 'CI run', ci_run: 'CI run', ci_run_id: 'CI run', git_commit: 'Commit', commit: 'Commit', git_branch: 'Branch', branch: 'Branch',
  hostname: 'Host', host: 'Host', user: 'User', pid: 'Process',
});
const FIRST = Object.keys(KNOWN);

/**
 * What the holder told about itself, what people ask first in front. A run and its address are one fact.
 * @param {Record<string, string>} metadata
 */
function factsOf(metadata) {
  const run = ['ci_run', 'ci_run_id'].find((name) => name in metadata);
  const address = metadata.ci_url ?? '';
  const merged = run !== undefined && isAddress(address);
  /** @param {string} name */
  const place = (name) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return Object.entries(metadata)
    .filter(([name]) => !(merged && name === 'ci_url'))
    .sort(([a], [b]) => place(a) - place(b))
    .map(([name, text]) => ({label: KNOWN[name] ?? worded(name), text, href: merged && name === run ? address : text}));
}

/** @param {string} name */
function worded(name) {
  const words = name.replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Only what is plainly an address of the web. @param {string} text */
export function isAddress(text) {
  return /^https?:\/\/[^\s]+$/.test(text);
}

/**
 * Everything else than an address is text.
 * @param {string} text
 * @param {string} [href]
 */
export function linked(text, href = text) {
  return isAddress(href) ? html`<a href=${href} target="_blank" rel="noopener noreferrer">${text}</a>` : text;
}

/**
 * The last leases as a line: heartbeats that were seen are dots, what is left is the empty end.
 * @param {Holder} holder
 * @param {string[]} beats
 */
function leaseLine(holder, beats) {
  if (!holder.expires_at) {
    return nothing;
  }
  const granted = Date.parse(holder.granted_at);
  const renewed = Date.parse(holder.renewed_at);
  const end = Date.parse(holder.expires_at);
  const start = Math.max(granted, renewed - LEASES_SHOWN * (end - renewed));
  const [width, height, middle] = [600, 24, 12];
  /** @param {number} time */
  const x = (time) => (((Math.min(end, Math.max(start, time)) - start) / (end - start)) * (width - 12) + 6).toFixed(1);
  const shown = beats.filter((beat) => Date.parse(beat) > start);
  return html`<figure class="leaseline">
    <svg viewBox="0 0 ${width} ${height}" role="img" aria-label=${`Lease until ${clock(end)}, ${shown.length} heartbeats seen`}>
      ${svg`<line class="left" x1=${x(start)} x2=${x(end)} y1=${middle} y2=${middle} />
      <line class="used" x1=${x(start)} x2=${x(now())} y1=${middle} y2=${middle} />
      <circle class="start" cx=${x(granted)} cy=${middle} r="3.5" />
      ${shown.map((beat) => svg`<circle class="beat" cx=${x(Date.parse(beat))} cy=${middle} r="3.5"><title>${`Heartbeat ${exact(beat)}`}</title></circle>`)}
      <line class="end" x1=${x(end)} x2=${x(end)} y1="5" y2="19" />`}
    </svg>
    <figcaption class="soft"><span>${start === granted ? 'granted' : 'held since'} ${clock(granted)}</span><span>heartbeats seen by this page</span><span>ends ${clock(end)}</span></figcaption>
  </figure>`;
}

/** @param {Lock} lock */
export function queue(lock) {
  if (lock.waiters.length === 0) {
    return html`<p class="soft">Nobody waits.</p>`;
  }
  return html`<ol class="queue">${repeat(
    lock.waiters,
    (waiter) => `${waiter.owner} ${waiter.since}`,
    (waiter) => html`<li><span class="place">${waiter.position}</span><span class="owner">${waiter.owner}</span>
      ${waiter.mode === 'exclusive' ? nothing : html`<span class="mark">${waiter.mode}</span>`}
      ${pathsOf(waiter) ? html`<span class="mark mono">/${pathsOf(waiter)}</span>` : nothing}
      <span class="rest"></span><span><span class="soft">waits for</span> ${ageOf(waiter.since)} <span class="soft since">since ${timeOf(waiter.since)}</span></span></li>`,
  )}</ol>`;
}
