// The stream of events: stays connected, continues where it was, and always says how it stands.

import {ApiProblem, unreadable} from './api.js';

/** @typedef {import('./types').LockEvent} LockEvent */
/** @typedef {import('./types').LiveState} LiveState */

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;
/** The server says something every 15 s. Two misses and a bit mean that nobody is there. */
const SILENCE_MS = 35_000;
/** Events that arrive together are told together. */
const BATCH_MS = 50;

export class Stream extends EventTarget {
  /** @type {LiveState} */
  state = 'connecting';
  /** Since when it is in this state. */
  since = Date.now();
  /** The last problem; empty while all is well. */
  problem = '';

  /** @type {import('./api.js').Api} */
  #api;
  #last = '';
  #retry = FIRST_RETRY_MS;
  /** @type {AbortController | null} */
  #abort = null;
  #run = 0;
  /** @type {LockEvent[]} */
  #batch = [];
  #told = 0;

  /** @param {import('./api.js').Api} api */
  constructor(api) {
    super();
    this.#api = api;
  }

  /** Begins, with what happens from now on. */
  start() {
    this.#abort?.abort();
    this.#run += 1;
    this.#loop(this.#run);
  }

  /** Ends, and forgets where it was: who begins again reads everything anyway. */
  stop() {
    this.#run += 1;
    this.#abort?.abort();
    clearTimeout(this.#told);
    this.#told = 0;
    this.#batch = [];
    this.#last = '';
  }

  /** Ends as if it had never begun: who listens next is another one. */
  forget() {
    this.stop();
    this.problem = '';
    this.#become('connecting');
  }

  pause() {
    this.stop();
    this.#become('paused');
  }

  resume() {
    this.#become('reconnecting');
    this.start();
  }

  /** @param {number} run */
  async #loop(run) {
    while (run === this.#run) {
      try {
        await this.#listen(run);
      } catch (failure) {
        if (run !== this.#run) {
          return;
        }
        if (failure instanceof ApiProblem && failure.status === 401) {
          return; // the page asks who this is, and starts again
        }
        this.problem = failure instanceof Error ? failure.message : '';
      }
      if (run !== this.#run) {
        return;
      }
      this.#become('reconnecting');
      await new Promise((resolve) => setTimeout(resolve, this.#retry * (0.5 + Math.random() / 2)));
      this.#retry = Math.min(this.#retry * 2, LONGEST_RETRY_MS);
    }
  }

  /** @param {number} run */
  async #listen(run) {
    const abort = new AbortController();
    this.#abort = abort;
    let quiet = setTimeout(() => abort.abort(), SILENCE_MS);
    try {
      /** @type {Record<string, string>} */
      const headers = this.#last ? {'Last-Event-ID': this.#last} : {};
      const response = await this.#api.open('/v2/events', headers, abort.signal);
      if (!response.headers.get('Content-Type')?.startsWith('text/event-stream')) {
        throw unreadable();
      }
      const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
      const decoder = new TextDecoder();
      let rest = '';
      for (;;) {
        const {done, value} = await reader.read();
        if (done || run !== this.#run) {
          return;
        }
        clearTimeout(quiet);
        quiet = setTimeout(() => abort.abort(), SILENCE_MS);
        const blocks = (rest + decoder.decode(value, {stream: true})).split('\n\n');
        rest = blocks.pop() ?? '';
        this.#retry = FIRST_RETRY_MS;
        // A server that is being told to stop says reset first; only what is told after that counts as live.
        if (!blocks.some((block) => block.startsWith('event: reset'))) {
          this.#become('live');
        }
        blocks.forEach((block) => this.#take(block));
      }
    } finally {
      clearTimeout(quiet);
    }
  }

  /** @param {string} block */
  #take(block) {
    const said = parse(block);
    if (said.event === 'reset') {
      const {last_event_id: last, another_history: another} = JSON.parse(said.data);
      // Everything is read again in both cases, so in another history it is enough to listen from now on.
      this.#last = another ? '' : String(last);
      this.dispatchEvent(new CustomEvent('reset', {detail: {anotherHistory: another}}));
      return;
    }
    if (said.id) {
      this.#last = said.id;
    }
    if (said.data) {
      this.#batch.push(JSON.parse(said.data));
      if (!this.#told) {
        this.#told = window.setTimeout(() => this.#tell(), BATCH_MS);
      }
    }
  }

  #tell() {
    const events = this.#batch;
    this.#batch = [];
    this.#told = 0;
    this.dispatchEvent(new CustomEvent('events', {detail: events}));
  }

  /** @param {LiveState} state */
  #become(state) {
    if (state === this.state) {
      return;
    }
    const before = this.state;
    this.state = state;
    this.since = Date.now();
    if (state === 'live') {
      this.problem = '';
    }
    this.dispatchEvent(new CustomEvent('state', {detail: {before}}));
  }
}

/** @param {string} block */
function parse(block) {
  const said = {event: '', id: '', data: ''};
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const field = line.slice(0, colon);
    if (field === 'event' || field === 'id' || field === 'data') {
      said[field] += line.slice(colon + 1).trimStart();
    }
  }
  return said;
}
