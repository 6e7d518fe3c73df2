// What the page of waits says about who waits, and why.

import {html, nothing} from 'lit-html';
import {lockLink} from './parts.js';
import {allPaths, contains, overlaps, ownerOf} from './waits-graph.js';
import {age, now, seconds} from './time.js';

/** @typedef {import('./waits-graph.js').WaitNode} WaitNode */

/** What it wants of the lock; the part that others hold already is quiet. @param {WaitNode} node */
export function wantedPaths(node) {
  const paths = allPaths(node.waiter).filter((path) => path);
  return paths.map((path) => {
    const above = heldPaths(node).find((held) => held !== '' && held !== path && contains(held, path));
    return html`<span class="mark mono" title="The part it waits for">${above ? html`<span class="shared">/${above}</span>${path.slice(above.length)}` : `/${path}`}</span> `;
  });
}

/** @param {WaitNode} node */
function heldPaths(node) {
  return node.behind.flatMap((it) => allPaths(it.kind === 'hold' ? it.holder : it.waiter));
}

/** Why it waits, where the tree alone does not tell. @param {WaitNode} node */
export function behindWhom(node) {
  const last = node.behind[node.behind.length - 1];
  if (!last) {
    return '';
  }
  const theirs = last.kind === 'hold' ? last.holder : last.waiter;
  const relation = partWords(node.waiter, theirs);
  const holders = node.behind.filter((it) => it.kind === 'hold');
  if (last.kind === 'wait') {
    return `behind ${ownerOf(last)}${relation}`;
  }
  const others = holders.slice(0, -1).map(ownerOf);
  const own = theirs.owner === node.waiter.owner ? ', an owner of the same name' : '';
  return `for ${ownerOf(last)}${own}${relation}${others.length > 0 ? ` and ${others.length > 2 ? `${others.length} others` : others.join(' and ')}` : ''}`;
}

/** How what one wants lies to what the other has. @param {import('./waits-graph.js').Wanted} mine @param {import('./waits-graph.js').Wanted} theirs */
function partWords(mine, theirs) {
  for (const path of allPaths(mine)) {
    for (const other of allPaths(theirs)) {
      if (overlaps(path, other) && path !== other) {
        const has = 'granted_at' in theirs ? 'has' : 'wants';
        return contains(path, other) ? `, who ${has} /${other} in it` : other ? `, who ${has} /${other} around it` : `, who ${has} all of it`;
      }
    }
  }
  return '';
}

/** @param {number | 'overdue' | null} turn @param {import('./waits-usual.js').Usual} usual */
export function turnWords(turn, usual) {
  if (turn === null) {
    return nothing;
  }
  const why = `An estimate: the median of the last ${usual.times} times is ${age(usual.median)}.`;
  return turn === 'overdue'
    ? html`<span class="soft" title=${why}>later than usual</span>`
    : html`<span class="soft" title=${why}>in about ${seconds(Math.max(1000, turn))}</span>`;
}

/** @param {import('./waits-graph.js').Step[][]} circles */
export function circleBox(circles) {
  const ends = circles.flat().flatMap(({blocker}) => (blocker.kind === 'hold' && blocker.holder.expires_at ? [Date.parse(blocker.holder.expires_at)] : [])).sort((a, b) => a - b);
  return html`<div class="problem circle">
    <p role="alert"><b>These wait for each other, and may do so for ever:</b></p>
    ${circles.map((circle) => html`<ol>${circle.map(({lock, waiter, blocker}) => html`<li><b>${waiter.owner}</b> waits for ${lockLink(lock, waiter.path)}, ${blocker.kind === 'hold' ? html`held by <b>${ownerOf(blocker)}</b>` : html`behind <b>${ownerOf(blocker)}</b>`}</li>`)}</ol>`)}
    <p class="soft">Stop one of them, or open a lock and end the hold whose work is easiest to repeat; the others then go on.
      ${ends.length > 0 ? html`A holder that does not renew loses its lock by itself, the first in ${seconds(ends[0] - now())}.` : nothing}
      Judged by the names of owners: two processes with the same name look like one.</p>
  </div>`;
}
