// Which stacks there are in which environments, how old their state is, and who holds them.

import {html, nothing} from 'lit-html';
import {live} from 'lit-html/directives/live.js';
import {repeat} from 'lit-html/directives/repeat.js';
import {Part, copy, isTyping, problemBox, ticks} from './parts.js';
import {router} from './router.js';
import {session} from './session.js';
import {counted, exact, now} from './time.js';
import {Stacks, stackId} from './state-stacks.js';
import {backendBlock, lockOf, roughAge, sizeText, stackHref} from './state-words.js';

/** @typedef {import('./types').StackItem} StackItem */

/** Rows at first, and as many with each step. */
const ROWS = 100;
/** More columns than this cannot be read side by side; each stack then lists its own. */
const MOST_COLUMNS = 5;
const OLD_MS = 90 * 24 * 3600 * 1000;
/** The order in which people deploy. */
const USUAL = ['dev', 'development', 'test', 'testing', 'qa', 'stage', 'staging', 'preprod', 'prod', 'production'];

/** @typedef {{who: string, since: string, stale: boolean}} Held */

class StatePage extends Part {
  #stacks = new Stacks();
  /** The stacks in their order; those that came later wait until the reader wants them. @type {string[] | null} */
  #settled = null;
  #fresh = 0;
  #rows = ROWS;
  #searched = false;

  connectedCallback() {
    super.connectedCallback();
    this.listen(session, 'change', () => this.#begin());
    this.listen(session, 'again', () => this.#stacks.reload());
    this.listen(session.locks, 'change');
    this.listen(session.stream, 'events', (told) => this.#stacks.happened(/** @type {CustomEvent} */ (told).detail));
    this.listen(this.#stacks, 'change', () => this.#changed());
    this.listen(router, 'change', () => this.#moved());
    this.listen(ticks, 'tick', () => {
      this.#stacks.tick();
      this.requestUpdate();
    });
    this.listen(document, 'keydown', (key) => this.#pressed(/** @type {KeyboardEvent} */ (key)));
    this.#begin();
  }

  #begin() {
    if (session.caller && !this.#stacks.loaded && !this.#stacks.problem) {
      this.#stacks.reload();
    }
    this.requestUpdate();
  }

  #moved() {
    this.#rows = ROWS;
    this.#searched &&= this.#stacks.problem === null; // what failed is tried again
    this.#search();
    this.requestUpdate();
  }

  #changed() {
    const names = this.#names();
    if (!this.#settled || this.#settled.length === 0) {
      this.#settled = names;
    }
    const known = new Set(this.#settled);
    this.#fresh = names.filter((name) => !known.has(name)).length;
    this.#search();
    this.requestUpdate();
  }

  /** A search means all stacks, not only those of the pages that were read. */
  #search() {
    if (isFiltered() && this.#stacks.more && this.#stacks.loaded && !this.#searched) {
      this.#searched = true;
      this.#stacks.readRest().then(() => this.#settle());
    }
  }

  #settle() {
    this.#settled = this.#names();
    this.#fresh = 0;
    this.requestUpdate();
  }

  #names() {
    return [...new Set([...this.#stacks.all.values()].map(({stack}) => stack))].sort();
  }

  async #showMore() {
    this.#rows += ROWS;
    if (this.#rows > (this.#settled?.length ?? 0) && this.#stacks.more) {
      await this.#stacks.readMore();
      this.#settle();
    }
    this.requestUpdate();
  }

  /** @param {KeyboardEvent} key */
  #pressed(key) {
    if (isTyping(key) || key.metaKey || key.ctrlKey || key.altKey) {
      return;
    }
    if (key.key === '.') {
      this.#settle();
      key.preventDefault();
      return;
    }
    const inside = Boolean(/** @type {HTMLElement} */ (key.target).closest?.('.stacks a'));
    const step = key.key === 'j' || (inside && key.key === 'ArrowDown') ? 1 : key.key === 'k' || (inside && key.key === 'ArrowUp') ? -1 : 0;
    const aside = inside && key.key === 'ArrowRight' ? 1 : inside && key.key === 'ArrowLeft' ? -1 : 0;
    if (step || aside) {
      this.#focus(step, aside);
      key.preventDefault();
    }
  }

  /** @param {number} down @param {number} right */
  #focus(down, right) {
    const rows = [...this.querySelectorAll('.stacks .stack')].map((row) => /** @type {HTMLElement[]} */ ([...row.querySelectorAll('a')]));
    const row = rows.findIndex((cells) => cells.includes(/** @type {HTMLElement} */ (document.activeElement)));
    if (row < 0) {
      rows[0]?.[0]?.focus();
      return;
    }
    const column = rows[row].indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const next = rows[Math.min(rows.length - 1, Math.max(0, row + down))];
    next[Math.min(next.length - 1, Math.max(0, column + right))].focus();
  }

  // ---- showing

  render() {
    const stacks = this.#stacks;
    if (!stacks.loaded) {
      if (stacks.problem?.code === 'no-state-store') {
        return html`<h1 class="sentence">This server keeps no state.</h1><div class="empty"><h2>There is nowhere to keep it</h2><p>${stacks.problem.message}</p></div>`;
      }
      return html`<h1 class="sentence ${stacks.problem ? '' : 'soft'}">${stacks.problem ? 'State cannot be read.' : 'Looking…'}</h1>
        ${stacks.problem ? html`${problemBox(stacks.problem, 'Nothing is known about stacks.')}<p><button @click=${() => stacks.reload()}>Try again</button></p>` : nothing}`;
    }
    if (!session.locks.complete && !session.locks.problem) {
      return html`<h1 class="sentence soft">Looking…</h1>`; // then all at once: nothing moves when the rest comes
    }
    const items = [...stacks.all.values()];
    if (items.length === 0) {
      return html`<h1 class="sentence">No stack has state here.</h1>${nothingYet()}`;
    }
    const held = new Map(items.map((item) => [stackId(item), heldBy(item)]));
    return html`
      <h1 class="sentence">${sentence(items, held, Boolean(stacks.more))}</h1>
      ${filters(items)}
      ${stacks.problem ? problemBox(stacks.problem, 'What is shown is old: state cannot be read now.') : nothing}
      ${session.locks.problem ? problemBox(session.locks.problem, 'Who holds what is old: locks cannot be read now.') : nothing}
      ${this.#fresh > 0 ? html`<button class="fresh" @click=${() => this.#settle()}>${counted(this.#fresh, 'new stack')} <kbd>.</kbd></button>` : nothing}
      ${this.#grid(items, held)}`;
  }

  /** @param {StackItem[]} items @param {Map<string, Held | null>} held */
  #grid(items, held) {
    const shown = items.filter((item) => matches(item, held.get(stackId(item)) ?? null));
    /** @type {Map<string, Map<string, StackItem>>} */
    const byStack = new Map();
    for (const item of shown) {
      byStack.set(item.stack, (byStack.get(item.stack) ?? new Map()).set(item.environment, item));
    }
    const names = (this.#settled ?? []).filter((name) => byStack.has(name));
    const rest = this.#stacks.more ? html`<p class="more"><button @click=${() => this.#showMore()}>Show more</button>
        <span class="soft">${isFiltered() ? 'There are more stacks than were searched.' : 'There are more stacks.'}</span></p>` : nothing;
    if (names.length === 0) {
      return html`<div class="empty"><h2>No stack matches</h2><p>${counted(items.length, 'state is', 'states are')} here, but none matches.</p>
        <p><a class="button" href="/ui/state">Show all</a></p></div>${rest}`;
    }
    const environments = environmentsOf(shown);
    const cut = names.slice(0, this.#rows);
    const wide = environments.length > MOST_COLUMNS;
    return html`${wide ? list(cut, byStack, held) : table(cut, byStack, held, environments)}
      ${names.length > cut.length ? html`<p class="more"><button @click=${() => this.#showMore()}>Show more</button> <span class="soft">${cut.length.toLocaleString()} of ${counted(names.length, 'stack')}</span></p>` : rest}`;
  }
}

/**
 * @param {string[]} names
 * @param {Map<string, Map<string, StackItem>>} byStack
 * @param {Map<string, Held | null>} held
 * @param {string[]} environments
 */
function table(names, byStack, held, environments) {
  return html`<table class="stacks" aria-label="Stacks and environments">
    <thead><tr><th scope="col">Stack</th>${environments.map((name) => html`<th scope="col" title=${name}>${name}</th>`)}</tr></thead>
    <tbody>${repeat(names, (name) => name, (name) => html`<tr class="stack"><th scope="row" title=${name}>${name}</th>
      ${environments.map((environment) => {
        const item = byStack.get(name)?.get(environment);
        return html`<td class=${item ? '' : 'none'}>${item ? cell(item, held.get(stackId(item)) ?? null) : html`<span class="soft" title="No state">–</span>`}</td>`;
      })}</tr>`)}</tbody>
  </table>`;
}

/**
 * For stacks with environments of their own.
 * @param {string[]} names
 * @param {Map<string, Map<string, StackItem>>} byStack
 * @param {Map<string, Held | null>} held
 */
function list(names, byStack, held) {
  return html`<ul class="stacks own">${repeat(names, (name) => name, (name) => {
    const items = byStack.get(name) ?? new Map();
    return html`<li class="stack"><h2 title=${name}>${name}</h2><div>${environmentsOf([...items.values()]).map((environment) =>
      cell(items.get(environment), held.get(stackId(items.get(environment))) ?? null))}</div></li>`;
  })}</ul>`;
}

/** @param {StackItem} item @param {Held | null} held */
function cell(item, held) {
  const old = item.saved_at && now() - Date.parse(item.saved_at) > OLD_MS;
  return html`<a class="cell ${held?.stale ? 'stale' : ''}" href=${stackHref(item.stack, item.environment)}>
    <span class="env">${item.environment}</span>
    ${item.version
      ? html`<span class="first"><span class="serial" title=${`Serial ${item.serial}, version ${item.version}`}>#${item.serial}</span>
          <span class=${old ? 'warn' : 'soft'}>${item.saved_at ? html`${roughAge(item.saved_at)} ago` : nothing}</span></span>`
      : html`<span class="first soft">no state yet</span>`}
    <span class="second">${held
      ? html`<span class="held ${held.stale ? 'warn' : ''}" title=${`Locked by ${held.who} since ${exact(held.since)}${held.stale ? '\nIt looks abandoned' : ''}`}>
          <span class="dot" aria-hidden="true"></span><span class="who-holds">${held.stale ? 'stale lock of ' : 'locked by '}<b>${held.who}</b></span> ${roughAge(held.since)}</span>`
      : html`<span class="soft">${item.version ? sizeText(item.size) : ''}</span>`}</span>
  </a>`;
}

/** As the locks have it; until those are read, as the listing had it. @param {StackItem} item @returns {Held | null} */
function heldBy(item) {
  const lock = session.locks.get(lockOf(item.stack, item.environment));
  if (session.locks.complete) {
    const holder = lock?.holders.find(({stale}) => stale) ?? lock?.holders[0];
    return holder ? {who: holder.owner, since: holder.granted_at, stale: holder.stale} : null;
  }
  return item.lock ? {who: item.lock.Who, since: item.lock.Created, stale: item.lock.stale} : null;
}

/** @param {StackItem[]} items @param {Map<string, Held | null>} held @param {boolean} more */
function sentence(items, held, more) {
  const stacks = new Set(items.map(({stack}) => stack)).size;
  const environments = new Set(items.map(({environment}) => environment)).size;
  const locks = [...held.values()].flatMap((it) => (it ? [it] : [])).sort((a, b) => Date.parse(a.since) - Date.parse(b.since));
  const stale = locks.filter((it) => it.stale);
  const working = locks.filter((it) => !it.stale);
  const old = items.filter(({saved_at: saved}) => saved && now() - Date.parse(saved) > OLD_MS).length;
  const parts = [html`${more ? 'The first ' : ''}${counted(stacks, 'stack')} in ${counted(environments, 'environment')}`];
  if (working.length > 0) {
    parts.push(html`${working.length} locked${working.length === 1 ? '' : ', longest'} by ${working[0].who} for ${roughAge(working[0].since)}`);
  }
  if (stale.length > 0) {
    parts.push(html`<span class="warn">${stale.length} locked by ${stale[0].who}${stale.length > 1 ? ' and others' : ''}, who ${stale.length > 1 ? 'look' : 'looks'} gone</span>`);
  }
  if (old > 0) {
    parts.push(html`${old} not saved for 90 days`);
  }
  return html`${parts.map((part, i) => html`${i > 0 ? ', ' : ''}${part}`)}${locks.length === 0 ? ', none locked' : ''}.`;
}

/** @param {StackItem[]} items */
function filters(items) {
  const {query} = router.place;
  const environment = query.get('environment') ?? '';
  const names = environmentsOf(items);
  return html`<div class="filters" role="group" aria-label="Filters">
    <input type="search" placeholder="Filter by stack, environment or holder" aria-label="Filter by stack, environment or holder" spellcheck="false"
      .value=${live(query.get('q') ?? '')} @input=${(/** @type {InputEvent} */ typed) => router.refine({q: /** @type {HTMLInputElement} */ (typed.target).value})}>
    <select aria-label="Environment" @change=${(/** @type {Event} */ it) => router.refine({environment: /** @type {HTMLSelectElement} */ (it.target).value})}>
      <option value="" ?selected=${!environment}>All environments</option>
      ${names.map((name) => html`<option value=${name} ?selected=${name === environment}>${name}</option>`)}
      ${environment && !names.includes(environment) ? html`<option value=${environment} selected>${environment}</option>` : nothing}
    </select>
    ${chip('locked', 'Locked')}${chip('stale', 'Stale lock')}${chip('old', 'Not saved for 90 days')}
  </div>`;
}

/** @param {string} value @param {string} words */
function chip(value, words) {
  const on = router.place.query.get('state') === value;
  return html`<button class="chip" aria-pressed=${on} @click=${() => router.refine({state: on ? '' : value})}>${words}</button>`;
}

function isFiltered() {
  const {query} = router.place;
  return ['q', 'environment', 'state'].some((name) => query.get(name));
}

/** @param {StackItem} item @param {Held | null} held */
function matches(item, held) {
  const {query} = router.place;
  const state = query.get('state');
  const environment = query.get('environment');
  const text = `${item.stack} ${item.environment} ${held?.who ?? ''}`.toLowerCase();
  return (
    (!environment || item.environment === environment) &&
    (state !== 'locked' || held !== null) &&
    (state !== 'stale' || Boolean(held?.stale)) &&
    (state !== 'old' || (item.saved_at !== null && now() - Date.parse(item.saved_at) > OLD_MS)) &&
    (query.get('q') ?? '').toLowerCase().split(/\s+/).every((word) => text.includes(word))
  );
}

/** Those that everybody has in the order in which people deploy, others by name. @param {StackItem[]} items */
function environmentsOf(items) {
  /** @param {string} name */
  const place = (name) => (USUAL.includes(name) ? USUAL.indexOf(name) : USUAL.length);
  return [...new Set(items.map(({environment}) => environment))].sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
}

function nothingYet() {
  const block = backendBlock('shop', 'prod');
  const push = `holdfast state push --server ${location.origin} shop prod terraform.tfstate`;
  return html`<div class="empty">
    <h2>No state yet</h2>
    <p>Terraform and OpenTofu keep their state here with this in their configuration, then <code>terraform init</code>:</p>
    <div class="block"><pre tabindex="0"><code>${block}</code></pre><button class="quiet" @click=${() => copy(block)}>Copy</button></div>
    <p>Or upload a state that you have:</p>
    <p class="command"><code>${push}</code><button class="quiet" @click=${() => copy(push)}>Copy</button></p>
  </div>`;
}

customElements.define('hf-state', StatePage);
