// Databases that apps share: which run, which are to be stopped and what that waits for, and what needs somebody.

import {html, nothing} from 'lit-html';
import {live} from 'lit-html/directives/live.js';
import {repeat} from 'lit-html/directives/repeat.js';
import {Part, ageOf, emptyState, problemBox, ticks} from './parts.js';
import {router} from './router.js';
import {session} from './session.js';
import {Regular} from './regular.js';
import {ApiProblem} from './api.js';
import {mayGuard} from './access.js';
import {counted, setServerTime} from './time.js';
import {askedBy, capital, legend, squares, stateMark, stopBar} from './guard-parts.js';
import {isFailing, isWaiting, list, nextWords, resourceHref, shortStatus, statusWords, verb, waitsFor} from './guard-words.js';
import './guard-ask.js';

/** @typedef {import('./types').Resource} Resource */
/** @typedef {import('./types').ResourceUser} ResourceUser */
/** @typedef {import('./types').GuardApp} GuardApp */

const EVERY_MS = 4_000;
/** After an event; those that come together are one reason to read. */
const SOON_MS = 1_000;
/** One call's worth; who has more searches. */
const MOST = 1_000;
const SQUARES = 16;
/** Rows drawn at once. */
const ROWS = 40;
/** Apps of one database that are listed; the page of the database has all. */
const APPS = 6;
const LOOKS = 8;

/** @type {[string, string, (resource: Resource) => boolean][]} */
const CHIPS = [
  ['waiting', 'To be stopped', isWaiting],
  ['stopped', 'Stopped', ({state}) => state === 'stopped'],
  ['failing', 'Failing', isFailing],
];

class Guard extends Part {
  /** @type {Resource[] | null} */
  #resources = null;
  /** @type {GuardApp[]} */
  #apps = [];
  #more = false;
  #rows = ROWS;
  /** @type {ApiProblem | null} */
  #problem = null;
  /** What is seen of apps is no event. */
  #regular = new Regular(() => this.#read(), EVERY_MS, SOON_MS);
  #reading = false;

  connectedCallback() {
    super.connectedCallback();
    this.listen(session, 'change', () => this.#begin());
    this.listen(session, 'again', () => this.#read());
    this.listen(router, 'change');
    this.listen(session.stream, 'events', (told) => {
      if (/** @type {CustomEvent} */ (told).detail.some((/** @type {import('./types').LockEvent} */ event) => event.event.startsWith('guard.'))) {
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

  #begin() {
    if (session.caller && !this.#resources && !this.#reading) {
      this.#read();
    }
  }

  async #read() {
    const reading = this.#regular.began();
    this.#reading = true;
    try {
      const [resources, apps] = await Promise.all([
        session.api.get('/api/guard/resources', {limit: MOST, decisions: 1, answers: SQUARES}),
        session.api.get('/api/guard/apps', {limit: MOST}),
      ]);
      if (!this.#regular.isNews(reading)) {
        return;
      }
      setServerTime(resources.server_time);
      this.#resources = resources.items;
      this.#apps = apps.items;
      this.#more = Boolean(resources.next_cursor);
      this.#problem = null;
    } catch (failure) {
      if (!(failure instanceof ApiProblem)) {
        throw failure;
      }
      this.#problem = failure;
    } finally {
      this.#reading = false;
    }
    this.requestUpdate();
    if (this.isConnected) {
      this.#regular.next();
    }
  }

  render() {
    const all = this.#resources;
    if (!all) {
      return this.#problem ? problemBox(this.#problem, 'The guard cannot be reached.') : html`<h1 class="sentence soft">Looking…</h1>`;
    }
    return html`
      <h1 class="sentence">${sentence(all, this.#more)}</h1>
      ${this.#problem ? problemBox(this.#problem, 'What is shown is old.') : nothing}
      ${this.#apps.length === 0 && all.length === 0 ? nothingYet() : html`
        ${this.#needsALook(all)}
        ${all.length > 0 ? this.#table(all) : nothing}
        ${this.#without()}`}
      <hf-guard-ask></hf-guard-ask>`;
  }

  // ---- what needs somebody

  /** @param {Resource[]} all */
  #needsALook(all) {
    const found = all.flatMap((resource) => problemsOf(resource).map((problem) => ({resource, ...problem})));
    found.sort((a, b) => Number(b.bad) - Number(a.bad));
    if (found.length === 0) {
      return nothing;
    }
    return html`<section aria-labelledby="look"><h2 id="look">Needs a look</h2>
      <ul class="look">${repeat(found.slice(0, LOOKS), ({resource, kind}) => `${kind} ${resource.db_identifier}`, ({resource, bad, what, step, start}) => html`
        <li class=${bad ? 'bad' : 'warn'}><span class="dot" aria-hidden="true"></span><span><a class="key" href=${resourceHref(resource.db_identifier)}>${resource.db_identifier}</a> ${what}.
          <span class="soft">${step}</span>${start && this.#mayAct(start) ? html` <button class="quiet" @click=${() => this.#ask(start, 'start')}>Start what ${start} uses…</button>` : nothing}</span></li>`)}</ul>
      ${found.length > LOOKS ? html`<p class="soft">And ${found.length - LOOKS} more.</p>` : nothing}</section>`;
  }

  // ---- databases

  /** @param {Resource[]} all */
  #table(all) {
    const {query} = router.place;
    const [words, show] = [query.get('q') ?? '', query.get('show') ?? ''];
    const matching = all.filter((resource) => matches(resource, words) && (CHIPS.find(([name]) => name === show)?.[2](resource) ?? true));
    return html`<section aria-labelledby="databases"><h2 id="databases">Databases</h2>
      <div class="filters">
        <input type="search" aria-label="Search databases and apps" placeholder="Search databases and apps" autocomplete="off" spellcheck="false"
          .value=${live(words)} @input=${(/** @type {InputEvent} */ it) => this.#refine({q: /** @type {HTMLInputElement} */ (it.target).value})}>
        ${CHIPS.map(([name, label, test]) => html`<button class="chip" aria-pressed=${show === name} @click=${() => this.#refine({show: show === name ? '' : name})}>${label} <span>${all.filter(test).length}</span></button>`)}
      </div>
      ${matching.length === 0 ? emptyState('No database matches', 'Change the words, or take a filter away.') : html`
      <table class="guard">
        <thead><tr><th scope="col">Database</th><th scope="col">State</th><th scope="col">Who uses it</th><th scope="col">What happens</th></tr></thead>
        <tbody>${repeat(matching.slice(0, this.#rows), ({db_identifier}) => db_identifier, (resource) => this.#row(resource))}</tbody>
      </table>
      ${matching.length > this.#rows ? html`<button class="more" @click=${() => {
        this.#rows += ROWS;
        this.requestUpdate();
      }}>Show more (${(matching.length - this.#rows).toLocaleString()})</button>` : nothing}
      ${legend()}`}</section>`;
  }

  /** @param {Resource} resource */
  #row(resource) {
    const kept = resource.apps.length > APPS ? resource.apps.slice(0, APPS) : resource.apps;
    return html`<tr>
      <td class="g-name"><a class="key" href=${resourceHref(resource.db_identifier)}>${resource.db_identifier}</a><span class="soft">${resource.types.join(', ')}</span></td>
      <td class="g-state">${stateMark(resource)}</td>
      <td class="g-apps"><ul>${repeat(kept, ({app}) => app, (user) => this.#user(user))}</ul>
        ${kept.length < resource.apps.length ? html`<a class="soft" href=${resourceHref(resource.db_identifier)}>and ${resource.apps.length - kept.length} more</a>` : nothing}</td>
      <td class="g-next"><span class=${isFailing(resource) || resource.needed_by.length ? 'bad' : ''}>${capital(nextWords(resource))}</span> ${stopBar(resource)}
        ${isWaiting(resource) ? html`<span class="soft asked">Asked by ${askedBy(resource)}</span>` : nothing}</td>
    </tr>`;
  }

  /** @param {ResourceUser} user */
  #user(user) {
    return html`<li><span class="app">${user.app}${user.desired === 'running' ? html` <span class="mark">always running</span>` : nothing}</span>${squares(user, SQUARES)}<span class="soft status" title=${capital(statusWords(user))}>${shortStatus(user)}</span>
      ${mayGuard(session.caller, user.app) ? html`<button class="quiet" aria-label=${`What if ${user.app} stops?`} @click=${() => this.#ask(user.app, 'stop')}>What if…</button>` : nothing}</li>`;
  }

  /** Apps that nothing depends on. */
  #without() {
    const bare = this.#apps.filter(({databases}) => databases.length === 0);
    return bare.length === 0 ? nothing : html`<section aria-labelledby="without"><h2 id="without">Apps without a database</h2>
      <p class="soft">${list(bare.map(({app}) => app))} ${verb(bare.map(({app}) => app), 'is', 'are')} registered and ${verb(bare.map(({app}) => app), 'uses', 'use')} no database, so nothing is stopped or kept for ${verb(bare.map(({app}) => app), 'it', 'them')}.
      To add one: <code>holdfast guard apps import apps.yaml</code></p></section>`;
  }

  /** @param {string} app */
  #mayAct(app) {
    return !session.readOnly && mayGuard(session.caller, app);
  }

  /** @param {Record<string, string>} query */
  #refine(query) {
    this.#rows = ROWS;
    router.refine(query);
  }

  /** @param {string} app @param {'stop' | 'start'} what */
  #ask(app, what) {
    /** @type {any} */ (this.querySelector('hf-guard-ask')).show(app, what);
  }
}

/** @param {Resource} resource @param {string} words */
function matches(resource, words) {
  const text = [resource.db_identifier, ...resource.types, resource.state, resource.actuator, ...resource.apps.map(({app}) => app)].join(' ').toLowerCase();
  return words.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

/** @param {Resource[]} all @param {boolean} more */
function sentence(all, more) {
  if (all.length === 0) {
    return 'No database is shared: no app that uses one is registered.';
  }
  const failing = all.filter(isFailing);
  const needed = all.filter(({needed_by}) => needed_by.length > 0);
  const moving = all.filter((resource) => resource.state === 'stopping' && !isFailing(resource));
  const waiting = all.filter((resource) => isWaiting(resource) && !isFailing(resource) && resource.state !== 'stopping');
  const stopped = all.filter(({state}) => state === 'stopped');
  const whom = [...new Set(waiting.flatMap(waitsFor))];
  const parts = [
    moving.length ? `${moving.length} ${moving.length === 1 ? 'is' : 'are'} being stopped` : '',
    waiting.length ? `${waiting.length} ${waiting.length === 1 ? 'is' : 'are'} to be stopped${whom.length ? ` and ${waiting.length === 1 ? 'waits' : 'wait'} for ${list(whom)}` : ''}` : '',
    stopped.length ? `${stopped.length} ${stopped.length === 1 ? 'is' : 'are'} stopped` : '',
  ].filter(Boolean);
  const trouble = [
    failing.length ? html`${failing.length === 1 ? html`<span class="whole">${failing[0].db_identifier}</span>` : `${failing.length} databases`} could not be ${failing.every(({state}) => state === 'starting') ? 'started' : 'stopped'}. ` : '',
    needed.length ? html`${needed.length === 1 ? html`<span class="whole">${needed[0].db_identifier}</span> is` : `${needed.length} databases are`} stopped although needed.` : '',
  ].filter(Boolean);
  return html`${counted(all.length, 'database')}${more ? ' or more' : ''}${parts.length ? `, ${parts.join(', ')}` : ', and nobody asked to stop any'}.
    ${trouble.length ? html`<span class="bad">${trouble}</span>` : 'Nothing failed.'}`;
}

/**
 * What needs somebody, and what that somebody does next.
 * @param {Resource} resource
 * @returns {{kind: string, bad: boolean, what: unknown, step: unknown, start?: string}[]}
 */
function problemsOf(resource) {
  const last = resource.decisions[0];
  /** @type {{kind: string, bad: boolean, what: unknown, step: unknown, start?: string}[]} */
  const found = [];
  if (isFailing(resource)) {
    found.push({
      kind: 'act', bad: true,
      what: html`could not be ${resource.state === 'starting' ? 'started' : 'stopped'}, ${ageOf(last.decided_at)} ago: ${last.act?.said}`,
      step: html`It is tried again by itself. Repair what actuator <b>${resource.actuator}</b> calls, or take the stop back.`,
    });
  }
  if (resource.needed_by.length > 0) {
    found.push({
      kind: 'needed', bad: true,
      what: html`is stopped, but <b>${list(resource.needed_by)}</b> ${verb(resource.needed_by, 'needs', 'need')} it`,
      step: 'Start it, or stop the app.', start: resource.needed_by[0],
    });
  }
  if (resource.problems.length > 0) {
    found.push({kind: 'problem', bad: false, what: `can never be stopped: ${resource.problems.join('; ')}`, step: 'Register its apps again, so that they agree.'});
  }
  const doubtful = resource.apps.filter(({standing}) => standing === 'doubtful');
  if (doubtful.length > 0) {
    const names = doubtful.map(({app}) => app);
    found.push({
      kind: 'doubtful', bad: false,
      what: html`is kept, because nobody can say whether <b>${list(names)}</b> ${verb(names, 'needs', 'need')} it: ${statusWords(doubtful[0])}`,
      step: html`If it is stopped on purpose: <code>holdfast guard stop ${names[0]}</code>. If it is gone for good: <code>holdfast guard apps rm ${names[0]}</code>`,
    });
  } else if (last?.decision === 'skipped_unknown' && isWaiting(resource) && resource.problems.length === 0) {
    found.push({kind: 'undecided', bad: false, what: `cannot be decided: ${last.reason}`, step: 'It is kept until that is known.'});
  }
  if (resource.same_as.length > 0) {
    found.push({
      kind: 'same', bad: false,
      what: html`has the same address as ${list(resource.same_as)}: they count together`,
      step: 'Register them under one name.',
    });
  }
  return found;
}

function nothingYet() {
  return emptyState('No apps yet', 'Register apps with the databases they share, and each database is stopped only when none of them needs it.', `holdfast guard apps import --server ${location.origin} apps.yaml`);
}

customElements.define('hf-guard', Guard);
