// One lock on the timeline. It is drawn again only when something in it changed: what moves all lanes is the style sheet.

import {html, nothing, svg} from 'lit-html';
import {Part} from './parts.js';
import {OUTCOMES, isWait} from './timeline-data.js';
import {keyText, lockHref} from './keys.js';
import {age, clock, now} from './time.js';

/** @typedef {import('./types').TimeBar} TimeBar */
/** @typedef {import('./types').TimeLane} TimeLane */
/** @typedef {import('./types').TimeScale} TimeScale */

export const LANE = 32;
const [TOP, ROOM, WAIT] = [5, 18, 26];
/** What is shorter can still be seen and hit. */
const NARROWEST = 3;
/** Far beyond the right edge: what lasts goes on there by itself. */
const BEYOND = 4;

class Lane extends Part {
  /** @type {TimeLane | null} */
  #lane = null;
  /** @type {TimeScale | null} */
  #scale = null;
  #drawn = '';

  /** @param {{lane: TimeLane, scale: TimeScale}} shown */
  set shown({lane, scale}) {
    const drawn = `${scale.anchor} ${scale.perMs} ${scale.width} ${Math.round(lane.held / 1000)} ${lane.bars.map((bar) => `${bar.key} ${bar.from} ${bar.to} ${bar.how} ${bar.waited}`).join()}`;
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      this.#lane = lane;
      this.#scale = scale;
      this.requestUpdate();
    }
  }

  /** @param {string} key */
  bar(key) {
    return this.#lane?.bars.find((bar) => bar.key === key) ?? null;
  }

  get lock() {
    return this.#lane?.lock ?? null;
  }

  render() {
    const [lane, scale] = [this.#lane, this.#scale];
    if (!lane || !scale) {
      return nothing;
    }
    const key = keyText(lane.lock);
    const share = Math.round((lane.held * scale.perMs * 100) / scale.width);
    const much = [`held ${age(lane.held)}`, lane.waited > 0 ? `waited for ${age(lane.waited)}` : ''].filter(Boolean).join(', ');
    return html`<a class="label" tabindex="-1" href=${lockHref(lane.lock)} title=${`${key}\n${much}`}><span class="key"><span class="soft">${lane.lock.namespace}:</span>${key.slice(lane.lock.namespace.length + 1)}</span><span class="soft note">${share > 0 ? `${share} %` : ''}</span></a>
      <svg class="plot" width="100%" height=${LANE} role="group" aria-label=${`${key}, ${much}`}><g class="moving">
        ${lane.bars.map((bar) => this.#bar(bar, lane, scale))}
      </g></svg>`;
  }

  /** @param {TimeBar} bar @param {TimeLane} lane @param {TimeScale} scale */
  #bar(bar, lane, scale) {
    /** @param {number} time */
    const x = (time) => Math.max(-scale.width, Math.min(scale.width * BEYOND, (time - scale.anchor) * scale.perMs));
    const [from, to] = [x(bar.from), bar.to === null ? scale.width * BEYOND : x(bar.to)];
    const label = barLabel(bar);
    if (isWait(bar)) {
      return svg`<rect class="wait ${bar.how}" data-key=${bar.key} role="link" tabindex="-1" aria-label=${label} x=${from} width=${Math.max(NARROWEST, to - from)} y=${WAIT - 1} height="3" />`;
    }
    const height = ROOM / lane.depth;
    const row = lane.rows.get(bar.key) ?? 0;
    return svg`${bar.waited > 0 ? svg`<line x1=${x(bar.from - bar.waited)} x2=${from} y1=${WAIT + 0.5} y2=${WAIT + 0.5} />` : nothing}
      <rect class=${bar.how} data-key=${bar.key} role="link" tabindex="-1" aria-label=${label} x=${from} width=${Math.max(NARROWEST, to - from - 1)} y=${TOP + row * height} height=${height - (lane.depth > 1 ? 1 : 0)} rx=${Math.min(3, height / 4)} />`;
  }
}

/** All of it in a sentence. @param {TimeBar} bar */
export function barLabel(bar) {
  const part = bar.path ? `, part ${bar.path}` : '';
  const waited = bar.waited > 0 ? `, waited ${age(bar.waited)}` : '';
  const reason = bar.reason ? `, ${bar.reason}` : '';
  return `${bar.owner}${part}, ${OUTCOMES[bar.how]}${bar.by ? ` by ${bar.by}` : ''}, ${lengthOf(bar)} since ${clock(bar.from)}${waited}${reason}${bar.token === null ? '' : `, token ${bar.token}`}`;
}

/** @param {TimeBar} bar */
export function lengthOf(bar) {
  if (bar.how === 'unknown' || bar.how === 'later') {
    return bar.how === 'later' ? 'longer than this window' : 'for an unknown time';
  }
  return bar.to === null ? age(Math.floor((now() - bar.from) / 1000) * 1000) : age(bar.to - bar.from);
}

customElements.define('hf-lane', Lane);
