// What differs between two versions, resource by resource, before beside after. Secrets never come here: the server sends a mask.

import {html, nothing} from 'lit-html';
import {repeat} from 'lit-html/directives/repeat.js';
import {counted} from './time.js';

/** @typedef {import('./types').StateDiff} StateDiff */
/** @typedef {import('./types').DiffChange} DiffChange */
/** @typedef {import('./types').DiffAttribute} DiffAttribute */

const SIGNS = {added: '+', changed: '~', removed: '−'};
/** Attributes of a resource that are shown without being asked for. */
const FEW = 12;
/** As long for a secret of one letter as for one of a thousand. */
const MASK = '••••';

/** What is gone matters most, then what is new; within those as people count: the second before the tenth. */
const ORDER = ['removed', 'added', 'changed'];
const BY_NAME = new Intl.Collator('en', {numeric: true});

/** @param {StateDiff} diff @returns {StateDiff} */
export function inOrder(diff) {
  const changes = [...diff.changes].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || BY_NAME.compare(a.address, b.address));
  return {...diff, changes};
}

/**
 * @param {StateDiff} diff
 * @param {string[]} names of the two versions
 * @param {number} most resources to show
 * @param {() => void} showMore
 */
export function sideBySide(diff, names, most, showMore) {
  const resources = diff.changes.filter(({address}) => !address.startsWith('/'));
  const members = diff.changes.filter(({address}) => address.startsWith('/'));
  const left = resources.length - most;
  return html`<div class="diff">
    ${diff.changes.length > 0 ? html`<div class="sides" aria-hidden="true"><span></span><span>Before ${names[0]}</span><span>After ${names[1]}</span></div>` : nothing}
    ${repeat(resources.slice(0, most), ({address}) => address, change)}
    ${left > 0 ? html`<p class="more"><button @click=${showMore}>Show more</button> <span class="soft">${counted(left, 'resource')} left</span></p>` : nothing}
    ${members.length > 0 && left <= 0 ? html`<h3>The document itself</h3>${repeat(members, ({address}) => address, change)}` : nothing}
    ${diff.complete ? nothing : html`<p class="soft">More differs than is listed.</p>`}
  </div>`;
}

/** @param {DiffChange} it */
function change(it) {
  const rows = people(it);
  const single = rows.length === 1 && rows[0].path === '';
  return html`<article class="change ${it.kind}" aria-label=${`${it.address} ${it.kind}`}>
    <header><span class="sign" aria-hidden="true">${SIGNS[it.kind]}</span><span class="key">${single ? it.address.slice(1) : it.address}</span><span class="soft">${it.kind}</span></header>
    ${rows.length > 0 ? html`
    <table><thead class="offscreen"><tr><th scope="col">Attribute</th><th scope="col">Before</th><th scope="col">After</th></tr></thead>
      <tbody>${rows.slice(0, FEW).map(attribute)}</tbody></table>
    ${rows.length > FEW ? html`<details><summary>${counted(rows.length - FEW, 'more attribute')}</summary>
      <table><thead class="offscreen"><tr><th scope="col">Attribute</th><th scope="col">Before</th><th scope="col">After</th></tr></thead><tbody>${rows.slice(FEW).map(attribute)}</tbody></table></details>` : nothing}` : nothing}
    ${note(it)}
  </article>`;
}

/** Of a resource that came or went as a whole, what people wrote, and not what terraform notes for itself. @param {DiffChange} it */
function people(it) {
  const own = it.kind === 'changed' ? [] : it.attributes.filter(({path}) => path.startsWith('attributes.'));
  return own.length > 0 ? own : it.attributes;
}

/** @param {DiffChange} it */
function note(it) {
  if (it.attributes.length === 0) {
    return html`<p class="soft">${it.complete
      ? it.kind === 'changed' ? 'Too large to be compared inside.' : 'It has no attributes, or too many to show.'
      : 'Its contents are shown to those who have the role state-read.'}</p>`;
  }
  return it.complete ? nothing : html`<p class="soft">There are more attributes than are listed.</p>`;
}

/** @param {DiffAttribute} it */
function attribute(it) {
  return html`<tr><th scope="row" class="mono">${pathText(it.path)}</th>
    <td class="before">${value(it.before, it.sensitive)}</td><td class="after">${value(it.after, it.sensitive)}</td></tr>`;
}

/** What terraform keeps below attributes is what people know by name. @param {string} path */
function pathText(path) {
  return path === '' ? 'value' : path.startsWith('attributes.') ? path.slice('attributes.'.length) : path;
}

/** @param {string | null} json short JSON, perhaps cut @param {boolean} sensitive */
function value(json, sensitive) {
  if (json === null) {
    return html`<span class="soft" aria-label="none">·</span>`;
  }
  if (sensitive) {
    return html`<span class="secret" role="img" aria-label="secret, not shown" title="A secret: the server does not send it">${MASK}</span>`;
  }
  if (json === '""') {
    return html`<span class="soft">empty</span>`;
  }
  return json === 'null' ? html`<span class="soft">null</span>` : html`<span class="mono">${text(json)}</span>`;
}

/** A text without the quotes around it, everything else as it is written. @param {string} json */
function text(json) {
  if (!json.startsWith('"')) {
    return json;
  }
  try {
    return JSON.parse(json);
  } catch {
    return `${json.slice(1).replace(/\.\.\.$/, '')}…`; // it was cut
  }
}

/** Which resources differ, without what in them. @param {StateDiff} diff @param {number} most */
export function outline(diff, most) {
  const resources = diff.changes.filter(({address}) => !address.startsWith('/'));
  const shown = resources.length > 0 ? resources : diff.changes;
  return html`<ul class="outline">
    ${shown.slice(0, most).map((it) => html`<li><span class="sign" role="img" aria-label=${it.kind}>${SIGNS[it.kind]}</span><span class="key">${it.address}</span>
      ${it.kind === 'changed' ? html`<span class="soft">${it.attributes.map(({path}) => pathText(path)).slice(0, 3).join(', ')}${it.attributes.length > 3 ? ', …' : ''}</span>` : nothing}</li>`)}
    ${shown.length > most ? html`<li class="soft">and ${counted(shown.length - most, 'other')}</li>` : nothing}
  </ul>`;
}
