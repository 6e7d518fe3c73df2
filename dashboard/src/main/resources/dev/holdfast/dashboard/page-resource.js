// One database: what it does, who shares it and how they answer, who wants it stopped, and every decision with what it was based on.

import {html, nothing} from 'lit-html';
import {repeat} from 'lit-html/directives/repeat.js';
import {Part, ageOf, copyMenu, eventLine, lockLink, problemBox, ticks} from './parts.js';
import {router} from './router.js';
import {session} from './session.js';
import {Regular} from './regular.js';
import {ApiProblem} from './api.js';
import {mayGuard} from './access.js';
import {setServerTime} from './time.js';
import {shell} from './keys.js';
import {capital, decisionLine, downIn, folded, lastLook, legend, squares, stateMark, stopBar} from './guard-parts.js';
import {isFailing, isWaiting, list, lockOf, nextWords, plainReason, resourceHref, standingWords, statusWords, verb} from './guard-words.js';
import './guard-ask.js';

/** @typedef {import('./types').Resource} Resource */
/** @typedef {import('./types').ResourceUser} ResourceUser */

const EVERY_MS = 3_000;
/** After an event; those that come together are one reason to read. */
const SOON_MS = 1_000;
/** As many as are kept with it; older ones are in the history of its lock. */
const DECISIONS = 50;
/** Nor more than about so many decisions and pieces of evidence together. */
const MOST_KEPT = 900;
const SQUARES = 30;
const LISTED = 8;
const OLDER = 50;

class ResourcePage extends Part {
  /** @type {Resource | null} */
  #resource = null;
  /** @type {ApiProblem | null} */
  #problem = null;
  #listed = LISTED;
  /** Decisions that are no longer kept with it. @type {import('./types').LockEvent[]} */
  #older = [];
  /** Where the next older ones begin; null at the end, empty before the first were asked for. @type {string | null} */
  #cursor = '';
  /** What is seen of apps is no event. */
  #regular = new Regular(() => this.#read(), EVERY_MS, SOON_MS);
  #asked = '';
  #looking = '';
  /** Decisions that are unfolded: the first one, and those the reader opened. @type {Set<string>} */
  #open = new Set();

  connectedCallback() {
    super.connectedCallback();
    this.listen(session, 'change', () => this.#begin());
    this.listen(session, 'again', () => this.#read());
    this.listen(router, 'change', () => this.#begin());
    this.listen(session.stream, 'events', (told) => {
      const {name} = lockOf(this.#asked);
      if (/** @type {CustomEvent} */ (told).detail.some((/** @type {import('./types').LockEvent} */ event) => event.event === 'guard.decision' && event.name === name)) {
        this.#regular.soon();
      }
    });
    this.listen(this, 'asked', () => this.#read());
    this.listen(ticks, 'tick');
    this.#begin();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#regular.stop();
  }

  get #id() {
    return router.place.query.get('id') ?? '';
  }

  #begin() {
    const id = this.#id;
    if (id === this.#asked || !session.caller || router.place.page !== 'resource') {
      return;
    }
    this.#asked = id;
    this.#resource = null;
    this.#problem = null;
    this.#listed = LISTED;
    this.#older = [];
    this.#cursor = '';
    this.#looking = '';
    this.closeDialogs();
    this.requestUpdate();
    this.#read();
  }

  async #read() {
    const reading = this.#regular.began();
    const asked = this.#asked;
    try {
      const page = await session.api.get(`/api/guard/resources/${encodeURIComponent(asked)}`, {decisions: DECISIONS, answers: SQUARES});
      if (asked !== this.#asked || !this.#regular.isNews(reading)) {
        return;
      }
      setServerTime(page.server_time);
      if (!this.#resource) {
        this.#open = new Set(folded(page.items[0].decisions).slice(0, 1).map(({key}) => key));
      }
      this.#resource = page.items[0];
      this.#problem = null;
    } catch (failure) {
      if (!(failure instanceof ApiProblem)) {
        throw failure;
      }
      if (asked !== this.#asked) {
        return;
      }
      this.#problem = failure;
    }
    this.requestUpdate();
    if (this.isConnected) {
      this.#regular.next();
    }
  }

  render() {
    const resource = this.#resource;
    return html`
      <div class="title"><h1 class="mono">${this.#id}</h1>${resource ? html`<span class="title-marks">${resource.types.map((type) => html`<span class="mark">${type}</span> `)}</span>` : nothing}<span class="rest"></span>${copyMenu(copies(this.#id))}</div>
      ${this.#problem ? problemBox(this.#problem, resource ? 'What is shown is old.' : 'This database cannot be read.') : nothing}
      ${resource ? this.#whole(resource) : this.#problem ? nothing : html`<p class="sentence soft">Looking…</p>`}
      <hf-guard-ask></hf-guard-ask>`;
  }

  /** @param {Resource} resource */
  #whole(resource) {
    return html`<p class="sentence ${isFailing(resource) || resource.needed_by.length ? 'warned' : ''}">${sentence(resource)}</p>
      ${this.#trouble(resource)}
      <div class="columns lock">
        <section aria-labelledby="apps"><h2 id="apps">Who uses it</h2>
          ${repeat(resource.apps, ({app}) => app, (user) => this.#user(user))}
          ${legend()}</section>
        <div>
          <section aria-labelledby="facts"><h2 id="facts">State</h2>${facts(resource)}</section>
          <section aria-labelledby="intents"><h2 id="intents">Asked to stop it</h2>${intents(resource)}</section>
        </div>
      </div>
      <section aria-labelledby="decisions"><h2 id="decisions">Decisions</h2>${this.#decisions(resource)}</section>`;
  }

  /** @param {Resource} resource */
  #trouble(resource) {
    const act = resource.decisions[0]?.act;
    return html`
      ${isFailing(resource) ? html`<div class="problem"><p><b>The last attempt failed, ${ageOf(resource.decisions[0].decided_at)} ago.</b> ${capital(act?.said ?? '')}.</p>
        <p class="soft">It is tried again by itself. Repair what actuator <b>${resource.actuator}</b> calls, or take the stop back by starting ${resource.intents[0]?.requested_by ?? 'the app'}.</p></div>` : nothing}
      ${resource.problems.map((problem) => html`<div class="problem warn-line"><p><b>It can never be stopped:</b> ${problem}</p><p class="soft">Register its apps again, so that they agree.</p></div>`)}
      ${resource.same_as.length ? html`<div class="problem warn-line"><p><b>Registered under two names.</b> It has the same address as
        ${resource.same_as.map((other, i) => html`${i ? ', ' : ''}<a class="key" href=${resourceHref(other)}>${other}</a>`)}; they count together.</p>
        <p class="soft">Register the apps again, with one name for it.</p></div>` : nothing}`;
  }

  // ---- apps

  /** @param {ResourceUser} user */
  #user(user) {
    const may = mayGuard(session.caller, user.app);
    const acts = !session.readOnly && may;
    return html`<article class="card user" aria-label=${`App ${user.app}`}>
      <header><b class="owner">${user.app}</b>
        ${user.desired === 'stopped' ? html`<span class="mark">asked to stop</span>` : user.desired === 'running' ? html`<span class="mark">always running</span>` : nothing}
        <span class="rest"></span><span class="acts">
        <button class="quiet" ?disabled=${this.#looking === user.app} @click=${() => this.#look(user.app)}>${this.#looking === user.app ? 'Looking…' : 'Look now'}</button>
        ${may ? html`<button class="quiet" aria-label=${`What if ${user.app} stops?`} @click=${() => this.#ask(user.app, 'stop')}>${acts ? 'Stop…' : 'What if…'}</button>` : nothing}
        ${acts ? html`<button class="quiet" aria-label=${`What if ${user.app} starts?`} @click=${() => this.#ask(user.app, 'start')}>Start…</button>` : nothing}</span>
      </header>
      <p class="live-status">${capital(statusWords(user))} <span class="soft">${lastLook(user)}</span></p>
      ${squares(user, SQUARES)}
      ${user.standing ? html`<p class="standing ${user.standing}">${standingWords(user)}${downIn(user) ? html` <span class="soft">${downIn(user)}</span>` : nothing}</p>` : nothing}
    </article>`;
  }

  /** Asks the app itself. @param {string} app */
  async #look(app) {
    this.#looking = app;
    this.requestUpdate();
    try {
      const seen = await session.api.get('/status/quick', {app});
      document.dispatchEvent(new CustomEvent('hf-said', {detail: `${app}: ${seen.http_code === null ? 'no answer' : `answers ${seen.http_code}`}`}));
    } catch (failure) {
      if (!(failure instanceof ApiProblem)) {
        throw failure;
      }
      document.dispatchEvent(new CustomEvent('hf-said', {detail: failure.message}));
    }
    this.#looking = '';
    await this.#read();
  }

  /** @param {string} app @param {'stop' | 'start'} what */
  #ask(app, what) {
    /** @type {any} */ (this.querySelector('hf-guard-ask')).show(app, what);
  }

  // ---- decisions

  /** @param {Resource} resource */
  #decisions(resource) {
    if (resource.decisions.length === 0) {
      return html`<p class="soft">Nothing was decided about it yet: nobody asked to stop or start it.</p>`;
    }
    const lines = folded(resource.decisions);
    const shown = lines.slice(0, this.#listed);
    const kept = resource.decisions.reduce((sum, {evidence}) => sum + evidence.length, resource.decisions.length);
    const end = this.#cursor === null || (resource.decisions.length < DECISIONS && kept < MOST_KEPT);
    return html`<ol class="decisions">${repeat(shown, ({key}) => key, (line) => decisionLine(line, this.#open.has(line.key), (open) => this.#toggled(line.key, open)))}</ol>
      ${this.#older.length ? html`<h3>Older, from the history of its lock</h3><ol class="events">${repeat(this.#older, (event) => event.event_id, (event) => eventLine(event, false))}</ol>` : nothing}
      ${lines.length > this.#listed || !end ? html`<button @click=${() => this.#showMore(lines.length)}>Show more</button>` : html`<p class="soft">That is all that is kept.</p>`}`;
  }

  /** @param {string} key @param {boolean} open */
  #toggled(key, open) {
    if (open) {
      this.#open.add(key);
    } else {
      this.#open.delete(key);
    }
  }

  /** First those that are kept with it, then those that are only in the history of its lock. @param {number} kept */
  async #showMore(kept) {
    if (this.#listed < kept) {
      this.#listed += LISTED;
      this.requestUpdate();
      return;
    }
    const oldest = this.#resource?.decisions.at(-1)?.decided_at ?? '';
    const [asked, cursor] = [this.#asked, this.#cursor];
    const isCurrent = () => asked === this.#asked && cursor === this.#cursor;
    try {
      const page = await session.api.get('/v2/history', {...lockOf(asked), event: 'guard.decision', limit: OLDER, cursor: cursor ?? '', to: oldest});
      if (!isCurrent()) {
        return; // another database, or they are here already
      }
      const known = new Set(this.#resource?.decisions.map(({decided_at}) => decided_at));
      this.#older = [...this.#older, ...page.items.filter((/** @type {import('./types').LockEvent} */ event) => event.timestamp < oldest && !known.has(event.timestamp))];
      this.#cursor = page.next_cursor ?? null;
    } catch (failure) {
      if (!(failure instanceof ApiProblem)) {
        throw failure;
      }
      if (isCurrent()) {
        this.#problem = failure;
      }
    }
    this.requestUpdate();
  }
}

/** @param {string} id */
function copies(id) {
  const origin = location.origin;
  return [
    {what: 'Identifier', text: id},
    {what: 'Link', text: origin + resourceHref(id)},
    {what: 'Command line', text: `holdfast guard status --server ${origin} ${shell(id)}`},
    {what: 'curl', text: `curl ${shell(`${origin}/api/guard/resources/${encodeURIComponent(id)}`)}`},
  ];
}

/** @param {Resource} resource */
function sentence(resource) {
  const names = resource.apps.map(({app}) => app);
  const shared = names.length === 1 ? `Only ${names[0]} uses it` : `${list(names)} share it`;
  const is = resource.state === 'unknown' ? 'Whether it runs is not known yet' : `It is ${resource.state}${resource.recorded_only ? ' (recorded only)' : ''}`;
  const told = (resource.state === 'running' || resource.state === 'unknown') && !isFailing(resource);
  return `${shared}. ${told ? `${is}, and ${nextWords(resource)}` : `It ${nextWords(resource)}`}.`;
}

/** @param {Resource} resource */
function facts(resource) {
  const lock = lockOf(resource.db_identifier);
  const token = resource.decisions.find(({fencing_token}) => fencing_token)?.fencing_token;
  return html`<dl class="facts wide">
    <div><dt>State</dt><dd>${stateMark(resource)} ${stopBar(resource)}</dd></div>
    <div><dt>Actuator</dt><dd>${resource.actuator}${resource.recorded_only ? html` <span class="soft">only records: nothing is really stopped or started</span>` : nothing}</dd></div>
    <div><dt>Protected by</dt><dd>${lockLink(lock)}</dd></div>
    <div><dt>Last token</dt><dd class="mono">${token ?? '–'}</dd></div>
  </dl>`;
}

/** @param {Resource} resource */
function intents(resource) {
  if (!isWaiting(resource)) {
    return html`<p class="soft">${resource.state === 'stopped' ? 'Nobody any more: it is stopped.' : 'Nobody.'}</p>`;
  }
  const names = resource.intents.map(({requested_by}) => requested_by);
  return html`<ul class="queue">${resource.intents.map(({requested_by, since}) => html`<li><b class="owner">${requested_by}</b><span class="rest"></span>${ageOf(since)} <span class="soft">ago</span></li>`)}</ul>
    <p class="soft">It stays asked for until ${list(names)} ${verb(names, 'is', 'are')} started${names.length > 1 ? '' : ', set to another state'} or unregistered.</p>
    ${resource.decisions[0] && !isFailing(resource) ? html`<p class="soft">Last judged: ${plainReason(resource.decisions[0].reason)}.</p>` : nothing}`;
}

customElements.define('hf-resource', ResourcePage);
