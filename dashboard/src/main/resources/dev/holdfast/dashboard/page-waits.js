// Who waits for whom: trees from those who hold to those who wait for them, across locks. They hold still while somebody looks closely.

import {html, nothing} from 'lit-html';
import {live} from 'lit-html/directives/live.js';
import {repeat} from 'lit-html/directives/repeat.js';
import {Part, ageOf, emptyState, isTyping, leaseLeft, lockLink, marks, problemBox, ticks} from './parts.js';
import {router} from './router.js';
import {session} from './session.js';
import {Waits, ownerOf, queueOf} from './waits-graph.js';
import {UsualHolds, expected} from './waits-usual.js';
import {behindWhom, circleBox, turnWords, wantedPaths} from './waits-words.js';
import {counted, now, seconds} from './time.js';
import {idOf, keyText, lockHref} from './keys.js';

/** @typedef {import('./types').Lock} Lock */
/** @typedef {import('./waits-graph.js').Node} Node */
/** @typedef {import('./waits-graph.js').LockNode} LockNode */
/** @typedef {import('./waits-graph.js').WaitNode} WaitNode */
/** @typedef {import('./waits-graph.js').HoldNode} HoldNode */
/** @typedef {{node: Node, level: number, rails: boolean[], last: boolean, place: number, of: number, parent: string, open: boolean | null}} Row */
/** @typedef {{usual: import('./waits-usual.js').Usual, turns: ReturnType<typeof expected>} | null} Turns */

/** Trees drawn at first, and with each wish for more. */
const TREES = 25;
/** Who waits longer than this is worth a look, as on the overview. */
const LONG_WAIT_MS = 60_000;

class WaitsPage extends Part {
  /** What is drawn; only the reader changes its order. @type {LockNode[]} */
  #forest = [];
  /** @type {Waits} */
  #waits = new Waits([]);
  /** @type {import('./waits-graph.js').Step[][]} */
  #circles = [];
  #drawn = '';
  /** Whether something changed that is not drawn yet. */
  #changed = false;
  #pointer = false;
  #trees = TREES;
  #filter = '';
  /** @type {Set<string>} */
  #closed = new Set();
  /** The row that Tab leads to. */
  #current = '';
  /** @type {Row[]} */
  #rows = [];
  #usual = new UsualHolds();

  connectedCallback() {
    super.connectedCallback();
    this.listen(session.locks, 'change', () => this.#happened());
    this.listen(router, 'change', () => this.#refined());
    this.listen(this.#usual, 'change');
    this.listen(ticks, 'tick');
    this.listen(document, 'keydown', (key) => this.#pressed(/** @type {KeyboardEvent} */ (key)));
    this.#filter = location.search;
    this.#settle();
  }

  // ---- what is drawn

  #happened() {
    const atRest = !this.#pointer && !this.querySelector('.waits')?.contains(document.activeElement);
    if (atRest) {
      this.#settle();
      return;
    }
    this.#changed = shapeOf(this.#matching(new Waits(session.locks.all.values()).forest())) !== this.#drawn;
    this.requestUpdate();
  }

  #refined() {
    if (location.search !== this.#filter) {
      this.#filter = location.search;
      this.#trees = TREES;
      this.#settle();
    }
  }

  #settle() {
    this.#waits = new Waits(session.locks.all.values());
    this.#forest = this.#matching(this.#waits.forest());
    const shown = new Set(this.#forest.flatMap(locksOf).map(idOf));
    this.#circles = this.#waits.circles().filter((circle) => circle.some(({lock}) => shown.has(idOf(lock))));
    this.#drawn = shapeOf(this.#forest);
    this.#changed = false;
    this.#usual.learn(this.#forest.flatMap(locksOf));
    this.requestUpdate();
  }

  /** Whole trees: who is filtered for is only understood with everybody around. @param {LockNode[]} trees */
  #matching(trees) {
    const {query} = router.place;
    const namespace = query.get('namespace') ?? '';
    const owner = (query.get('owner') ?? '').toLowerCase();
    return trees.filter((tree) => {
      const locks = locksOf(tree);
      return (
        (!namespace || locks.some((lock) => lock.namespace === namespace)) &&
        (!owner || locks.some((lock) => [...lock.holders, ...lock.waiters].some((it) => it.owner.toLowerCase().includes(owner))))
      );
    });
  }

  // ---- showing

  render() {
    const {locks} = session;
    if (!locks.complete && locks.all.size === 0) {
      return locks.problem ? problemBox(locks.problem, 'Locks cannot be read.') : html`<h1 class="sentence soft">Looking…</h1>`;
    }
    return html`
      <h1 class="sentence">${this.#sentence()}</h1>
      ${locks.problem ? problemBox(locks.problem, 'What is shown is old: locks cannot be read now.') : nothing}
      ${this.#filters()}
      ${this.#circles.length > 0 ? circleBox(this.#circles) : nothing}
      ${this.#changed ? html`<button class="fresh" @click=${() => this.#settle()}>Waits have changed <kbd>.</kbd></button>` : nothing}
      ${this.#forest.length > 0 ? this.#tree() : this.#empty()}`;
  }

  #sentence() {
    const all = this.#forest.flatMap(locksOf);
    const waiting = all.flatMap((lock) => lock.waiters.map((waiter) => ({lock, waiter}))).sort((a, b) => Date.parse(a.waiter.since) - Date.parse(b.waiter.since));
    if (waiting.length === 0) {
      return this.#isFiltered ? 'No waiter matches.' : 'Nobody waits for a lock.';
    }
    const {lock, waiter} = waiting[0];
    const holder = queueOf(lock).find((it) => it.waiter === waiter)?.behind.find((it) => it.kind === 'hold');
    const by = holder ? html` held by <b>${ownerOf(holder)}</b>` : nothing;
    const stuck = this.#circles.length > 0
      ? html`<span class="bad">${this.#circles.length === 1 ? `${counted(this.#circles[0].length, 'owner')} wait` : 'Some wait'} for each other.</span> `
      : nothing;
    const many = session.locks.truncated ? ' Only the first locks were looked at; there are more.' : '';
    return waiting.length === 1
      ? html`${stuck}One waits: <b>${waiter.owner}</b>, for ${seconds(now() - Date.parse(waiter.since))}, for ${lockLink(lock)}${by}.${many}`
      : html`${stuck}${waiting.length.toLocaleString()} wait for ${counted(all.length, 'lock')}; longest: <b>${waiter.owner}</b>,
        ${seconds(now() - Date.parse(waiter.since))}, for ${lockLink(lock)}${by}.${many}`;
  }

  get #isFiltered() {
    return router.place.query.has('namespace') || router.place.query.has('owner');
  }

  #filters() {
    const {query} = router.place;
    const namespace = query.get('namespace') ?? '';
    const names = [...new Set([...session.locks.all.values()].filter((lock) => lock.waiters.length > 0).map((lock) => lock.namespace))].sort();
    if (names.length === 0 && !this.#isFiltered) {
      return nothing;
    }
    return html`<div class="filters" role="group" aria-label="Filters">
      <input type="search" placeholder="Filter by owner" aria-label="Filter by owner" spellcheck="false" .value=${live(query.get('owner') ?? '')}
        @input=${(/** @type {InputEvent} */ typed) => router.refine({owner: /** @type {HTMLInputElement} */ (typed.target).value})}>
      <select aria-label="Namespace" @change=${(/** @type {Event} */ it) => router.refine({namespace: /** @type {HTMLSelectElement} */ (it.target).value})}>
        <option value="" ?selected=${!namespace}>All namespaces</option>
        ${names.map((name) => html`<option value=${name} ?selected=${name === namespace}>${name}</option>`)}
        ${namespace && !names.includes(namespace) ? html`<option value=${namespace} selected>${namespace}</option>` : nothing}
      </select>
      ${this.#isFiltered ? html`<button class="quiet" @click=${() => router.refine({namespace: '', owner: ''})}>Show all</button>` : nothing}
    </div>`;
  }

  #tree() {
    const shown = this.#forest.slice(0, this.#trees);
    this.#rows = shown.flatMap((tree, i) => this.#rowsOf(tree, 1, [], i === shown.length - 1, i + 1, shown.length, ''));
    if (!this.#rows.some(({node}) => node.id === this.#current)) {
      this.#current = this.#rows[0].node.id;
    }
    const turns = new Map(shown.flatMap(locksOf).map((lock) => [idOf(lock), this.#turns(lock)]));
    return html`<div class="waits" role="tree" aria-label="Who waits for whom" @pointerenter=${() => (this.#pointer = true)} @pointerleave=${() => this.#left()}
        @focusin=${(/** @type {FocusEvent} */ focus) => this.#focused(focus)} @focusout=${() => this.requestUpdate()}>
        ${repeat(this.#rows, ({node}) => node.id, (row) => this.#row(row, turns))}
      </div>
      ${this.#forest.length > shown.length
        ? html`<p><button @click=${() => this.#more()}>Show ${Math.min(TREES, this.#forest.length - shown.length)} more of ${this.#forest.length - shown.length}</button></p>`
        : nothing}`;
  }

  #more() {
    this.#trees += TREES;
    this.requestUpdate();
  }

  #left() {
    this.#pointer = false;
    this.#happened();
  }

  /** @param {Lock} lock */
  #turns(lock) {
    const usual = this.#usual.of(lock);
    const current = session.locks.get(lock);
    return usual && current ? {usual, turns: expected(queueOf(current), usual, (owner) => this.#waits.waitsElsewhere(owner, lock).length > 0)} : null;
  }

  /**
   * What is seen of a tree, from top to bottom. A queue in which each only waits for the one before is one line, not a staircase.
   * @param {Node} node @param {number} level @param {boolean[]} rails @param {boolean} last @param {number} place @param {number} of @param {string} parent
   * @returns {Row[]}
   */
  #rowsOf(node, level, rails, last, place, of, parent) {
    const children = node.kind === 'hold' || node.kind === 'next' ? lined(node.children) : node.children.filter((child) => !this.#isLined(node, child));
    const open = children.length === 0 ? null : !this.#closed.has(node.id);
    /** @type {Row} */
    const row = {node, level, rails, last, place, of, parent, open};
    const below = level === 1 ? [] : [...rails, !last];
    const rest = open ? children.flatMap((child, i) => this.#rowsOf(child, level + 1, below, i === children.length - 1, i + 1, children.length, node.id)) : [];
    return [row, ...rest];
  }

  /** Whether a child is drawn on the line of its parent already. @param {Node} node @param {Node} child */
  #isLined(node, child) {
    return node.kind === 'wait' && child.kind === 'wait' && inLine.has(child);
  }

  /** @param {Row} row @param {Map<string, Turns>} turns */
  #row(row, turns) {
    const {node, level, rails, last, open} = row;
    const parts = this.#partsOf(node, turns);
    return html`<div role="treeitem" class="wrow ${node.kind} ${parts.tone}" id=${`w-${hash(node.id)}`} aria-level=${level} aria-posinset=${row.place} aria-setsize=${row.of}
        aria-expanded=${open === null ? nothing : String(open)} aria-selected=${node.id === this.#current} tabindex=${node.id === this.#current ? 0 : -1} data-id=${node.id}>
      <span class="branch" aria-hidden="true">${level > 1 ? html`${rails.map((goesOn) => html`<i class=${goesOn ? 'on' : ''}></i>`)}<i class=${last ? 'end' : 'tee'}></i>` : nothing}</span>
      <span class="main">${node.kind === 'lock' ? html`<span class="fold" aria-hidden="true" @click=${() => this.#toggle(node.id)}>${open ? '▾' : '▸'}</span>` : nothing}${parts.main}</span>
      <span class="time">${parts.time}</span>
      <span class="rest-of">${parts.rest}</span>
    </div>`;
  }

  /**
   * @param {Node} node
   * @param {Map<string, Turns>} turns
   * @returns {{main: unknown, time?: unknown, rest?: unknown, tone?: string}}
   */
  #partsOf(node, turns) {
    const current = session.locks.get(node.lock) ?? {...node.lock, holders: [], waiters: []};
    switch (node.kind) {
      case 'lock':
        return {
          main: html`${lockLink(node.lock)} ${this.#circles.some((circle) => circle.some(({lock}) => idOf(lock) === node.id)) ? html`<span class="mark bad">in a cycle</span>` : nothing}`,
          time: current.waiters.length > 0 ? html`<span class="soft">${counted(current.waiters.length, 'waits', 'wait')}</span>` : html`<span class="soft">nobody waits now</span>`,
        };
      case 'hold':
        return this.#holdParts(node, current);
      case 'next':
        return {main: html`<span class="dot"></span><span class="soft">Nobody is in the way: it goes to whoever is first, as soon as that one asks again.</span>`};
      case 'wait':
        return this.#waitParts(node, current, turns.get(idOf(node.lock)) ?? null);
      case 'link':
        return {main: html`<span class="soft">holds</span> <a class="key" href=${`#w-${hash(idOf(node.lock))}`} tabindex="-1" @click=${(/** @type {Event} */ click) => this.#follow(click, idOf(node.lock))}>${keyText(node.lock)}</a> <span class="soft">too, which is drawn ${this.#isAbove(node) ? 'above' : 'below'}</span>`};
      case 'more':
        return {main: html`<a href=${lockHref(node.lock)} tabindex="-1">${counted(node.count, 'more waits', 'more wait')}</a> <span class="soft">behind them</span>`};
    }
  }

  /** @param {HoldNode} node @param {Lock} current */
  #holdParts(node, current) {
    const holder = current.holders.find((it) => it.fencing_token === node.holder.fencing_token);
    const shown = holder ?? node.holder;
    if (!holder) {
      return {tone: 'gone', main: html`<span class="dot"></span><span class="owner">${shown.owner}</span> <span class="soft">no longer holds it</span>`};
    }
    const elsewhere = this.#waits.waitsElsewhere(shown.owner, node.lock);
    return {
      tone: shown.stale ? 'stale' : '',
      main: html`<span class="dot"></span><b class="owner">${shown.owner}</b> ${marks(shown)}
        ${elsewhere.length > 0 ? html`<span class="soft">waits itself for ${keyText(elsewhere[0])}${elsewhere.length > 1 ? ` and ${elsewhere.length - 1} more` : ''}</span>` : nothing}
        ${shown.reason ? html`<span class="soft why">${shown.reason}</span>` : nothing}`,
      time: html`<span class="soft">holds</span> ${ageOf(shown.granted_at)}`,
      rest: leaseLeft(shown),
    };
  }

  /** @param {WaitNode} node @param {Lock} current @param {Turns} turns */
  #waitParts(node, current, turns) {
    const waiter = current.waiters.find((it) => it.owner === node.waiter.owner && it.since === node.waiter.since);
    if (!waiter) {
      const got = current.holders.some((it) => it.owner === node.waiter.owner);
      return {tone: 'gone', main: html`<span class="place"></span><span class="owner">${node.waiter.owner}</span> <span class="soft">${got ? 'has it now' : 'no longer waits'}</span>`};
    }
    const long = now() - Date.parse(waiter.since) > LONG_WAIT_MS;
    return {
      main: html`<span class="place" title="Place in the queue">${waiter.position}</span><b class="owner">${waiter.owner}</b>
        ${waiter.mode === 'exclusive' ? nothing : html`<span class="mark">${waiter.mode}${waiter.limit ? ` of ${waiter.limit}` : ''}</span>`}
        ${wantedPaths(node)} <span class="soft why">${behindWhom(node)}</span>`,
      time: html`<span class="soft">waits</span> <span class=${long ? 'warn' : ''}>${ageOf(waiter.since)}</span>`,
      rest: turns ? turnWords(turns.turns.get(waiter) ?? null, turns.usual) : nothing,
    };
  }

  #empty() {
    return this.#isFiltered
      ? html`<div class="empty"><h2>No waiter matches</h2><p>The filters exclude all of them.</p><p><a class="button" href="/ui/waits">Show all</a></p></div>`
      : emptyState('Nobody waits', 'Callers that wait for a lock are shown here until it is their turn. Run this in two terminals: the second waits for the first.',
          `holdfast exec --server ${location.origin} --wait 10m nightly-report -- sleep 60`);
  }

  // ---- keys: those of a tree

  /** @param {FocusEvent} focus */
  #focused(focus) {
    const row = /** @type {HTMLElement} */ (focus.target).closest('[role=treeitem]');
    if (row instanceof HTMLElement && row.dataset.id && row.dataset.id !== this.#current) {
      this.#current = row.dataset.id;
      this.requestUpdate();
    }
  }

  /** @param {KeyboardEvent} key */
  #pressed(key) {
    if (isTyping(key) || key.metaKey || key.ctrlKey || key.altKey || this.#rows.length === 0) {
      return;
    }
    const inTree = /** @type {HTMLElement} */ (key.target).closest?.('.waits') !== null;
    const at = this.#rows.findIndex(({node}) => node.id === this.#current);
    const row = this.#rows[at];
    const move = /** @type {Record<string, () => void>} */ ({
      ArrowDown: () => this.#go(at + 1),
      ArrowUp: () => this.#go(at - 1),
      Home: () => this.#go(0),
      End: () => this.#go(this.#rows.length - 1),
      ArrowRight: () => (row.open === false ? this.#toggle(this.#current) : row.open && this.#go(at + 1)),
      ArrowLeft: () => (row.open && row.node.kind === 'lock' ? this.#toggle(this.#current) : this.#go(this.#rows.findIndex(({node}) => node.id === row.parent))),
      Enter: () => (row.node.kind === 'link' ? this.#jump(idOf(row.node.lock)) : router.go(lockHref(row.node.lock))),
    });
    const always = /** @type {Record<string, () => void>} */ ({
      j: () => this.#go(inTree ? at + 1 : 0),
      k: () => this.#go(inTree ? at - 1 : 0),
      '.': () => this.#settle(),
    });
    const act = (inTree && !/** @type {HTMLElement} */ (key.target).closest('a, button') ? move[key.key] : undefined) ?? always[key.key];
    if (act) {
      key.preventDefault();
      act();
    }
  }

  /** @param {number} index */
  async #go(index) {
    const row = this.#rows[index];
    if (row) {
      this.#current = row.node.id;
      this.requestUpdate();
      await this.updateComplete;
      const element = /** @type {HTMLElement | null} */ (this.querySelector(`#w-${hash(row.node.id)}`));
      element?.focus({preventScroll: true});
      element?.scrollIntoView({block: 'nearest'});
    }
  }

  /** @param {string} id */
  #toggle(id) {
    if (!this.#closed.delete(id)) {
      this.#closed.add(id);
    }
    this.requestUpdate();
  }

  /** @param {Event} click @param {string} id */
  #follow(click, id) {
    click.preventDefault();
    this.#jump(id);
  }

  /** Goes to where a lock is drawn. @param {string} id */
  #jump(id) {
    this.#go(this.#rows.findIndex(({node}) => node.id === id));
  }

  /** @param {Node} link */
  #isAbove(link) {
    return this.#rows.findIndex(({node}) => node.id === idOf(link.lock)) < this.#rows.findIndex(({node}) => node === link);
  }
}

/** Who is drawn on the line of the one before. @type {WeakSet<Node>} */
const inLine = new WeakSet();

/**
 * The children of a hold: one line if each only waits for the one before and nobody else is behind it.
 * @param {Node[]} children
 */
function lined(children) {
  const line = [...children];
  if (children.length !== 1) {
    return line;
  }
  for (let last = children[0]; last.kind === 'wait'; ) {
    const followers = last.children.filter((child) => child.kind === 'wait');
    if (followers.length !== 1) {
      break;
    }
    inLine.add(followers[0]);
    line.push(followers[0]);
    last = followers[0];
  }
  return line;
}

/** @param {Node} node @returns {Lock[]} */
function locksOf(node) {
  return [...(node.kind === 'lock' ? [node.lock] : []), ...node.children.flatMap(locksOf)];
}

/** Which rows there are, in their order. @param {Node[]} nodes @returns {string} */
function shapeOf(nodes) {
  return nodes.map((node) => `${node.id}(${shapeOf(node.children)})`).join(',');
}

/** A name that can stand in an attribute and a selector. @param {string} text */
function hash(text) {
  let [a, b] = [0x811c9dc5, 0x1b873593];
  for (let i = 0; i < text.length; i += 1) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
    b = Math.imul(b ^ text.charCodeAt(i), 0x85ebca6b);
  }
  return `${(a >>> 0).toString(36)}${(b >>> 0).toString(36)}`;
}

customElements.define('hf-waits', WaitsPage);
