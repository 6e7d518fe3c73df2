// One stack: how it stands, who holds it, which versions there are, what each of them changed, and going back.

import {html, nothing} from 'lit-html';
import {repeat} from 'lit-html/directives/repeat.js';
import {Part, ageOf, copy, copyMenu, isTyping, leaseLeft, marks, problemBox, ticks, timeOf, undone} from './parts.js';
import {heartbeat, isAddress, linked} from './lock-parts.js';
import {router} from './router.js';
import {session} from './session.js';
import {Regular} from './regular.js';
import {ApiProblem} from './api.js';
import {mayChangeState} from './access.js';
import {clock, counted, exact, setServerTime} from './time.js';
import {idOf, lockHref, shell} from './keys.js';
import {backendBlock, lockOf, operationText, roughAge, sizeText, stackHref, statePath, summaryMarks, summaryText} from './state-words.js';
import {inOrder, sideBySide} from './state-diff.js';
import './force.js';
import './state-restore.js';

/** @typedef {import('./types').StateVersion} StateVersion */
/** @typedef {import('./types').StateDiff} StateDiff */
/** @typedef {import('./types').DiffSummary} DiffSummary */
/** @typedef {import('./types').LockEvent} LockEvent */

const PAGE = 20;
const MOST = 1000;
/** Holds whose runs are looked up for the versions they saved. */
const RUNS = 200;
/** Larger states are compared only when somebody asks. */
const MOST_COUNTED = 4_000_000;
/** At the same time: others want to be answered, too. */
const COUNTING = 2;
const RESOURCES = 50;
const EVERY_MS = 3_000;
/** Between two readings, however much happens. */
const SOON_MS = 500;

class StackPage extends Part {
  #asked = '';
  /** Newest first, as shown. @type {StateVersion[] | null} */
  #versions = null;
  #more = '';
  /** The current one, as known last. @type {StateVersion | null} */
  #current = null;
  /** Versions that came while somebody reads. @type {StateVersion[]} */
  #fresh = [];
  /** @type {ApiProblem | null} */
  #problem = null;
  /** Whether versions came or went since they were read. */
  #outdated = false;
  /** How often versions were read, and which of these is shown: answers can overtake each other. */
  #readings = 0;
  #shown = 0;
  /** Its lock, as known last. @type {import('./types').Lock | null} */
  #lock = null;
  /** @type {ApiProblem | null} */
  #lockProblem = null;
  /** Renewals are no events. */
  #regular = new Regular(() => this.#look(), EVERY_MS, SOON_MS);
  /** What each version changed. @type {Map<string, DiffSummary | 'first' | ApiProblem>} */
  #counts = new Map();
  #counting = new Set();
  /** Metadata of the holds by token. @type {Map<number, Record<string, string>>} */
  #runs = new Map();
  /** @type {{key: string, diff: StateDiff | null, problem: ApiProblem | null}} */
  #diff = {key: '', diff: null, problem: null};
  #resources = RESOURCES;
  /** What somebody asked for, and what came of it. @type {{words: unknown, problem: ApiProblem | null, what: string} | null} */
  #said = null;
  #busy = '';

  connectedCallback() {
    super.connectedCallback();
    this.listen(session, 'change', () => this.#begin());
    this.listen(session, 'again', () => this.#again());
    this.listen(router, 'change', () => this.#begin());
    this.listen(session.stream, 'events', (told) => this.#happened(/** @type {CustomEvent} */ (told).detail));
    this.listen(ticks, 'tick');
    this.listen(this, 'restored', () => this.#read().then(() => this.#settle()));
    this.listen(this, 'forced', () => this.#look());
    this.listen(document, 'keydown', (key) => this.#pressed(/** @type {KeyboardEvent} */ (key)));
    this.#begin();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#regular.stop();
  }

  get #stack() {
    const {query} = router.place;
    return {stack: query.get('name') ?? '', environment: query.get('environment') ?? ''};
  }

  get #lockName() {
    const {stack, environment} = this.#stack;
    return lockOf(stack, environment);
  }

  get #path() {
    const {stack, environment} = this.#stack;
    return statePath(stack, environment);
  }

  #begin() {
    if (!session.caller || router.place.page !== 'stack') {
      return;
    }
    const id = idOf(this.#lockName);
    if (id !== this.#asked) {
      this.#asked = id;
      this.#versions = null;
      this.#more = '';
      this.#current = null;
      this.#fresh = [];
      this.#problem = null;
      this.#lock = null;
      this.#lockProblem = null;
      this.#counts = new Map();
      this.#counting = new Set();
      this.#runs = new Map();
      this.#diff = {key: '', diff: null, problem: null};
      this.#said = null;
      this.#busy = '';
      this.closeDialogs();
      this.#again();
    }
    this.#compare();
    this.requestUpdate();
  }

  // ---- reading

  #again() {
    this.#outdated = true;
    return this.#look();
  }

  /** Its lock, and its versions if something happened to them. */
  async #look() {
    const reading = this.#regular.began();
    const asked = this.#asked;
    if (this.#outdated || this.#problem?.isOutage) {
      this.#outdated = false;
      this.#read();
    }
    try {
      const lock = await session.api.get('/v2/lock', this.#lockName);
      if (asked !== this.#asked || !this.#regular.isNews(reading)) {
        return;
      }
      setServerTime(lock.server_time);
      this.#lock = lock;
      this.#lockProblem = null;
    } catch (failure) {
      if (!(failure instanceof ApiProblem)) {
        throw failure;
      }
      if (asked !== this.#asked) {
        return;
      }
      this.#lockProblem = failure;
    }
    this.requestUpdate();
    if (this.isConnected) {
      this.#regular.next();
    }
  }

  async #read() {
    const asked = this.#asked;
    this.#readings += 1;
    const reading = this.#readings;
    const limit = Math.min(MOST, Math.max(PAGE, (this.#versions?.length ?? 0) + this.#fresh.length));
    try {
      const page = await session.api.get(`${this.#path}/history`, {limit});
      if (asked !== this.#asked || reading < this.#shown) {
        return;
      }
      this.#shown = reading;
      this.#problem = null;
      this.#take(page);
    } catch (failure) {
      if (!(failure instanceof ApiProblem)) {
        throw failure;
      }
      if (asked === this.#asked) {
        this.#problem = failure;
      }
    }
    this.requestUpdate();
    this.#readRuns();
  }

  /** @param {{items: StateVersion[], current: string | null, next_cursor: string | null}} page */
  #take({items, current, next_cursor: next}) {
    this.#current = items.find(({version}) => version === current) ?? null;
    const shown = this.#versions;
    if (!shown || shown.length === 0) {
      this.#versions = items;
      this.#more = next ?? '';
    } else {
      const newest = shown[0].version;
      this.#fresh = items.filter(({version}) => version > newest);
    }
    this.#compare();
    this.#count();
  }

  /** Who saves under a lock has told the lock where it runs. */
  async #readRuns() {
    const asked = this.#asked;
    const page = await session.api.get('/v2/history', {...this.#lockName, event: 'lock.acquired', limit: RUNS}).catch(() => null);
    if (page && asked === this.#asked) {
      /** @type {LockEvent[]} */
      const events = page.items;
      this.#runs = new Map(events.map((event) => [event.fencing_token ?? 0, event.metadata]));
      this.requestUpdate();
    }
  }

  /** @param {LockEvent[]} events */
  #happened(events) {
    const mine = events.filter((event) => idOf(event) === this.#asked);
    if (mine.length > 0) {
      this.#outdated ||= mine.some((event) => event.event.startsWith('state.'));
      this.#regular.soon();
    }
  }

  async #showMore() {
    const [asked, more] = [this.#asked, this.#more];
    const isCurrent = () => asked === this.#asked && more === this.#more;
    try {
      const page = await session.api.get(`${this.#path}/history`, {limit: PAGE, cursor: more});
      if (!isCurrent()) {
        return; // another stack, or they are here already
      }
      this.#versions = [...(this.#versions ?? []), ...page.items];
      this.#more = page.next_cursor ?? '';
      this.#count();
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

  #settle() {
    this.#versions = [...this.#fresh, ...(this.#versions ?? [])];
    this.#fresh = [];
    router.refine({from: '', to: ''});
    this.#count();
  }

  // ---- comparing

  /** The two that are shown side by side; from is empty for the one before. */
  get #pair() {
    const {query} = router.place;
    const to = query.get('to') || this.#versions?.[0]?.version || '';
    return {from: query.get('from') ?? '', to};
  }

  /** The version before this one, as far as it is known; null if there is none. @param {string} version */
  #before(version) {
    const versions = this.#versions ?? [];
    const index = versions.findIndex((it) => it.version === version);
    return index >= 0 ? (versions[index + 1] ?? null) : null;
  }

  /** Whether there may be one before it. @param {string} version */
  #hasBefore(version) {
    const versions = this.#versions ?? [];
    return this.#more !== '' || versions[versions.length - 1]?.version !== version;
  }

  async #compare() {
    const {from, to} = this.#pair;
    const key = `${this.#asked} ${from} ${to}`;
    if (!this.#versions || !to || key === this.#diff.key) {
      return;
    }
    this.#resources = RESOURCES;
    // What was compared before stays until the new one is here: the page does not jump.
    this.#diff = {...this.#diff, key};
    /** @type {StateDiff | null} */
    let diff = null;
    let problem = null;
    if (from || this.#hasBefore(to)) {
      try {
        diff = inOrder(await session.api.get(`${this.#path}/diff`, {from, to}));
      } catch (failure) {
        if (!(failure instanceof ApiProblem)) {
          throw failure;
        }
        problem = failure;
      }
    }
    if (this.#diff.key === key) {
      this.#diff = {key, diff, problem};
      this.requestUpdate();
    }
  }

  /** Counts what each version in the list changed, a few at a time. */
  #count() {
    const versions = this.#versions ?? [];
    for (const [index, {version, size}] of versions.entries()) {
      if (this.#counting.size >= COUNTING) {
        return;
      }
      if (this.#counts.has(version) || this.#counting.has(version) || size > MOST_COUNTED) {
        continue;
      }
      if (index === versions.length - 1 && !this.#more) {
        this.#counts.set(version, 'first');
      } else {
        this.#countOne(version);
      }
    }
  }

  /** @param {string} version */
  async #countOne(version) {
    // Of this stack: another one has others.
    const [counts, counting] = [this.#counts, this.#counting];
    counting.add(version);
    try {
      const {summary} = await session.api.get(`${this.#path}/diff`, {to: version, summary: 'true'});
      counts.set(version, summary);
    } catch (failure) {
      if (!(failure instanceof ApiProblem)) {
        throw failure;
      }
      counts.set(version, failure.status === 404 ? 'first' : failure);
    } finally {
      counting.delete(version);
    }
    if (counts === this.#counts && this.isConnected) {
      this.requestUpdate();
      this.#count();
    }
  }

  // ---- acting

  get #mayChange() {
    return !session.readOnly && mayChangeState(session.caller, this.#lockName);
  }

  /**
   * @param {string} act
   * @param {(problem: ApiProblem) => string} what could not be done
   * @param {(answer: any) => unknown} words
   */
  async #call(act, what, words) {
    const asked = this.#asked;
    /** @type {{words: unknown, problem: ApiProblem | null, what: string}} */
    let said;
    this.#busy = act;
    this.#said = null;
    this.requestUpdate();
    try {
      said = {words: words(await session.api.post(`${this.#path}/${act}`)), problem: null, what: ''};
    } catch (failure) {
      if (!(failure instanceof ApiProblem)) {
        throw failure;
      }
      said = {words: '', problem: failure, what: what(failure)};
    }
    if (asked === this.#asked) {
      this.#said = said;
      this.#busy = '';
      this.requestUpdate();
    }
  }

  #verify() {
    return this.#call('verify', () => 'The versions were not checked.', (/** @type {import('./types').Verification} */ found) =>
      found.good
        ? `Checked: ${found.checked === 1 ? 'the one document is as it was saved' : `all ${found.checked} documents are as they were saved`}.`
        : html`<span class="bad">${counted(found.damaged.length, 'document is', 'documents are')} damaged</span> of ${found.checked}:
          ${found.damaged.slice(0, 5).map((it, i) => html`${i > 0 ? '; ' : ''}<span class="mono">${it.version}</span>${it.current ? ' (current)' : ''}: ${it.problem}`)}.
          ${found.last_good ? html`The newest good one is <span class="mono">${found.last_good}</span>.` : 'None is good.'}`);
  }

  #backup() {
    return this.#call('backup', (problem) => undone(problem, 'Nothing was kept.'), (/** @type {StateVersion} */ kept) =>
      `Serial ${kept.serial} is kept: the retention does not remove it.`);
  }

  /** @param {StateVersion} wanted */
  #restore(wanted) {
    const {stack, environment} = this.#stack;
    /** @type {any} */ (this.querySelector('hf-restore')).show(stack, environment, wanted, this.#current, this.#lock);
  }

  /** @param {KeyboardEvent} key */
  #pressed(key) {
    if (isTyping(key) || key.metaKey || key.ctrlKey || key.altKey) {
      return;
    }
    if (key.key === '.' && this.#fresh.length > 0) {
      this.#settle();
    } else if (key.key === 'j' || key.key === 'k') {
      const versions = this.#versions ?? [];
      const at = versions.findIndex(({version}) => version === this.#pair.to);
      const next = versions[Math.min(versions.length - 1, Math.max(0, at + (key.key === 'j' ? 1 : -1)))];
      if (next) {
        router.refine({from: '', to: next.version});
      }
    } else {
      return;
    }
    key.preventDefault();
  }

  // ---- showing

  render() {
    const {stack, environment} = this.#stack;
    // With the lock, all at once: nothing moves when the rest comes.
    const versions = this.#lock || this.#lockProblem ? this.#versions : null;
    return html`
      <div class="title"><h1><a class="soft" href="/ui/state">State</a> <span class="soft">/</span> ${stack} <span class="soft">/</span> ${environment}</h1><span class="rest"></span>
        ${versions?.length ? html`<button ?disabled=${this.#busy !== ''} @click=${this.#verify} title="Read every version and compare it with its checksum">${this.#busy === 'verify' ? 'Checking…' : 'Verify'}</button>` : nothing}
        ${this.#current && this.#mayChange ? html`<button ?disabled=${this.#busy !== ''} @click=${this.#backup} title="Keep the current version beyond its retention">${this.#busy === 'backup' ? 'Keeping…' : 'Back up'}</button>` : nothing}
        ${copyMenu(copies(stack, environment))}</div>
      ${this.#problem ? problemBox(this.#problem, versions ? 'What is shown is old.' : 'The state of this stack cannot be read.') : nothing}
      ${versions ? html`<p class="sentence ${this.#holders().some(({stale}) => stale) ? 'warned' : ''}">${this.#sentence()}</p>` : this.#problem ? nothing : html`<p class="sentence soft">Looking…</p>`}
      <div class="result" role="status">${this.#said && !this.#said.problem ? html`<p>${this.#said.words} <button class="quiet" @click=${() => this.#unsay()}>Close</button></p>` : nothing}</div>
      ${this.#said?.problem ? problemBox(this.#said.problem, this.#said.what) : nothing}
      ${versions ? html`${this.#lockBox()}${versions.length > 0 ? this.#past(versions) : nothingSaved(stack, environment)}` : nothing}
      <hf-force></hf-force><hf-restore></hf-restore>`;
  }

  #unsay() {
    this.#said = null;
    this.requestUpdate();
  }

  #holders() {
    return this.#lock?.holders ?? [];
  }

  #sentence() {
    const current = this.#current;
    const holders = this.#holders();
    const what = current
      ? html`Serial ${current.serial} was saved by ${current.by} ${roughAge(current.saved_at)} ago${current.operation ? html` (${operationText(current.operation)})` : nothing}.`
      : (this.#versions ?? []).length > 0 ? 'There is no current state; it was deleted, and its versions are still here.' : 'Nothing has been saved here yet.';
    if (holders.length === 0) {
      return html`${what}${this.#lock ? ' Nobody holds its lock.' : ''}`;
    }
    const holder = holders.find(({stale}) => stale) ?? holders[0];
    const others = holders.length > 1 ? ` and ${counted(holders.length - 1, 'other')}` : '';
    return html`${what} ${holder.path ? 'A part of it' : 'It'} is locked by ${holder.owner}${others} for ${ageOf(holder.granted_at)}${
      holder.stale ? html`, <span class="warn">which looks abandoned</span>` : nothing}.`;
  }

  /** As high for a lock that is free as for one that is held: what is below does not jump when it changes hands. */
  #lockBox() {
    const lock = this.#lock;
    const name = this.#lockName;
    return html`<section aria-labelledby="lock"><h2 id="lock">Lock</h2>
      ${this.#lockProblem ? problemBox(this.#lockProblem, 'Who holds it cannot be read now.') : nothing}
      <ul class="lockbox">${lock && lock.holders.length > 0
        ? repeat(lock.holders, ({fencing_token: token}) => token, (holder) => holderRow(holder, session.mayForce(name)
          ? html`<button class="danger outline" @click=${() => /** @type {any} */ (this.querySelector('hf-force')).show(lock, holder)}>Force unlock…</button>` : nothing))
        : html`<li><span class="line">${lock ? 'Free.' : html`<span class="soft">Not known.</span>`}
            ${lock && lock.waiters.length > 0 ? html`${counted(lock.waiters.length, 'waits', 'wait')} for it.` : nothing}</span>
            <span class="rest"></span><a class="button" href=${lockHref(name)}>Who had it before</a></li>`}</ul>
    </section>`;
  }

  /** @param {StateVersion[]} versions */
  #past(versions) {
    const {to} = this.#pair;
    return html`<div class="columns versions-and-diff">
      <section aria-labelledby="versions"><h2 id="versions">Versions</h2>
        ${this.#fresh.length > 0 ? html`<button class="fresh" @click=${() => this.#settle()}>${counted(this.#fresh.length, 'new version')} <kbd>.</kbd></button>` : nothing}
        <ol class="versions">${repeat(versions, ({version}) => version, (it) => this.#version(it, it.version === to))}</ol>
        ${this.#more ? html`<p class="more"><button @click=${() => this.#showMore()}>Show more</button></p>` : nothing}
      </section>
      ${this.#comparison(versions)}
    </div>`;
  }

  /** @param {StateVersion} it @param {boolean} selected */
  #version(it, selected) {
    const {stack, environment} = this.#stack;
    const current = this.#current?.version === it.version;
    const run = runLink(this.#runs.get(it.fencing_token) ?? {});
    return html`<li class=${selected ? 'selected' : ''}>
      <a class="select" href=${stackHref(stack, environment, {to: it.version})} aria-current=${selected ? 'true' : nothing} @click=${(/** @type {MouseEvent} */ click) => this.#select(click, it.version)}
        aria-label=${`#${it.serial}${current ? ', current' : ''}, saved by ${it.by}`}><span class="serial">#${it.serial}</span></a>
      <span class="by"><span class="owner">${it.by}</span>${current ? html` <span class="mark">current</span>` : nothing}</span>
      <span class="when">${roughAge(it.saved_at)}</span>
      <span class="for soft">${[operationText(it.operation), sizeText(it.size)].filter((word) => word).join(' · ')}${run ? html` · ${run}` : nothing}</span>
      <span class="what">${this.#changed(it)}</span>
    </li>`;
  }

  /** @param {MouseEvent} click @param {string} version */
  #select(click, version) {
    if (click.button === 0 && !click.metaKey && !click.ctrlKey && !click.shiftKey && !click.altKey) {
      click.preventDefault();
      router.refine({from: '', to: version});
    }
  }

  /** @param {StateVersion} it */
  #changed({version, size}) {
    const counts = this.#counts.get(version);
    if (counts === 'first') {
      return html`<span class="soft">the oldest kept</span>`;
    }
    if (counts instanceof ApiProblem) {
      return html`<span class="soft" title=${counts.message}>not compared</span>`;
    }
    if (counts) {
      return summaryMarks(counts);
    }
    return size > MOST_COUNTED ? html`<span class="soft" title="It is large: select it to compare it">large</span>` : html`<span class="soft">…</span>`;
  }

  /** @param {StateVersion[]} versions */
  #comparison(versions) {
    const {from, to} = this.#pair;
    const wanted = versions.find(({version}) => version === to);
    const {diff, problem} = this.#diff;
    const before = from || this.#before(to)?.version || (diff?.to === to ? diff.from : '');
    return html`<section class="comparison" aria-labelledby="comparison"><h2 id="comparison">What changed</h2>
      <div class="pair" role="group" aria-label="Versions to compare">
        ${this.#choice('From', 'from', before, versions)}<span aria-hidden="true">→</span>${this.#choice('To', 'to', to, versions)}
        <span class="rest"></span>
        ${wanted && this.#current?.version !== to && this.#mayChange ? html`<button @click=${() => this.#restore(wanted)}>Restore serial ${wanted.serial}…</button>` : nothing}
      </div>
      ${problem ? problemBox(problem, 'They could not be compared.') : diff
        ? html`<p class="summary">${diff.changes.length === 0 ? 'Nothing differs.' : html`${sentenceCase(summaryText(diff.summary))}.`}</p>
          ${sideBySide(diff, [this.#serial(diff.from), this.#serial(diff.to)], this.#resources, () => {
            this.#resources += RESOURCES;
            this.requestUpdate();
          })}`
        : html`<p class="soft small">${from || this.#hasBefore(to) ? 'Comparing…' : 'It is the oldest version that is kept: there is none before it to compare with.'}</p>`}
    </section>`;
  }

  /** @param {string} version */
  #serial(version) {
    const known = this.#versions?.find((it) => it.version === version);
    return known ? `#${known.serial}` : '';
  }

  /** @param {string} label @param {'from' | 'to'} name @param {string} value @param {StateVersion[]} versions */
  #choice(label, name, value, versions) {
    const known = versions.some(({version}) => version === value);
    return html`<label>${label} <select @change=${(/** @type {Event} */ it) => router.refine({to: this.#pair.to, [name]: /** @type {HTMLSelectElement} */ (it.target).value})}>
      ${known ? nothing : html`<option value=${value} selected>${value || '–'}</option>`}
      ${versions.map((it) => html`<option value=${it.version} ?selected=${it.version === value} .selected=${it.version === value} title=${exact(it.saved_at)}>#${it.serial} · ${clock(it.saved_at)}</option>`)}
    </select></label>`;
  }
}

/** @param {import('./types').Holder} holder @param {unknown} act */
function holderRow(holder, act) {
  // Terraform sends fields without anything in them.
  const facts = Object.entries(holder.metadata).filter(([, value]) => value);
  return html`<li class="holder ${holder.stale ? 'stale' : ''}">
    <span class="line"><span class="dot" aria-hidden="true"></span><b class="owner">${holder.owner}</b> ${marks(holder)}
      <span class="soft">${operationText(holder.reason)}</span></span>
    <dl>
      <div><dt>Held for</dt><dd>${ageOf(holder.granted_at)}</dd></div>
      <div><dt>Last heartbeat</dt><dd>${heartbeat(holder)}</dd></div>
      <div><dt>Ends in</dt><dd>${leaseLeft(holder)}</dd></div>
    </dl>
    ${act}
    <details><summary>More</summary><dl class="facts">
      <div><dt>Since</dt><dd>${timeOf(holder.granted_at)}</dd></div>
      <div><dt>Fencing token</dt><dd class="mono">${holder.fencing_token}</dd></div>
      ${facts.map(([name, value]) => html`<div><dt>${name.replaceAll('_', ' ')}</dt><dd class="mono">${linked(value)}</dd></div>`)}
    </dl></details>
  </li>`;
}

/** @param {string} text */
function sentenceCase(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Only what is plainly an address becomes a link. @param {Record<string, string>} run */
function runLink(run) {
  const id = run.ci_run_id ? `run ${run.ci_run_id}` : run.git_commit ? `commit ${run.git_commit.slice(0, 7)}` : '';
  const url = run.ci_url ?? '';
  return isAddress(url)
    ? html`<a class="run" href=${url} target="_blank" rel="noopener noreferrer">${id || 'run'}</a>`
    : id;
}

/** @param {string} stack @param {string} environment */
function nothingSaved(stack, environment) {
  const block = backendBlock(stack, environment);
  return html`<div class="empty"><h2>No version yet</h2><p>Terraform and OpenTofu keep their state here with this in their configuration:</p>
    <div class="block"><pre tabindex="0"><code>${block}</code></pre><button class="quiet" @click=${() => copy(block)}>Copy</button></div></div>`;
}

/** @param {string} stack @param {string} environment */
function copies(stack, environment) {
  const at = `--server ${location.origin} ${shell(stack)} ${shell(environment)}`;
  return [
    {what: 'Link', text: location.origin + stackHref(stack, environment)},
    {what: 'Command line, versions', text: `holdfast state history ${at}`},
    {what: 'Command line, what changed', text: `holdfast state diff ${at}`},
    {what: 'Command line, the state itself', text: `holdfast state pull ${at}`},
    {what: 'curl', text: `curl ${shell(`${location.origin}${statePath(stack, environment)}`)}`},
    {what: 'Terraform backend', text: backendBlock(stack, environment)},
  ];
}

customElements.define('hf-stack', StackPage);
