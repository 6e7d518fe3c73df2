// Who is in whose way, by the rules the server grants by; and what follows from that across locks.
//
//   lock ─ hold ─ wait ─ wait (behind the other in the queue)
//            │      └─ lock (another one, which the owner who waits here holds) ─ hold ─ wait
//            └─ wait
//
// Owners are known by their names only: two processes with one name look like one here, and the page says so where it matters.

import {idOf} from './keys.js';

/** @typedef {import('./types').Lock} Lock */
/** @typedef {import('./types').Holder} Holder */
/** @typedef {import('./types').Waiter} Waiter */

/** @typedef {{path: string, paths?: string[], mode: import('./types').Mode, limit?: number}} Wanted */
/** @typedef {{kind: 'hold', holder: Holder} | {kind: 'wait', waiter: Waiter}} Blocker */
/** @typedef {{kind: 'lock', id: string, lock: Lock, children: Node[], oldest: number}} LockNode */
/** @typedef {{kind: 'hold', id: string, lock: Lock, holder: Holder, children: Node[]}} HoldNode */
/** @typedef {{kind: 'next', id: string, lock: Lock, children: Node[]}} NextNode nobody is in the way of who comes first */
/** @typedef {{kind: 'wait', id: string, lock: Lock, waiter: Waiter, behind: Blocker[], children: Node[]}} WaitNode */
/** @typedef {{kind: 'link', id: string, lock: Lock, children: Node[]}} LinkNode to a lock that is drawn elsewhere */
/** @typedef {{kind: 'more', id: string, lock: Lock, count: number, children: Node[]}} MoreNode */
/** @typedef {LockNode | HoldNode | NextNode | WaitNode | LinkNode | MoreNode} Node */
/** @typedef {{lock: Lock, waiter: Waiter, blocker: Blocker}} Step one owner waits for another */

/** As many of a queue as are judged and drawn; the rest is counted. */
export const MOST_OF_QUEUE = 50;
/** Circles beyond these are found when the first ones are resolved. */
const MOST_CIRCLES = 5;
/** Circles of queues alone, which resolve themselves, are passed over; in a long queue there can be very many. */
const MOST_LOOKED_AT = 50;

/** @param {Wanted} scope */
export function allPaths(scope) {
  return scope.paths ?? [scope.path];
}

/** Whether one of two paths contains the other. @param {string} a @param {string} b */
export function overlaps(a, b) {
  return contains(a, b) || contains(b, a);
}

/** @param {string} outer @param {string} inner */
export function contains(outer, inner) {
  return outer === '' || inner === outer || inner.startsWith(`${outer}/`);
}

/**
 * Those of the others who must be gone before this is granted: overlapping paths exclude each other, unless both are shared, or both are
 * permits on the very same path and one more stays within the smallest limit among them.
 * @template {Wanted} T
 * @param {Wanted} wanted
 * @param {T[]} others holds, and who came earlier
 * @returns {T[]}
 */
export function inTheWay(wanted, others) {
  /** @type {Set<T>} */
  const found = new Set();
  for (const path of allPaths(wanted)) {
    let limit = wanted.limit ?? 1;
    /** @type {T[]} */
    const permits = [];
    for (const other of others) {
      for (const theirs of allPaths(other)) {
        if (!overlaps(path, theirs)) {
          continue;
        }
        if (wanted.mode === 'exclusive' || wanted.mode !== other.mode || (wanted.mode === 'permit' && path !== theirs)) {
          found.add(other);
        } else if (wanted.mode === 'permit') {
          permits.push(other);
          limit = Math.min(limit, other.limit ?? 1);
        }
      }
    }
    if (wanted.mode === 'permit' && permits.length + 1 > limit) {
      permits.forEach((permit) => found.add(permit));
    }
  }
  return others.filter((other) => found.has(other));
}

/**
 * Who waits at one lock, each with everybody in its way.
 * @param {Lock} lock
 */
export function queueOf(lock) {
  return lock.waiters.slice(0, MOST_OF_QUEUE).map((waiter, i) => {
    // An earlier waiter counts as if it held: nobody is passed.
    /** @type {(Holder | Waiter)[]} */
    const before = [...lock.holders, ...lock.waiters.slice(0, i)];
    /** @type {Blocker[]} */
    const behind = inTheWay(waiter, before).map((it) => ('since' in it ? {kind: 'wait', waiter: it} : {kind: 'hold', holder: it}));
    return {waiter, behind};
  });
}

/** @param {Blocker} blocker */
export function ownerOf(blocker) {
  return blocker.kind === 'hold' ? blocker.holder.owner : blocker.waiter.owner;
}

export class Waits {
  /** @type {Map<string, {lock: Lock, queue: ReturnType<typeof queueOf>}>} */
  #locks = new Map();
  /** Where each owner waits. @type {Map<string, Set<string>>} */
  #waiting = new Map();
  /** Which locks each owner holds while others wait for them. @type {Map<string, Set<string>>} */
  #holding = new Map();
  /** @type {Set<string>} */
  #drawn = new Set();

  /** @param {Iterable<Lock>} locks all that are known */
  constructor(locks) {
    for (const lock of locks) {
      if (lock.waiters.length > 0) {
        const id = idOf(lock);
        const queue = queueOf(lock);
        this.#locks.set(id, {lock, queue});
        for (const {waiter, behind} of queue) {
          put(this.#waiting, waiter.owner, id);
          behind.forEach((blocker) => blocker.kind === 'hold' && put(this.#holding, blocker.holder.owner, id));
        }
      }
    }
  }

  /** Whether this owner waits for another lock than this one. @param {string} owner @param {Lock} lock */
  waitsElsewhere(owner, lock) {
    return [...(this.#waiting.get(owner) ?? [])].filter((id) => id !== idOf(lock)).map((id) => this.#lock(id));
  }

  /** The trees, the longest wait first; every lock is in one of them, and a link leads to it from the others. */
  forest() {
    this.#drawn = new Set();
    const ids = [...this.#locks.keys()].sort((a, b) => this.#oldest(a) - this.#oldest(b));
    const top = ids.filter((id) => !this.#isBehindAnother(id));
    const trees = top.map((id) => this.#draw(id));
    // In a circle nobody is on top: who has waited longest is.
    for (const id of ids) {
      if (!this.#drawn.has(id)) {
        trees.push(this.#draw(id));
      }
    }
    return trees.sort((a, b) => a.oldest - b.oldest);
  }

  /** @param {string} id */
  #lock(id) {
    return /** @type {{lock: Lock}} */ (this.#locks.get(id)).lock;
  }

  /** @param {string} id */
  #oldest(id) {
    return Math.min(...this.#lock(id).waiters.map((waiter) => Date.parse(waiter.since)));
  }

  /** @param {string} id */
  #isBehindAnother(id) {
    const {queue} = /** @type {{queue: ReturnType<typeof queueOf>}} */ (this.#locks.get(id));
    return queue.some(({behind}) =>
      behind.some((blocker) => blocker.kind === 'hold' && this.waitsElsewhere(blocker.holder.owner, this.#lock(id)).length > 0),
    );
  }

  /** @param {string} id @returns {LockNode} */
  #draw(id) {
    this.#drawn.add(id);
    const {lock, queue} = /** @type {{lock: Lock, queue: ReturnType<typeof queueOf>}} */ (this.#locks.get(id));
    /** @type {LockNode} */
    const tree = {kind: 'lock', id, lock, children: [], oldest: this.#oldest(id)};
    /** @type {Map<Holder | Waiter, HoldNode | WaitNode>} */
    const nodes = new Map();
    const blocking = lock.holders.filter((holder) => queue.some(({behind}) => behind.some((it) => it.kind === 'hold' && it.holder === holder)));
    for (const holder of blocking) {
      /** @type {HoldNode} */
      const node = {kind: 'hold', id: `${id}\n#${holder.fencing_token}`, lock, holder, children: []};
      nodes.set(holder, node);
      tree.children.push(node);
    }
    /** @type {NextNode | null} */
    let next = null;
    queue.forEach(({waiter, behind}, i) => {
      /** @type {WaitNode} */
      const node = {kind: 'wait', id: `${id}\n${waiter.owner}\n${waiter.since}\n${sameBefore(lock.waiters, i)}`, lock, waiter, behind, children: []};
      nodes.set(waiter, node);
      const last = behind[behind.length - 1]; // who came earlier stands behind the holders
      const parent = last && nodes.get(last.kind === 'hold' ? last.holder : last.waiter);
      if (parent) {
        parent.children.push(node);
      } else {
        next ??= {kind: 'next', id: `${id}\nnext`, lock, children: []};
        next.children.push(node);
      }
    });
    if (next) {
      tree.children.push(next);
    }
    if (lock.waiters.length > queue.length) {
      tree.children.push({kind: 'more', id: `${id}\nmore`, lock, count: lock.waiters.length - queue.length, children: []});
    }
    for (const {waiter} of queue) {
      this.#drawHeldBy(waiter.owner, lock, /** @type {WaitNode} */ (nodes.get(waiter)), tree);
    }
    return tree;
  }

  /**
   * What an owner who waits holds itself, so that others wait for it: drawn behind it, or linked if it is drawn already.
   * @param {string} owner
   * @param {Lock} lock where it waits
   * @param {WaitNode} node
   * @param {LockNode} tree
   */
  #drawHeldBy(owner, lock, node, tree) {
    for (const id of this.#holding.get(owner) ?? []) {
      if (id === idOf(lock)) {
        continue;
      }
      if (this.#drawn.has(id)) {
        node.children.push({kind: 'link', id: `${node.id}\n→${id}`, lock: this.#lock(id), children: []});
      } else {
        const below = this.#draw(id);
        node.children.push(below);
        tree.oldest = Math.min(tree.oldest, below.oldest);
      }
    }
  }

  /**
   * Owners who wait for each other in a circle. By their names, so it may be a deadlock; with a hold in it, since only a queue resolves
   * itself.
   * @returns {Step[][]}
   */
  circles() {
    /** @type {Map<string, Step[]>} */
    const steps = new Map();
    for (const {lock, queue} of this.#locks.values()) {
      for (const {waiter, behind} of queue) {
        for (const blocker of behind) {
          if (ownerOf(blocker) !== waiter.owner) {
            const all = steps.get(waiter.owner) ?? [];
            all.push({lock, waiter, blocker});
            steps.set(waiter.owner, all);
          }
        }
      }
    }
    /** @type {Step[][]} */
    const found = [];
    for (let looked = 0; looked < MOST_LOOKED_AT && found.length < MOST_CIRCLES; looked += 1) {
      prune(steps);
      const circle = walk(steps);
      if (!circle) {
        return found;
      }
      if (circle.some(({blocker}) => blocker.kind === 'hold')) {
        found.push(circle);
      }
      const first = circle[0];
      steps.set(first.waiter.owner, (steps.get(first.waiter.owner) ?? []).filter((step) => step !== first));
    }
    return found;
  }
}

/** Removes who waits only for such as can go on; what is left runs into a circle. @param {Map<string, Step[]>} steps */
function prune(steps) {
  for (let before = -1; before !== steps.size; ) {
    before = steps.size;
    for (const [owner, all] of steps) {
      const stuck = all.filter(({blocker}) => steps.has(ownerOf(blocker)));
      if (stuck.length === 0) {
        steps.delete(owner);
      } else {
        steps.set(owner, stuck);
      }
    }
  }
}

/** From anybody who is left on to who is in the way, until somebody comes twice. @param {Map<string, Step[]>} steps */
function walk(steps) {
  const start = steps.keys().next();
  if (start.done) {
    return null;
  }
  /** @type {Map<string, number>} */
  const met = new Map();
  /** @type {Step[]} */
  const way = [];
  for (let owner = start.value; !met.has(owner); ) {
    met.set(owner, way.length);
    const all = /** @type {Step[]} */ (steps.get(owner));
    const step = all.find(({blocker}) => blocker.kind === 'hold') ?? all[0];
    way.push(step);
    owner = ownerOf(step.blocker);
    if (met.has(owner)) {
      return way.slice(met.get(owner));
    }
  }
  return null;
}

/** @param {Map<string, Set<string>>} map @param {string} key @param {string} value */
function put(map, key, value) {
  map.set(key, (map.get(key) ?? new Set()).add(value));
}

/** How many before this one have the same owner and time: each has a name of its own. @param {Waiter[]} waiters @param {number} index */
function sameBefore(waiters, index) {
  const {owner, since} = waiters[index];
  return waiters.slice(0, index).filter((other) => other.owner === owner && other.since === since).length;
}
