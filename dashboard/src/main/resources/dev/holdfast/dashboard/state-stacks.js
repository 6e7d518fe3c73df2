// All stacks with their current versions: read page by page, then kept up to date by what events tell of new versions. Who holds a
// stack is known from the locks.

import {ApiProblem} from './api.js';
import {session} from './session.js';
import {stackOf} from './state-words.js';

/** @typedef {import('./types').StackItem} StackItem */
/** @typedef {import('./types').LockEvent} LockEvent */

const PAGE = 200;
const LARGE_PAGE = 1000;
/** As many as a search goes through; the page says if there are more. */
const MOST = 5_000;
/** Events are told once, if at all; so all that is shown is read again from time to time. */
const EVERY_MS = 60_000;

/** @param {{stack: string, environment: string}} item */
export function stackId({stack, environment}) {
  return `${stack}\n${environment}`;
}

export class Stacks extends EventTarget {
  /** @type {Map<string, StackItem>} */
  all = new Map();
  /** Whether something has been read. */
  loaded = false;
  /** Where the next page begins; empty at the end. */
  more = '';
  /** @type {ApiProblem | null} */
  problem = null;
  /** One after the other: what is asked for while something is read comes next. @type {Promise<void>} */
  #last = Promise.resolve();
  /** @type {Promise<void> | null} */
  #reloading = null;
  /** What events told since a reading began: its answer may be older. @type {Set<string>} */
  #told = new Set();
  #readAt = 0;

  /** Reads again what was read before, or the first page. */
  reload() {
    this.#reloading ??= this.#read(async () => {
      const wanted = Math.max(PAGE, this.all.size);
      /** @type {Map<string, StackItem>} */
      const found = new Map();
      let cursor = '';
      do {
        cursor = await this.#page(found, cursor, wanted - found.size > PAGE ? LARGE_PAGE : PAGE);
      } while (cursor && found.size < wanted);
      this.#take(found);
      this.more = cursor;
      this.loaded = true;
      this.#readAt = Date.now();
    }).finally(() => {
      this.#reloading = null;
    });
    return this.#reloading;
  }

  /** The next page. */
  readMore() {
    return this.#read(async () => {
      if (this.more) {
        const found = new Map(this.all);
        this.more = await this.#page(found, this.more, PAGE);
        this.#take(found);
      }
    });
  }

  /** What is not read yet: who searches means all of them. */
  readRest() {
    return this.#read(async () => {
      const found = new Map(this.all);
      while (this.more && found.size < MOST) {
        this.more = await this.#page(found, this.more, LARGE_PAGE);
      }
      this.#take(found);
    });
  }

  /** Called every second. */
  tick() {
    if (this.loaded && Date.now() - this.#readAt > EVERY_MS && session.stream.state !== 'paused') {
      this.#readAt = Date.now();
      this.reload();
    }
  }

  /** @param {() => Promise<void>} read */
  #read(read) {
    this.#last = this.#last.catch(() => {}).then(() => this.#readNow(read));
    return this.#last;
  }

  /** @param {() => Promise<void>} read */
  async #readNow(read) {
    this.#told.clear();
    try {
      await read();
      this.problem = null;
    } catch (failure) {
      if (!(failure instanceof ApiProblem)) {
        throw failure;
      }
      this.problem = failure;
    } finally {
      this.#tell();
    }
  }

  /** @param {Map<string, StackItem>} found */
  #take(found) {
    for (const id of this.#told) {
      const told = this.all.get(id);
      if (told && (!told.version || told.version > (found.get(id)?.version ?? ''))) {
        found.set(id, told);
      }
    }
    this.all = found;
  }

  /**
   * @param {Map<string, StackItem>} found
   * @param {string} cursor
   * @param {number} limit
   */
  async #page(found, cursor, limit) {
    const page = await session.api.get('/state', {limit, cursor});
    for (const item of page.items) {
      found.set(stackId(item), item);
    }
    return page.next_cursor ?? '';
  }

  /** @param {LockEvent[]} events oldest first */
  happened(events) {
    let changed = false;
    for (const event of events) {
      const stack = event.event.startsWith('state.') ? stackOf(event) : null;
      const known = stack ? this.all.get(stackId(stack)) : undefined;
      const {version, serial, size} = event.metadata;
      if (stack && version && (event.event === 'state.saved' || event.event === 'state.restored') && version > (known?.version ?? '')) {
        const now = {...stack, version, serial: Number(serial), size: Number(size), saved_at: event.timestamp};
        this.#put({locked: false, lock: null, ...known, ...now});
        changed = true;
      } else if (known && event.event === 'state.deleted') {
        this.#put({...known, version: null, serial: null, size: 0, saved_at: null});
        changed = true;
      }
    }
    if (changed) {
      this.#tell();
    }
  }

  /** @param {StackItem} item */
  #put(item) {
    this.all.set(stackId(item), item);
    this.#told.add(stackId(item));
  }

  #tell() {
    this.dispatchEvent(new Event('change'));
  }
}
