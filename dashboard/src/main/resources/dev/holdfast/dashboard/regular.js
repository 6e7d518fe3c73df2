// Something that is read now and then, and soon after something happened; not while nobody looks, or while it is paused.

import {session} from './session.js';

export class Regular {
  #read;
  #every;
  #rest;
  #isWatched;
  #timer = 0;
  #readAt = 0;
  #begun = 0;
  #shown = 0;

  /**
   * @param {() => unknown} read says when it begins, and plans the next time when it is done
   * @param {number} every milliseconds from one time to the next
   * @param {number} rest least milliseconds between two times, however much happens
   * @param {() => boolean} [isWatched] whether somebody wants to be told even without looking
   */
  constructor(read, every, rest, isWatched = () => false) {
    this.#read = read;
    this.#every = every;
    this.#rest = rest;
    this.#isWatched = isWatched;
  }

  get #isResting() {
    return session.stream.state === 'paused' || (document.hidden && !this.#isWatched());
  }

  /** It is being read: what was planned is not needed any more. Answers with the number of this reading. */
  began() {
    clearTimeout(this.#timer);
    this.#readAt = Date.now();
    this.#begun += 1;
    return this.#begun;
  }

  /**
   * Whether an answer is news. Answers can overtake each other, and then the one that was asked for earlier is not shown.
   * @param {number} reading
   */
  isNews(reading) {
    const news = reading > this.#shown;
    this.#shown = Math.max(this.#shown, reading);
    return news;
  }

  /** Plans the next time, instead of what was planned before. */
  next(after = this.#every) {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      if (this.#isResting) {
        this.next();
      } else {
        this.#read();
      }
    }, after);
  }

  /** Something happened: it is read at once, or a moment after the last time, or when somebody looks. */
  soon() {
    const left = this.#rest - (Date.now() - this.#readAt);
    if (left <= 0 && !this.#isResting) {
      this.#read();
    } else {
      this.next(Math.max(0, left));
    }
  }

  stop() {
    clearTimeout(this.#timer);
  }
}
