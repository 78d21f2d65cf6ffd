// The page of all models: a strip of layers for each family, a timeline, and the search.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { escaped } from './plain-text.mjs';

/** @import { AtlasEntry, AtlasSection } from '../../web/book/models/atlas.ts' */
/** @import { VisibleContext, PositionSource } from '../../web/book/models/strip.ts' */
/** @import { Modules } from './web-modules.mjs' */
/** @import { Phasor } from '../../web/engine/index.ts' */

/** The table of families as JSON, also served beside the page. */
export const familiesJson = () => readFileSync(join(root, 'docs/families.json'), 'utf8');

/** @type {readonly (readonly [AtlasSection, string, string])[]} */
const SECTIONS = [
  ['mixed', 'Layers that differ', 'Some see a window and some the whole text; some have other positions, or none.'],
  ['rotation', 'Every layer rotates alike', 'Queries and keys turn by their positions, the same in every layer.'],
  ['added', 'A table or a bias', 'Positions are added to the embeddings or to the scores, or there are none.'],
  ['stacks', 'Encoder and decoder', 'Two stacks, each of its own kind.'],
  ['images', 'Towers that read images', 'Patches in rows and columns; every layer does the same.'],
  ['rejected', 'Not read', 'What these add to attention has no encoding here.'],
];

/** @type {readonly (readonly [VisibleContext, PositionSource, string])[]} */
const LEGEND = [
  ['full', 'rotation', 'sees the whole text'],
  ['sliding', 'rotation', 'a sliding window'],
  ['chunked', 'rotation', 'its own chunk'],
  ['full', 'nothing', 'no positions'],
  ['linear', 'nothing', 'no softmax: linear, or a state space'],
  ['recurrent', 'nothing', 'recurrent'],
  ['conv', 'nothing', 'convolution'],
  ['none', 'nothing', 'no attention'],
];
/** @type {readonly (readonly [VisibleContext, PositionSource, string])[]} */
const COLORS = [
  ['full', 'rotation', 'rotation'],
  ['full', 'other-rotation', 'another rotation, such as another base'],
  ['full', 'bias', 'a term of the scores'],
  ['full', 'table', 'a table at the input'],
];

/** @param {Modules} modules @param {typeof LEGEND} items */
const legend = ({ stripSvg }, items) =>
  `<ul class="legend">${items.map(([visibleContext, source, words]) => `<li>${stripSvg([{ visibleContext, source }])} ${words}</li>`).join('')}</ul>`;

/** The timeline: what was new in each year, by the first family of each entry. @param {readonly AtlasEntry[]} entries @param {Modules} modules */
function timeline(entries, { kindsOf, stripSvg }) {
  const order = SECTIONS.map(([section]) => section);
  const dated = entries.filter(({ year, marks }) => year !== undefined && marks.length > 0);
  const years = [...new Set(dated.map(({ year }) => Number(year)))].sort();
  const columns = years.map((year) => {
    const own = dated.filter((entry) => entry.year === year).sort((a, b) => order.indexOf(a.section) - order.indexOf(b.section));
    const icons = own.map(({ id, marks }) => `<span title="${id}" data-entry="${id}">${stripSvg(kindsOf(marks))}</span>`);
    return `<li><b>${year}</b><span class="visually-hidden">: ${own.length} new</span><div aria-hidden="true">${icons.join('')}</div></li>`;
  });
  return `<figure class="timeline"><ol>${columns.join('')}</ol><figcaption>What was new in each year, a mark for each kind of layer. The years are those of the first model of a family.</figcaption></figure>`;
}

const ALL_ALIKE = /^All layers (?:do the same|use the same positional encoding): (.)/;

/** @param {AtlasEntry} entry @param {string} home @param {Modules} modules */
function tile({ id, names, year, section, sentence, marks, breaks, clauses, program, lab, published }, home, { stripSvg }) {
  const name = `<span class="name">${escaped(id)}</span>`;
  const strip = marks.length > 0 ? stripSvg(marks, breaks) : '';
  const head = lab ? `<a href="${home}lab/${escaped(lab)}" title="Open in the Lab">${strip}${name}</a>` : `${strip}${name}`;
  const words = section === 'mixed' ? sentence : sentence.replace(ALL_ALIKE, (_, letter) => letter.toUpperCase());
  const others = names.slice(1);
  const rest = [
    others.length > 0 ? `<p class="same">${others.map((one) => `<code>${escaped(one)}</code>`).join(' ')}</p>` : '',
    clauses.length > 0 ? `<p>Every layer has ${clauses.map(escaped).join(', ')}.</p>` : '',
    ...published.map(
      (one) =>
        `<p data-model="${escaped(one.name)}"><a href="${home}lab/${escaped(one.lab)}">${escaped(one.name)}</a>: ${escaped(one.sentence)}</p>`,
    ),
    program === ''
      ? ''
      : `<div class="program"><a href="${home}reference/model_positions.py">In PyTorch</a><pre><code>${escaped(program)}</code></pre></div>`,
  ].filter(Boolean);
  const summary = [others.length > 0 ? `${others.length} more ${others.length === 1 ? 'type does' : 'types do'} the same` : '', 'details']
    .filter(Boolean)
    .slice(0, 1);
  const details = rest.length > 0 ? `<details><summary>${summary}</summary>${rest.join('')}</details>` : '';
  return `<li id="${escaped(id)}" data-names="${escaped(names.join(' '))}"><h3>${head}${year ? ` <span class="year">${year}</span>` : ''}</h3><p>${escaped(words)}</p>${details}</li>`;
}

/**
 * @param {Phasor} phasor
 * @param {Modules} modules
 * @param {string} home the root of the site, relative to the page
 */
export function modelsPage(phasor, modules, home) {
  const entries = modules.atlasOf(JSON.parse(familiesJson()), phasor);
  const types = entries.reduce((sum, { names }) => sum + names.length, 0);
  const sections = SECTIONS.map(([section, title, about]) => {
    const own = entries.filter((entry) => entry.section === section);
    // Families with mixed layers are in chronological order, the others by descending number of model types.
    if (section === 'mixed') own.sort((a, b) => (a.year ?? 9999) - (b.year ?? 9999));
    return `<section class="families"><h2>${title} <span>${own.length}</span></h2><p>${about}</p><ol>${own.map((entry) => tile(entry, home, modules)).join('')}</ol></section>`;
  });
  return `<form class="find-model" role="search" aria-label="Models"><label for="find-model">Find a model type, or paste a <code>config.json</code></label><input id="find-model" type="search" name="q" placeholder="gemma3, llava, qwen…" autocomplete="off" spellcheck="false"><p role="status" >${types} model types in ${entries.length} entries: those in one do the same</p></form>
${timeline(entries, modules)}
<div class="legends">${legend(modules, LEGEND)}${legend(modules, COLORS)}</div>
${sections.join('\n')}`;
}
