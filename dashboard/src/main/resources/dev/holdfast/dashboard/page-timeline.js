// Who held what, when: a lane for each lock, the busiest first. Drag to look closer.

import {html, nothing, svg} from 'lit-html';
import {repeat} from 'lit-html/directives/repeat.js';
import {Part, emptyState, isTyping, lockLink, problemBox, ticks} from './parts.js';
import {router} from './router.js';
import {session} from './session.js';
import {ApiProblem, withQuery} from './api.js';
import {OUTCOMES, barsOf, isWait, laneIn} from './timeline-data.js';
import {MOST, TimelineEvents} from './timeline-events.js';
import {lengthOf} from './timeline-lane.js';
import {age, clock, counted, exact, now} from './time.js';
import {keyText, lockHref} from './keys.js';

/** @typedef {import('./types').TimeBar} TimeBar */
/** @typedef {import('./types').TimeLane} TimeLane */

const MINUTE = 60_000;
const SPANS = /** @type {[string, string, number, string][]} */ ([
  ['5m', '5 min', 5 * MINUTE, '5 minutes'],
  ['15m', '15 min', 15 * MINUTE, '15 minutes'],
  ['1h', '1 h', 60 * MINUTE, 'hour'],
  ['6h', '6 h', 360 * MINUTE, '6 hours'],
  ['24h', '24 h', 1440 * MINUTE, '24 hours'],
]);
const USUAL = SPANS[2];
const LONGEST = SPANS[4][2];
const SHORTEST = 1_000;
/** Lanes at first, and with each "show more". */
const LANES = 40;
/** Rows of the table; the history has the rest. */
const ROWS = 500;
/** What happens is drawn at most so often. */
const GATHER_MS = 1_000;
/** When what is drawn has moved by this share of the window, it is drawn anew. */
const DRIFT = 0.2;
/** Less is a click, not a stretch of time. */
const DRAG_PX = 6;
/** Steps of the axis, in seconds, of which the finest is taken that has room. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600].map((seconds) => seconds * 1_000);
const STEP_PX = 88;

class Timeline extends Part {
  #events = new TimelineEvents();
  /** @type {ApiProblem | null} */
  #problem = null;
  #loaded = false;
  #reading = false;
  #asked = '';
  /** The time at the right edge. */
  #edge = 0;
  /** @type {import('./types').TimeScale & {span: number}} */
  #scale = {anchor: 0, perMs: 0, width: 0, span: 0};
  /** @type {TimeLane[]} */
  #lanes = [];
  /** Which lane is where; only the reader changes it. @type {Map<string, number>} */
  #order = new Map();
  #listed = LANES;
  #gathering = 0;
  /** Where the reader has zoomed in from. @type {string[]} */
  #zooms = [];
  /** What is being dragged over, in pixels of the plot. @type {{from: number, to: number, pointer: number} | null} */
  #brush = null;
  /** @type {{lane: string, key: string} | null} */
  #tip = null;
  #table = false;
  #width = 0;
  #resize = new ResizeObserver(() => this.#measured());

  connectedCallback() {
    super.connectedCallback();
    this.listen(session, 'change', () => this.#begin());
    this.listen(session, 'again', () => this.#load());
    this.listen(router, 'change', () => this.#begin());
    this.listen(session.locks, 'change', () => this.#gather());
    this.listen(session.stream, 'events', (told) => {
      if (this.#events.happened(/** @type {CustomEvent} */ (told).detail, this.#window.from)) {
        this.#gather();
      }
    });
    this.listen(ticks, 'tick', () => this.#tick());
    // Wherever it is let go, also outside of the plot or of the window.
    this.listen(window, 'pointerup', () => this.#dropped());
    this.listen(window, 'pointercancel', () => this.#cancelled());
    this.listen(document, 'keydown', (key) => this.#pressed(/** @type {KeyboardEvent} */ (key)));
    this.#resize.observe(this);
    this.#begin();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#gathering);
    this.#resize.disconnect();
  }

  // ---- which window

  /** What the address says: a stretch of time, or the last of a length. */
  get #window() {
    const {query} = router.place;
    const [from, to] = [Date.parse(query.get('from') ?? ''), Date.parse(query.get('to') ?? '')];
    if (from < to) {
      const end = Math.min(to, now());
      const start = Math.max(Math.min(from, end - SHORTEST), end - LONGEST);
      return {from: start, to: end, span: end - start, live: false, words: '', name: ''};
    }
    const [name, , span, words] = SPANS.find(([value]) => value === query.get('span')) ?? USUAL;
    const end = this.#edge || now();
    return {from: end - span, to: end, span, live: true, words, name};
  }

  #begin() {
    if (!session.caller || router.place.page !== 'timeline' || this.#asked === `?${location.search}`) {
      return;
    }
    this.#asked = `?${location.search}`;
    this.#edge = now();
    this.#listed = LANES;
    this.#tip = null;
    this.#order = new Map();
    const {from, to, live} = this.#window;
    if (this.#loaded && this.#events.covers(from, live ? null : to)) {
      this.#draw();
    } else {
      this.#load();
    }
  }

  async #load() {
    if (!this.#asked) {
      return;
    }
    const {from, to, live} = this.#window;
    this.#reading = true;
    this.requestUpdate();
    try {
      if (await this.#events.load(from, live ? null : to)) {
        this.#loaded = true;
        this.#reading = false;
        this.#problem = null;
        this.#draw();
      }
    } catch (failure) {
      if (!(failure instanceof ApiProblem)) {
        throw failure;
      }
      this.#problem = failure;
      this.#reading = false;
      this.requestUpdate();
    }
  }

  // ---- what is drawn

  /** Changes that come together are drawn together. */
  #gather() {
    if (!this.#gathering && this.#loaded) {
      this.#gathering = window.setTimeout(() => {
        this.#gathering = 0;
        if (!this.#isHeld) {
          this.#draw();
        }
      }, GATHER_MS);
    }
  }

  /** Whether the reader is pointing at something, which must then not move. */
  get #isHeld() {
    return this.#brush !== null || this.#tip !== null;
  }

  #tick() {
    const {live, span} = this.#window;
    if (!live || !this.#loaded || this.#isHeld || session.stream.state !== 'live') {
      return;
    }
    this.#edge = now();
    if (this.#edge - span - this.#scale.anchor > span * DRIFT) {
      this.#draw();
    } else {
      this.#move();
    }
  }

  /** Everything goes to the left by itself: one value for all lanes. */
  #move() {
    const shift = Math.min(0, (this.#scale.anchor - this.#window.from) * this.#scale.perMs);
    /** @type {HTMLElement | null} */ (this.querySelector('.lanes'))?.style.setProperty('--shift', `${shift.toFixed(2)}px`);
  }

  #draw() {
    const {from, to, span, live} = this.#window;
    const known = barsOf(this.#events.all.values(), session.locks.all.values(), {now: now(), complete: this.#events.to === null});
    const lanes = [...known.values()].flatMap((lane) => laneIn(lane, from, to) ?? []);
    lanes.sort((a, b) => b.heat - a.heat || (a.id < b.id ? -1 : 1));
    const last = this.#order.size;
    this.#lanes = lanes.sort((a, b) => (this.#order.get(a.id) ?? last) - (this.#order.get(b.id) ?? last));
    this.#order = new Map(lanes.map(({id}, i) => [id, i])); // who is gone has no place any more
    const drifted = from - this.#scale.anchor;
    if (span !== this.#scale.span || this.#width !== this.#scale.width || drifted < 0 || drifted > span * DRIFT || !live) {
      this.#scale = {anchor: from, perMs: this.#width / span, width: this.#width, span};
    }
    this.requestUpdate();
  }

  #measured() {
    const plot = this.querySelector('.axis svg');
    const width = Math.floor(plot?.getBoundingClientRect().width ?? 0);
    if (width > 0 && width !== this.#width) {
      this.#width = width;
      this.#draw();
    }
  }

  updated() {
    this.#measured();
    this.#move();
    requestAnimationFrame(() => this.#rove()); // lanes draw themselves a little later
  }

  // ---- zooming

  /** @param {PointerEvent} down */
  #dragBegins(down) {
    const plot = this.querySelector('.axis svg')?.getBoundingClientRect();
    if (!plot || down.button !== 0 || down.clientX < plot.left || down.pointerType === 'touch' || /** @type {HTMLElement} */ (down.target).closest?.('a, button')) {
      return;
    }
    const x = down.clientX - plot.left;
    this.#brush = {from: x, to: x, pointer: down.pointerId};
  }

  /** @param {PointerEvent} move */
  #dragged(move) {
    const plot = this.querySelector('.axis svg')?.getBoundingClientRect();
    if (!this.#brush || !plot || move.pointerId !== this.#brush.pointer) {
      return;
    }
    if (move.buttons === 0) {
      this.#cancelled(); // it was let go where nobody could tell
      return;
    }
    this.#brush.to = Math.max(0, Math.min(plot.width, move.clientX - plot.left));
    const {from, to} = this.#brush;
    if (Math.abs(to - from) >= DRAG_PX) {
      const lanes = /** @type {HTMLElement} */ (this.querySelector('.lanes'));
      if (!lanes.hasPointerCapture(move.pointerId)) {
        lanes.setPointerCapture(move.pointerId); // only now: a click still belongs to what is under it
        this.#tip = null;
      }
      this.requestUpdate();
    }
  }

  #dropped() {
    const brush = this.#brush;
    this.#cancelled();
    if (brush && Math.abs(brush.to - brush.from) >= DRAG_PX) {
      this.#zoomTo(...this.#timesOf(brush));
    }
  }

  #cancelled() {
    if (this.#brush) {
      this.#brush = null;
      this.requestUpdate();
    }
  }

  /** @param {{from: number, to: number}} brush @returns {[number, number]} */
  #timesOf(brush) {
    const {from, span} = this.#window;
    /** @param {number} x */
    const time = (x) => from + (x / this.#width) * span;
    return [time(Math.min(brush.from, brush.to)), time(Math.max(brush.from, brush.to))];
  }

  /** @param {number} from @param {number} to */
  #zoomTo(from, to) {
    const end = Math.min(now(), Math.max(to, from + SHORTEST));
    const start = Math.min(from, end - SHORTEST);
    this.#zooms.push(location.search);
    goTo(withQuery('/ui/timeline', {from: new Date(start).toISOString(), to: new Date(end).toISOString()}));
  }

  #zoomOut() {
    goTo(`/ui/timeline${this.#zooms.pop() ?? ''}`);
  }

  // ---- pointing and keys

  /** @param {Event} over */
  #pointed(over) {
    const target = /** @type {Element} */ (over.target);
    const bar = target.closest?.('rect[data-key]');
    const lane = bar?.closest('hf-lane');
    if (!bar || !lane || this.#brush) {
      return;
    }
    this.#tip = {lane: /** @type {HTMLElement} */ (lane).dataset.id ?? '', key: bar.getAttribute('data-key') ?? ''};
    this.requestUpdate();
    this.updateComplete.then(() => this.#placeTip(bar));
  }

  /** @param {Event} away */
  #left(away) {
    const next = /** @type {FocusEvent | PointerEvent} */ (away).relatedTarget;
    if (this.#tip && !(next instanceof Element && next.closest('rect[data-key]'))) {
      this.#tip = null;
      this.#tick();
      this.#gather();
      this.requestUpdate();
    }
  }

  /** Beside what it tells of, and within the window. @param {Element} bar */
  #placeTip(bar) {
    const tip = /** @type {HTMLElement | null} */ (this.querySelector('.tip'));
    const plot = this.querySelector('.axis svg')?.getBoundingClientRect();
    if (!tip || !plot) {
      return;
    }
    const box = bar.getBoundingClientRect();
    const size = tip.getBoundingClientRect();
    const left = Math.max(plot.left, box.left);
    const below = box.bottom + 8 + size.height < innerHeight;
    tip.style.setProperty('left', `${Math.max(8, Math.min(innerWidth - size.width - 8, left))}px`);
    tip.style.setProperty('top', `${below ? box.bottom + 8 : box.top - size.height - 8}px`);
  }

  /** @param {MouseEvent} click */
  #clicked(click) {
    const bar = /** @type {Element} */ (click.target).closest?.('rect[data-key]');
    const lane = this.#laneOf(bar);
    if (lane && (click.metaKey || click.ctrlKey)) {
      open(lockHref(lane.lock), '_blank');
    } else if (lane) {
      router.go(lockHref(lane.lock));
    }
  }

  /** @param {Element | null | undefined} bar */
  #laneOf(bar) {
    const id = /** @type {HTMLElement | null | undefined} */ (bar?.closest('hf-lane'))?.dataset.id;
    return this.#lanes.find((lane) => lane.id === id);
  }

  /** @param {KeyboardEvent} key */
  #pressed(key) {
    if (isTyping(key) || key.metaKey || key.ctrlKey || key.altKey) {
      return;
    }
    const here = document.activeElement;
    const inLanes = here?.closest('.lanes');
    if (key.key === 'Escape' && this.#brush) {
      this.#cancelled();
    } else if (key.key === 'Escape' && (this.#zooms.length > 0 || !this.#window.live)) {
      this.#zoomOut();
    } else if (key.key === '.') {
      this.#order = new Map();
      this.#draw();
    } else if (inLanes && here && MOVES.includes(key.key)) {
      this.#step(here, key.key);
    } else if (inLanes && here?.matches('rect[data-key]') && (key.key === 'Enter' || key.key === ' ')) {
      const lane = this.#laneOf(here);
      if (lane) {
        router.go(lockHref(lane.lock));
      }
    } else if (inLanes && here?.matches('rect[data-key]') && key.key === '+') {
      const bar = this.#laneOf(here)?.bars.find((it) => it.key === here.getAttribute('data-key'));
      if (bar) {
        const length = Math.max(SHORTEST, (bar.to ?? now()) - bar.from);
        this.#zoomTo(bar.from - bar.waited - length / 4, (bar.to ?? now()) + length / 4);
      }
    } else {
      return;
    }
    key.preventDefault();
  }

  /** Within a lane in time, from lane to lane to what is nearest. @param {Element} here @param {string} key */
  #step(here, key) {
    const lanes = [...this.querySelectorAll('hf-lane')];
    const at = lanes.indexOf(/** @type {Element} */ (here.closest('hf-lane')));
    if (at < 0) {
      return;
    }
    /** @param {Element} lane */
    const stops = (lane) => [...lane.querySelectorAll('.label, rect[data-key]')].filter((stop) => stop.matches('.label') || this.#isSeen(stop));
    const row = stops(lanes[at]);
    const place = row.indexOf(here);
    /** @type {Element | undefined} */
    let next;
    if (key === 'ArrowLeft' || key === 'ArrowRight') {
      next = row[place + (key === 'ArrowRight' ? 1 : -1)];
    } else if (key === 'Home' || key === 'End') {
      next = row[key === 'Home' ? 0 : row.length - 1];
    } else {
      const lane = lanes[at + (key === 'ArrowDown' ? 1 : -1)];
      const x = here.getBoundingClientRect().left;
      next = lane && (here.matches('.label') ? stops(lane)[0] : stops(lane).slice(1).sort((a, b) => Math.abs(a.getBoundingClientRect().left - x) - Math.abs(b.getBoundingClientRect().left - x))[0] ?? stops(lane)[0]);
    }
    if (next) {
      /** @type {HTMLElement} */ (next).focus({preventScroll: true});
      next.closest('hf-lane')?.scrollIntoView({block: 'nearest'});
      this.#rove();
    }
  }

  /** @param {Element} bar */
  #isSeen(bar) {
    const plot = this.querySelector('.axis svg')?.getBoundingClientRect();
    const box = bar.getBoundingClientRect();
    return plot !== undefined && box.right > plot.left && box.left < plot.right;
  }

  /** One stop for the Tab key: where the reader was, or the first lane. */
  #rove() {
    const lanes = this.querySelector('.lanes');
    const stop = (document.activeElement?.closest('.lanes') ? document.activeElement : null) ?? lanes?.querySelector('[tabindex="0"]') ?? lanes?.querySelector('.label');
    for (const other of lanes?.querySelectorAll('[tabindex="0"]') ?? []) {
      if (other !== stop) {
        other.setAttribute('tabindex', '-1');
      }
    }
    if (stop?.matches('.label, rect[data-key]')) {
      stop.setAttribute('tabindex', '0');
    }
  }

  // ---- showing

  render() {
    if (!this.#isReady && !this.#problem) {
      return html`<h1 class="sentence soft">Looking…</h1>`;
    }
    const window = this.#window;
    return html`
      <h1 class="sentence">${this.#sentence()}</h1>
      <div class="filters" role="group" aria-label="Window">
        ${SPANS.map(([value, words]) => html`<button class="chip" aria-pressed=${window.live && window.name === value} @click=${() => this.#show(value)}>${words}</button>`)}
        ${window.live ? nothing : html`<button @click=${() => this.#zoomOut()}>Back <kbd>Esc</kbd></button>
          <span class="small soft">${clock(window.from)} – ${clock(window.to)}, ${age(window.span)}</span>`}
        <span class="rest"></span>
        <span class="legend small soft"><i class="released"></i>given back <i class="held"></i>held now <i class="expired"></i>expired <i class="forced"></i>forced or lost <i class="waited"></i>waited</span>
      </div>
      ${this.#problem ? html`${problemBox(this.#problem, this.#loaded ? 'What is shown is old: the history cannot be read now.' : 'The history cannot be read.')}
        <p><button @click=${() => this.#load()}>Try again</button></p>` : nothing}
      ${session.locks.problem ? problemBox(session.locks.problem, 'What is held now may be missing: locks cannot be read.') : nothing}
      ${this.#isReady ? html`${this.#bounds()}${this.#lanes.length > 0 ? html`${this.#chart()}${this.#more()}${this.#asTable()}` : this.#empty()}` : nothing}`;
  }

  /** @param {string} span */
  #show(span) {
    this.#zooms = [];
    goTo(withQuery('/ui/timeline', {span: span === USUAL[0] ? '' : span}));
  }

  /** All at once: nothing moves when the rest comes. */
  get #isReady() {
    return this.#loaded && (session.locks.complete || session.locks.problem !== null);
  }

  #sentence() {
    if (!this.#isReady) {
      return html`<span class="soft">Nothing is known.</span>`;
    }
    const {live, span, words, from, to} = this.#window;
    const when = live ? `in the last ${words}` : `between ${clock(from)} and ${clock(to)}`;
    if (this.#lanes.length === 0) {
      return `No lock was held ${when}.`;
    }
    const busiest = this.#lanes.reduce((most, lane) => (lane.held > most.held ? lane : most));
    const longest = this.#lanes.reduce((most, lane) => (lane.longest > most.longest ? lane : most));
    const share = Math.round((busiest.held / span) * 100);
    return html`${counted(this.#lanes.length, 'lock')} in use ${when}. The busiest, ${lockLink(busiest.lock)}, was held ${share > 0 ? `${share} % of the time` : 'for moments'};
      ${longest.longest >= 1000 ? html`the longest wait was ${age(Math.floor(longest.longest / 1000) * 1000)}${longest.id === busiest.id ? '' : html` for ${lockLink(longest.lock)}`}.` : 'nobody waited.'}`;
  }

  /** Says so when it is not everything. */
  #bounds() {
    const {from} = this.#window;
    const cut = this.#events.cut && this.#events.from > from;
    return cut || session.locks.truncated
      ? html`<p class="small warn bounds" role="note">${cut ? `Not complete: the last ${MOST.toLocaleString()} events, since ${clock(this.#events.from)}. Choose a shorter window to see all of it. ` : ''}${
          session.locks.truncated ? 'There are more locks in use than can be read.' : ''}</p>`
      : nothing;
  }

  #chart() {
    const scale = this.#scale;
    const brush = this.#brush && Math.abs(this.#brush.to - this.#brush.from) >= DRAG_PX ? this.#brush : null;
    return html`<div class="lanes ${brush ? 'brushing' : ''}" role="group" aria-label="Holds in time. Arrow keys move, Enter opens the lock, plus zooms in, Escape goes back. The table below shows the same."
        @pointerdown=${this.#dragBegins} @pointermove=${this.#dragged}
        @pointerover=${this.#pointed} @pointerout=${this.#left} @focusin=${this.#pointed} @focusout=${this.#left} @click=${this.#clicked}>
      <div class="axis" aria-hidden="true"><span class="soft"><span>Lock</span><span>held</span></span><svg width="100%" height="24"><g class="moving">${this.#ticks().map(({x, words}) => svg`<text x=${x} y="16">${words}</text>`)}</g></svg></div>
      <div class="behind" aria-hidden="true"><svg width="100%" height="100%"><g class="moving">
        ${this.#events.from > scale.anchor ? svg`<rect class="not-known" x=${-scale.width} width=${scale.width + (this.#events.from - scale.anchor) * scale.perMs} y="0" height="100%" />` : nothing}
        ${this.#ticks().map(({x}) => svg`<line x1=${x} x2=${x} y1="0" y2="100%" />`)}
      </g></svg>
      ${brush ? html`<div class="brush" .style=${`left:${Math.min(brush.from, brush.to)}px;width:${Math.abs(brush.to - brush.from)}px`}><span>${age(Math.max(SHORTEST, this.#timesOf(brush)[1] - this.#timesOf(brush)[0]))}</span></div>` : nothing}</div>
      ${repeat(this.#lanes.slice(0, this.#listed), ({id}) => id, (lane) => html`<hf-lane data-id=${lane.id} .shown=${{lane, scale}}></hf-lane>`)}
    </div>${this.#tipCard()}`;
  }

  #ticks() {
    const {anchor, perMs, width} = this.#scale;
    if (width === 0) {
      return [];
    }
    const step = STEPS.find((one) => one * perMs >= STEP_PX) ?? STEPS[STEPS.length - 1];
    const zone = new Date(anchor).getTimezoneOffset() * MINUTE;
    const first = Math.ceil((anchor - zone) / step) * step + zone;
    const count = Math.ceil((width * (1 + DRIFT)) / (step * perMs));
    const format = step < MINUTE ? WITH_SECONDS : WITH_MINUTES;
    return Array.from({length: count}, (_, i) => first + i * step).map((time) => ({x: (time - anchor) * perMs, words: format.format(time)}));
  }

  #tipCard() {
    const lane = this.#tip && this.#lanes.find(({id}) => id === this.#tip?.lane);
    const bar = lane && lane.bars.find(({key}) => key === this.#tip?.key);
    if (!bar) {
      return nothing;
    }
    const rows = /** @type {[string, unknown][]} */ ([
      [isWait(bar) ? 'Waiting' : 'Held', `${lengthOf(bar)}, ${bar.to === null ? `since ${clock(bar.from)}` : `${clock(bar.from)} – ${clock(bar.to)}`}`],
      ['Before', bar.waited > 0 ? `waited ${age(bar.waited)}` : ''],
      ['Part', bar.path ? `/${bar.path}` : ''],
      ['Reason', bar.reason],
      ['Token', bar.token === null ? '' : html`<span class="mono">${bar.token}</span>`],
    ]);
    return html`<div class="tip" aria-hidden="true"><p><b>${bar.owner}</b> <span class="outcome ${bar.how}">${OUTCOMES[bar.how]}${bar.by ? ` by ${bar.by}` : ''}</span></p>
      <dl>${rows.filter(([, value]) => value).map(([words, value]) => html`<dt>${words}</dt><dd>${value}</dd>`)}</dl></div>`;
  }

  #more() {
    const rest = this.#lanes.length - this.#listed;
    return rest > 0 ? html`<p class="end"><button @click=${() => {
      this.#listed += LANES;
      this.requestUpdate();
    }}>Show more</button> <span class="small soft">${counted(rest, 'quieter lock')}</span></p>` : nothing;
  }

  /** The same for who cannot see it, or wants to copy it. */
  #asTable() {
    return html`<details class="same" ?open=${this.#table} @toggle=${(/** @type {Event} */ it) => {
      this.#table = /** @type {HTMLDetailsElement} */ (it.target).open;
      this.requestUpdate();
    }}><summary>The same as a table</summary>${this.#table ? this.#rows() : nothing}</details>`;
  }

  #rows() {
    const {from, to, live} = this.#window;
    const all = this.#lanes.flatMap((lane) => lane.bars.map((bar) => ({lane, bar}))).sort((a, b) => b.bar.from - a.bar.from);
    const query = {from: new Date(from).toISOString(), to: live ? '' : new Date(to).toISOString()};
    return html`<div class="scrolls" tabindex="0" role="region" aria-label="Holds and waits"><table class="same"><thead><tr>${['Lock', 'Owner', 'From', 'To', 'Lasted', 'Waited before', 'Outcome', 'Token', 'Reason'].map((words) => html`<th scope="col">${words}</th>`)}</tr></thead>
      <tbody>${repeat(all.slice(0, ROWS), ({lane, bar}) => `${lane.id} ${bar.key}`, ({lane, bar}) => html`<tr>
        <td><a class="key" href=${lockHref(lane.lock)}>${keyText(lane.lock, bar.path)}</a></td><td>${bar.owner}</td>
        <td>${timeCell(bar.from)}</td><td>${bar.to === null ? nothing : timeCell(bar.to)}</td><td>${lengthOf(bar)}</td><td>${bar.waited > 0 ? age(bar.waited) : nothing}</td>
        <td>${OUTCOMES[bar.how]}${bar.by ? ` by ${bar.by}` : ''}</td><td class="mono">${bar.token ?? ''}</td><td>${bar.reason}</td></tr>`)}</tbody></table></div>
      ${all.length > ROWS ? html`<p class="small soft">The newest ${ROWS} of ${all.length.toLocaleString()}. <a href=${withQuery('/ui/history', query)}>All events</a></p>` : nothing}`;
  }

  #empty() {
    if (this.#problem || this.#reading) {
      return nothing;
    }
    return this.#window.live
      ? emptyState('No lock was held', `Nothing happened in the last ${this.#window.words}, and nothing is held. A longer window may show more.`, `holdfast exec --server ${location.origin} nightly-report -- sleep 60`)
      : html`<div class="empty"><h2>No lock was held</h2><p>Nothing is known of this time: nobody held a lock, or it is older than the history.</p><p><button @click=${() => this.#zoomOut()}>Back</button></p></div>`;
  }
}

const MOVES = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'];
const WITH_MINUTES = new Intl.DateTimeFormat(undefined, {hour: '2-digit', minute: '2-digit'});
const WITH_SECONDS = new Intl.DateTimeFormat(undefined, {hour: '2-digit', minute: '2-digit', second: '2-digit'});

/** @param {number} time */
function timeCell(time) {
  const iso = new Date(time).toISOString();
  return html`<time datetime=${iso} title=${exact(iso)}>${clock(time)}</time>`;
}

/** A step for the back button, without going to the top. @param {string} href */
function goTo(href) {
  history.pushState(null, '', href);
  router.refine({});
}

customElements.define('hf-timeline', Timeline);
