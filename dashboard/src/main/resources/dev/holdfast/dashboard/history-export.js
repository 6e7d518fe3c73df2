// Everything that is filtered, as a file. Fetched part by part, since one answer is bounded; put together here and handed to the reader.

import {session} from './session.js';
import {withQuery} from './api.js';

/** More lines than this help nobody in one file, and fill the memory of a page. */
const MOST_PARTS = 20;
const MOST_BYTES = 100_000_000;

/** @typedef {'jsonl' | 'csv'} Format */

/**
 * @param {Record<string, string>} query what is wanted
 * @param {Format} format
 * @param {AbortSignal} signal
 * @param {(lines: number) => void} progress how many there are so far
 * @returns {Promise<{blob: Blob, lines: number, whole: boolean}>}
 */
export async function exported(query, format, signal, progress) {
  /** @type {string[]} */
  const parts = [];
  let [cursor, lines, bytes] = ['', 0, 0];
  do {
    const answer = await session.api.open(withQuery('/v2/history', {...query, format, cursor}), {}, signal);
    const text = await answer.text();
    const head = format === 'csv' && !cursor ? 1 : 0;
    parts.push(text);
    bytes += text.length;
    lines += linesOf(text) - head;
    cursor = answer.headers.get('Next-Cursor') ?? '';
    progress(lines);
  } while (cursor && parts.length < MOST_PARTS && bytes < MOST_BYTES);
  const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
  return {blob: new Blob(parts, {type}), lines, whole: !cursor};
}

/** @param {string} text each line of which has an end; nothing in a cell or a value has one */
function linesOf(text) {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    count += 1;
  }
  return count;
}

/** @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000); // the browser begins to read it a little later
}
