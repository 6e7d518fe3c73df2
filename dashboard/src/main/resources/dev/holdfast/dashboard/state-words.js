// Words about state that several pages say, and where its pages are.

import {html, nothing} from 'lit-html';
import {age, counted, exact, now} from './time.js';

/** @typedef {import('./types').StateVersion} StateVersion */
/** @typedef {import('./types').DiffSummary} DiffSummary */

/** Where the locks of stacks are. */
const NAMESPACE = 'deploy';

/** The lock that protects the state. @param {string} stack @param {string} environment */
export function lockOf(stack, environment) {
  return {namespace: NAMESPACE, name: `stack:${stack}:env:${environment}`};
}

/** Whose state a lock protects; null if it is another lock. @param {import('./types').LockName} lock */
export function stackOf({namespace, name}) {
  const found = namespace === NAMESPACE ? /^stack:([^:]+):env:([^:]+)$/.exec(name) : null;
  return found ? {stack: found[1], environment: found[2]} : null;
}

/** @param {string} stack @param {string} environment @param {Record<string, string>} [more] */
export function stackHref(stack, environment, more = {}) {
  return `/ui/stack?${new URLSearchParams({name: stack, environment, ...more})}`;
}

/** Where the server has it. @param {string} stack @param {string} environment */
export function statePath(stack, environment) {
  return `/state/${encodeURIComponent(stack)}/${encodeURIComponent(environment)}`;
}

const MINUTE = 60_000;

/** How long ago, without seconds where nobody counts them: a grid of numbers that run is hard to read. @param {string} time */
export function roughAge(time) {
  const ms = Math.max(0, now() - Date.parse(time));
  const unit = ms < MINUTE ? 1000 : ms < 60 * MINUTE ? MINUTE : ms < 24 * 60 * MINUTE ? MINUTE : 60 * MINUTE;
  return html`<time datetime=${time} title=${exact(time)}>${age(Math.floor(ms / unit) * unit)}</time>`;
}

/** As the command line says it: 812 B, 4.1 KB, 1.2 MB. @param {number} bytes */
export function sizeText(bytes) {
  const units = ['B', 'KB', 'MB', 'GB'];
  let size = bytes;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}

/** Terraform's word for what it does, as people say it. @param {string} operation */
export function operationText(operation) {
  return operation.startsWith('OperationType') ? operation.slice('OperationType'.length).toLowerCase() : operation;
}

/** How much changed, in a sentence. @param {DiffSummary} summary */
export function summaryText(summary) {
  const {added, changed, removed, others} = summary;
  const parts = [
    [added, 'added'],
    [changed, 'changed'],
    [removed, 'removed'],
  ].flatMap(([count, word]) => (count ? [`${count.toLocaleString()} ${word}`] : []));
  if (parts.length > 0) {
    return `${parts.join(', ')}${summary.complete ? '' : ', and more that were not counted'}`;
  }
  return others > 0 ? `no resource, only ${counted(others, 'field')} of the document` : 'nothing';
}

/** The same, in the room of a few letters. @param {DiffSummary} summary */
export function summaryMarks(summary) {
  const {added, changed, removed, others} = summary;
  if (added + changed + removed === 0) {
    return html`<span class="soft">${others > 0 ? counted(others, 'field') : 'no change'}</span>`;
  }
  const more = summary.complete ? '' : '+';
  return html`<span class="counts" role="img" aria-label=${summaryText(summary)} title=${summaryText(summary)}>
    ${added ? html`<span>+${added}${more}</span>` : nothing}${changed ? html`<span>~${changed}${more}</span>` : nothing}${removed ? html`<span>−${removed}${more}</span>` : nothing}</span>`;
}

/** The block that makes terraform keep its state here. @param {string} stack @param {string} environment */
export function backendBlock(stack, environment) {
  const address = `"${location.origin}${statePath(stack, environment)}"`;
  return `terraform {\n  backend "http" {\n    address        = ${address}\n    lock_address   = ${address}\n    unlock_address = ${address}\n  }\n}`;
}
