// One reader with one server: who it is, what is known, and the stream that keeps it up to date. Made once, when the page begins.

import {Api, ApiProblem} from './api.js';
import {Stream} from './stream.js';
import {Locks} from './locks.js';
import {OverviewReader, REST_MS} from './overview.js';
import {mayForce} from './access.js';

/** @typedef {import('./types').Caller} Caller */
/** @typedef {import('./types').Health} Health */

const HEALTH_FIRST_MS = 300;
const HEALTH_EVERY_MS = 30_000;

class Session extends EventTarget {
  api = new Api();
  stream = new Stream(this.api);
  overview = new OverviewReader(this.api);
  /** All of them, for pages that need all. */
  locks = new Locks(this.api);
  /** @type {Caller | null} */
  caller = null;
  /** @type {Health | null} */
  health = null;
  /** Whether the health was asked for, with or without an answer. */
  asked = false;
  /** Whether somebody must say who they are. */
  signedOut = false;
  /** Why the last attempt to sign in failed. */
  refusal = '';
  readOnly = document.documentElement.dataset.readOnly === 'true';

  #tabs = new BroadcastChannel('holdfast.session');
  /** Whether this tab has asked the others for a token, and has none yet. */
  #wanting = false;
  /** An answer that was asked for before somebody came or left is no longer wanted. */
  #turn = 0;
  #healthTimer = 0;
  #healthAt = 0;

  constructor() {
    super();
    this.api.onUnauthorized = () => this.#ask();
    this.stream.addEventListener('events', (told) => {
      const events = /** @type {CustomEvent} */ (told).detail;
      this.overview.happened(events);
      this.locks.happened(events);
    });
    this.overview.addEventListener('change', () => this.#learn(this.overview.answer?.health));
    this.stream.addEventListener('reset', () => this.#readAgain());
    this.stream.addEventListener('state', (told) => {
      const {before} = /** @type {CustomEvent} */ (told).detail;
      // What was renewed meanwhile is in no event; and what was read before the first connection may have changed before it, too.
      if (this.stream.state === 'live') {
        this.#readAgain(before === 'connecting');
      }
      this.#tell();
    });
    this.#tabs.addEventListener('message', ({data}) => this.#heard(data));
  }

  /** Begins: tries as nobody, then with the token of another tab, and only then asks. */
  async start() {
    const turn = this.#turn;
    try {
      const caller = await this.api.get('/v2/whoami');
      if (turn !== this.#turn) {
        return;
      }
      this.caller = caller;
      this.#run();
    } catch (failure) {
      if (!(failure instanceof ApiProblem)) {
        throw failure;
      }
      if (failure.status !== 401 && turn === this.#turn) {
        setTimeout(() => this.start(), 2_000); // what the page cannot read, it says itself
      }
    }
    this.#tell();
  }

  /**
   * The token stays in memory: it ends with the last tab. There is no cookie, so no other site can make use of it.
   * @param {string} token
   */
  async signIn(token) {
    this.#turn += 1;
    const turn = this.#turn;
    this.api.token = token.trim();
    try {
      const caller = await this.api.get('/v2/whoami');
      if (turn !== this.#turn) {
        return;
      }
      this.caller = caller;
      this.signedOut = false;
      this.#wanting = false;
      this.refusal = '';
      this.#run();
    } catch (failure) {
      if (turn !== this.#turn) {
        return;
      }
      this.api.token = '';
      this.refusal = failure instanceof Error ? failure.message : String(failure);
    }
    this.#tell();
  }

  /** Who leaves, leaves in all tabs: none keeps what was read, or hands the token on. */
  signOut() {
    this.#tabs.postMessage({type: 'signed-out'});
    this.#leave();
  }

  #leave() {
    this.#turn += 1;
    this.#wanting = false;
    this.api.token = '';
    this.caller = null;
    this.refusal = '';
    this.stream.forget();
    this.overview.forget();
    this.locks.forget();
    clearTimeout(this.#healthTimer);
    this.signedOut = true;
    this.#tell();
  }

  /** Stops the stream and what is read by itself; what the reader asks for is still read. */
  pause() {
    this.stream.pause();
    this.locks.pause();
    this.overview.pause();
  }

  resume() {
    this.stream.resume();
    this.locks.resume();
    this.overview.resume();
  }

  /** @param {import('./types').LockName} lock */
  mayForce(lock) {
    return !this.readOnly && mayForce(this.caller, lock.namespace, lock.name);
  }

  #run() {
    this.stream.start();
    // After the first look at the page: it is only for the corner, and the overview tells it anyway.
    this.#healthTimer = window.setTimeout(() => this.#readHealth(), HEALTH_FIRST_MS);
  }

  /**
   * Everything may have changed.
   * @param {boolean} [first] the stream has just begun: little can have happened since the page was read
   */
  #readAgain(first = false) {
    this.overview.again(first ? REST_MS : 0);
    this.locks.reload();
    this.dispatchEvent(new CustomEvent('again', {detail: {first}}));
  }

  /** @param {Health | undefined} health */
  #learn(health) {
    if (health && health !== this.health) {
      this.health = health;
      this.asked = true;
      this.#healthAt = Date.now();
      this.#tell();
    }
  }

  async #readHealth() {
    clearTimeout(this.#healthTimer);
    if (!this.health || (!document.hidden && Date.now() - this.#healthAt > HEALTH_EVERY_MS)) {
      const turn = this.#turn;
      const health = await this.api.get('/health/ready').catch(() => null);
      if (turn !== this.#turn) {
        return;
      }
      this.asked = true;
      if (health) {
        this.#learn(health);
      } else {
        this.health = null;
        this.#tell();
      }
    }
    this.#healthTimer = window.setTimeout(() => this.#readHealth(), HEALTH_EVERY_MS);
  }

  #ask() {
    if (this.signedOut) {
      return;
    }
    this.#leave();
    this.#wanting = true;
    this.#tabs.postMessage({type: 'who-is-signed-in'});
  }

  /**
   * Tabs of the same origin help each other out, so that a link opened in a new tab does not ask again.
   * @param {{type: string, token?: string}} said
   */
  #heard(said) {
    if (said.type === 'who-is-signed-in' && this.caller && this.api.token) {
      this.#tabs.postMessage({type: 'token', token: this.api.token});
    } else if (said.type === 'token' && said.token && this.#wanting && !this.api.token) {
      this.signIn(said.token);
    } else if (said.type === 'signed-out') {
      this.#wanting = false;
      if (this.api.token) {
        this.#leave();
      }
    }
  }

  #tell() {
    this.dispatchEvent(new Event('change'));
  }
}

export const session = new Session();
