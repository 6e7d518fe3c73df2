// How long, when and how much, in the words people read. The clock is the server's, as far as it is known.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A clock that goes back so far, and for so long, was set back; less than that, and answers were late. */
const BACK_MS = 1_500;
const LASTING_MS = 20_000;

/** How far the clock of the server is ahead of this one, in milliseconds; below all until something is known. */
let ahead = -Infinity;
/** Answers that say less, since when, and the most that they say. @type {{since: number, most: number} | null} */
let less = null;

/**
 * An answer is always a little late, so the one that says most is nearest to the truth, and counts do not jump back.
 * @param {string} serverTime as it stands in an answer that has just arrived
 */
export function setServerTime(serverTime) {
  const said = Date.parse(serverTime) - Date.now();
  if (ahead - said < BACK_MS) {
    ahead = Math.max(ahead, said);
    less = null;
    return;
  }
  const time = performance.now(); // nobody sets this one
  less = {since: less?.since ?? time, most: Math.max(less?.most ?? said, said)};
  if (time - less.since > LASTING_MS) {
    ahead = less.most;
    less = null;
  }
}

/** Now, on the clock of the server. */
export function now() {
  return Date.now() + (ahead === -Infinity ? 0 : ahead);
}

/**
 * The two largest units, as the command line says it: 4s, 3m12s, 2h5m, 3d4h.
 * @param {number} ms
 */
export function age(ms) {
  const time = Math.max(0, ms);
  if (time < SECOND) {
    return Math.floor(time) === 0 ? '0s' : `${Math.floor(time)}ms`;
  }
  const parts = [Math.floor(time / DAY), Math.floor((time % DAY) / HOUR), Math.floor((time % HOUR) / MINUTE), Math.floor((time % MINUTE) / SECOND)];
  const first = parts.findIndex((part) => part > 0);
  return parts
    .map((part, i) => ({part, unit: 'dhms'[i], i}))
    .filter(({part, i}) => i >= first && i < first + 2 && part > 0)
    .map(({part, unit}) => `${part}${unit}`)
    .join('');
}

/**
 * The same without milliseconds, for what changes every second.
 * @param {number} ms
 */
export function seconds(ms) {
  return age(Math.floor(Math.max(0, ms) / SECOND) * SECOND);
}

/**
 * For lines among many others: seconds only in the first two minutes. What changes every second makes a browser lay out and draw a
 * whole page every second, and a page calm to read it does not make.
 * @param {number} ms
 */
export function roughly(ms) {
  return ms < 2 * MINUTE ? seconds(ms) : age(Math.floor(ms / MINUTE) * MINUTE);
}

/** @param {string} time */
export function since(time) {
  return seconds(now() - Date.parse(time));
}

const CLOCK = new Intl.DateTimeFormat(undefined, {hour: '2-digit', minute: '2-digit', second: '2-digit'});
const DATE = new Intl.DateTimeFormat(undefined, {month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit'});
const EXACT = new Intl.DateTimeFormat(undefined, {dateStyle: 'full', timeStyle: 'long'});

/**
 * In the reader's zone: the time of day, with the date if it is another day.
 * @param {string | number} time
 */
export function clock(time) {
  const date = new Date(time);
  return date.toDateString() === new Date().toDateString() ? CLOCK.format(date) : DATE.format(date);
}

/**
 * For the hover: to the millisecond, in the reader's zone and as the server said it.
 * @param {string} time
 */
export function exact(time) {
  return `${EXACT.format(new Date(time))}\n${time}`;
}

/** @param {number} count @param {string} one @param {string} [many] */
export function counted(count, one, many = `${one}s`) {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}
