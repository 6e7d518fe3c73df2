// What several pages show, each made in one place.

import {html, nothing, svg} from 'lit-html';
import {LitElement} from 'lit-element/lit-element.js';
import {age, clock, exact, now, roughly} from './time.js';
import {keyText, lockHref, pathsOf} from './keys.js';

/** @typedef {import('./types').Holder} Holder */
/** @typedef {import('./types').LockName} LockName */
/** @typedef {import('./types').LockEvent} LockEvent */

/** Something on the page: in the document itself, so that one style sheet is enough. */
export class Part extends LitElement {
  /** @type {(() => void)[]} */
  #heard = [];

  createRenderRoot() {
    return this;
  }

  /**
   * Renders again whenever this tells something, as long as it is on the page.
   * @param {EventTarget} source
   * @param {string} type
   * @param {(event: Event) => void} [act]
   */
  listen(source, type, act = () => this.requestUpdate()) {
    source.addEventListener(type, act);
    this.#heard.push(() => source.removeEventListener(type, act));
  }

  /** Nobody is asked any more about what is no longer on the page. */
  closeDialogs() {
    this.querySelectorAll('dialog').forEach((dialog) => dialog.close());
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#heard.forEach((forget) => forget());
    this.#heard = [];
  }
}

/** A dialog that asks the server about something, and later perhaps about something else. */
export class AskingDialog extends Part {
  /** Another one each time it is opened: an answer to what was asked before is not told in it. */
  turn = 0;

  get dialog() {
    return /** @type {HTMLDialogElement} */ (this.querySelector('dialog'));
  }

  /** Opens it with nothing filled in. */
  async open() {
    this.turn += 1;
    const {turn} = this;
    this.requestUpdate();
    await this.updateComplete;
    if (turn === this.turn && this.isConnected && !this.dialog.open) {
      this.dialog.querySelector('form')?.reset();
      this.dialog.showModal();
    }
  }
}

/** One tick a second for everything that counts, and none while nobody looks. */
export const ticks = new EventTarget();
setInterval(() => {
  if (!document.hidden) {
    ticks.dispatchEvent(new Event('tick'));
  }
}, 1000);

/** @param {string} time */
export function timeOf(time) {
  return html`<time datetime=${time} title=${exact(time)}>${clock(time)}</time>`;
}

/** @param {string} time */
export function ageOf(time) {
  return html`<time datetime=${time} title=${exact(time)}>${roughly(now() - Date.parse(time))}</time>`;
}

/**
 * A lock as a link: the namespace quiet, the name clear.
 * @param {LockName} lock
 * @param {string} [path]
 */
export function lockLink(lock, path = '') {
  const text = keyText(lock, path);
  const name = text.slice(lock.namespace.length + 1);
  return html`<a class="key" href=${lockHref(lock)} title=${text}><span class="soft">${lock.namespace}:</span>${name}</a>`;
}

/**
 * How much of a lease is left, in steps of a pixel. Drawn by the one tick of the page: an animation of the style sheet, however slow,
 * makes a browser draw sixty times a second, and a list of them takes a tenth of a core while nothing happens.
 */
class LeaseBar extends HTMLElement {
  static observedAttributes = ['left'];

  connectedCallback() {
    this.#draw();
  }

  attributeChangedCallback() {
    if (this.isConnected) {
      this.#draw();
    }
  }

  #draw() {
    if (!this.firstChild) {
      this.append(document.createElement('span'));
    }
    this.style.setProperty('--left', String(Number(this.getAttribute('left')) / LEASE_STEPS));
  }
}
/** As wide as it is, in pixels. */
const LEASE_STEPS = 56;
customElements.define('hf-lease-bar', LeaseBar);

/** @param {number} share that is left, from 0 to 1 */
export function leaseBar(share) {
  return html`<hf-lease-bar aria-hidden="true" left=${Math.round(Math.max(0, Math.min(1, share)) * LEASE_STEPS)}></hf-lease-bar>`;
}

/**
 * When the hold ends unless it is renewed, as a bar and in words.
 * @param {Holder} holder
 */
export function leaseLeft(holder) {
  if (!holder.expires_at) {
    return html`<span class="lease"><span class="soft">no end</span></span>`;
  }
  const left = Date.parse(holder.expires_at) - now();
  const lease = Date.parse(holder.expires_at) - Date.parse(holder.renewed_at);
  const soon = left < lease / 4;
  return html`<span class="lease ${soon ? 'soon' : ''}">
    ${leaseBar(left / lease)}
    <span class="left" title=${exact(holder.expires_at)}>${left < 0 ? 'ended' : roughly(left)}</span>
  </span>`;
}

/** @param {Holder} holder */
export function marks(holder) {
  const part = pathsOf(holder);
  return html`${holder.stale ? html`<span class="mark warn">stale</span>` : nothing}
  ${holder.mode === 'shared' ? html`<span class="mark">shared</span>` : nothing}
  ${holder.mode === 'permit' ? html`<span class="mark">permit${holder.limit ? ` of ${holder.limit}` : ''}</span>` : nothing}
  ${part ? html`<span class="mark mono">/${part}</span>` : nothing}`;
}

/** What the owner did with a lock: the words before and after its name. */
const SAID = /** @type {Record<string, [string, string]>} */ ({
  'lock.acquired': ['got', ''],
  'lock.released': ['gave', 'back'],
  'lock.expired': ['let', 'expire'],
  'lock.lost': ['lost', ''],
  'lock.forced': ['was forced off', ''],
  'lock.queued': ['waits for', ''],
  'lock.abandoned': ['stopped waiting for', ''],
  'lock.stale': ['looks gone, and holds', ''],
  'state.saved': ['saved', ''],
  'state.refused': ['was not allowed to save', ''],
  'state.restored': ['restored', ''],
  'state.deleted': ['deleted', ''],
  'guard.decision': ['decided about', ''],
  'guard.registered': ['registered', ''],
  'guard.unregistered': ['removed', ''],
  'guard.stop': ['asked to stop', ''],
  'guard.start': ['asked to start', ''],
  'token.created': ['made', ''],
  'token.revoked': ['revoked', ''],
  'cleanup.done': ['cleaned up', ''],
  'store.restored': ['restored from a backup', ''],
});

/** @param {LockEvent} event */
export function tone(event) {
  switch (event.event) {
    case 'lock.lost':
    case 'lock.forced':
    case 'state.refused':
      return 'bad';
    case 'lock.expired':
    case 'lock.stale':
      return 'warn';
    default:
      return '';
  }
}

/**
 * One thing that happened, as a sentence.
 * @param {LockEvent} event
 * @param {boolean} [named] whether the lock is told
 */
export function eventLine(event, named = true) {
  const waited = event.waited_ms ? html` <span class="soft">after ${age(event.waited_ms)}</span>` : nothing;
  const held = event.held_ms ? html` <span class="soft">after ${age(event.held_ms)}</span>` : nothing;
  const by = event.event === 'lock.forced' ? html` <span class="soft">by ${event.actor}</span>` : nothing;
  const [before, after] = SAID[event.event] ?? [event.event, ''];
  return html`<li class="event ${tone(event)}" title=${named ? (event.reason ?? '') : ''}>
    <span class="when">${timeOf(event.timestamp)}</span>
    <span class="dot" aria-hidden="true"></span>
    <span class="what"><b>${event.event === 'guard.decision' ? 'The guard' : event.owner || event.actor}</b> ${before}
      ${named ? lockLink(event, event.path) : event.path ? html`<span class="mono">/${event.path}</span>` : 'it'} ${after}${waited}${held}${by}
      ${event.reason ? html`<span class="soft why">${event.reason}</span>` : nothing}</span>
  </li>`;
}

/**
 * A line of numbers; where nothing is known there is no line.
 * @param {(number | null)[]} values
 * @param {string} label
 */
export function sparkline(values, label) {
  const width = 240;
  const height = 40;
  const top = Math.max(1, ...values.map((value) => value ?? 0));
  const step = width / (values.length - 1);
  const points = values.flatMap((value, i) =>
    value === null ? [] : [`${(i * step).toFixed(1)},${(height - 2 - (value / top) * (height - 6)).toFixed(1)}`],
  );
  if (points.length < 2) {
    return html`<svg class="spark" viewBox="0 0 ${width} ${height}" role="img" aria-label=${`${label}: no line yet`}></svg>`;
  }
  const first = points[0].split(',')[0];
  const last = points[points.length - 1].split(',')[0];
  return html`<svg class="spark" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label=${label}>
    ${svg`<polygon points="${first},${height} ${points.join(' ')} ${last},${height}"/><polyline points="${points.join(' ')}"/>`}
  </svg>`;
}

/**
 * What went wrong, with what helps others to find out why.
 * @param {import('./api.js').ApiProblem} problem
 * @param {string} what could not be done
 */
export function problemBox(problem, what) {
  return html`<div class="problem" role="alert">
    <p><b>${what}</b> ${problem.message}</p>
    <p class="soft mono">${problem.code}${problem.requestId ? ` · request ${problem.requestId}` : ''}
      <button class="quiet" @click=${() => copy(`${problem.code} ${problem.message} ${problem.requestId}`)}>Copy</button></p>
  </div>`;
}

/**
 * What came of an act that failed: without an answer nobody knows.
 * @param {import('./api.js').ApiProblem} problem
 * @param {string} refused what to say if the server refused it
 */
export function undone(problem, refused) {
  return problem.isOutage ? 'It is not known whether it was done; look again.' : refused;
}

/**
 * Nothing to show, and the command that changes that.
 * @param {string} title
 * @param {string} text
 * @param {string} [command]
 */
export function emptyState(title, text, command = '') {
  return html`<div class="empty">
    <h2>${title}</h2>
    <p>${text}</p>
    ${command ? html`<p class="command"><code>${command}</code><button class="quiet" @click=${() => copy(command)}>Copy</button></p>` : nothing}
  </div>`;
}

/**
 * What can be copied about something.
 * @param {{what: string, text: string}[]} copies
 */
export function copyMenu(copies) {
  return html`<details class="menu" @keydown=${closeOnEscape}>
    <summary class="button">Copy as</summary>
    <ul>${copies.map(({what, text}) => html`<li><button @click=${(/** @type {Event} */ it) => {
      copy(text);
      closeMenu(it);
    }}><span>${what}</span><code>${text.split('\n')[0]}</code></button></li>`)}</ul>
  </details>`;
}

/** @param {KeyboardEvent} key */
function closeOnEscape(key) {
  if (key.key === 'Escape') {
    closeMenu(key);
  }
}

/** The focus stays where the menu was. @param {Event} event inside of it */
function closeMenu(event) {
  const menu = /** @type {HTMLElement} */ (event.target).closest('details');
  if (menu?.open) {
    menu.open = false;
    menu.querySelector('summary')?.focus();
  }
}

/** @param {string} text */
export async function copy(text) {
  await navigator.clipboard.writeText(text).catch(() => fallbackCopy(text));
  document.dispatchEvent(new CustomEvent('hf-said', {detail: 'Copied'}));
}

/** Without a secure origin a browser has no clipboard, but still selections. @param {string} text */
function fallbackCopy(text) {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'offscreen';
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

/** Whether keys belong to what has the focus. @param {KeyboardEvent} key */
export function isTyping(key) {
  const target = /** @type {HTMLElement} */ (key.target);
  return target.matches?.('input, textarea, select, [contenteditable]') || document.querySelector('dialog[open]') !== null;
}
