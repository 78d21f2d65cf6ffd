// The reference: a page for each encoding and a table of all, from the registry and the descriptions in web/encodings. The pages are written as
// chapters are, so figures and formulas come the same way.
import { readChapter, readPage } from './chapter.mjs';
import { parameterText, places } from './encoding-words.mjs';

/** Kinds that show what an encoding does, where they take it: those that say so in their folders (kinds/<kind>/reference.ts). */
const showing = (encoding, references) =>
  Object.keys(references)
    .filter((id) => references[id].injections.includes(encoding.injection) && (references[id].ids?.includes(encoding.id) ?? true))
    .sort((a, b) => references[a].place - references[b].place);

const traitsOf = ({ learned, relative, symmetric, prefixStable, axes }) =>
  [
    learned ? 'has learned numbers' : 'has nothing to learn',
    relative ? 'depends only on differences of positions' : '',
    symmetric ? 'cannot tell left from right' : '',
    prefixStable ? '' : 'changes with the length of the sequence',
    axes > 1 ? `takes positions of ${axes} coordinates` : '',
  ].filter(Boolean);

/** What goes by what tokens say looks back only, so that figures of it need a causal mask. */
const fieldsOf = ({ id, tokens }, kind) => ({
  ...(kind.fields.encoding ? { encoding: id } : {}),
  ...(tokens.length > 0 && kind.fields.mask ? { mask: 'causal' } : {}),
});

/** Which kinds can draw this encoding as it is by default, and why others cannot: one sentence each. */
async function kindsOf(encoding, { modules, figures }) {
  const able = [];
  const refused = [];
  for (const id of showing(encoding, modules.references)) {
    if (!modules.offers(modules.kinds[id].fields.encoding?.control ?? {}, encoding)) {
      refused.push({ id, why: 'it takes other encodings' });
      continue;
    }
    try {
      await figures({ kind: id, fields: fieldsOf(encoding, modules.kinds[id]), attributes: {} });
      able.push(id);
    } catch (thrown) {
      // An encoding of images may have no row of positions, and what tokens bring may be given to attention alone; any other that cannot be
      // drawn is a mistake.
      if (encoding.axes === 1 && encoding.tokens.length === 0) throw thrown;
      refused.push({ id, why: thrown.message.replace(/^figure: /, '').replace(/\.$/, '') });
    }
  }
  return { able, refused };
}

const refusedLine = (refused) =>
  refused.length === 0 ? [] : [`Figures that do not apply: ${refused.map(({ id, why }) => `\`${id}\` (${why})`).join('; ')}.`, ''];

/** The page of one encoding as Markdown. */
export async function bodyOf(encoding, description, means) {
  const { title, summary, note, paper, authors, year, usedBy } = description;
  const source = paper
    ? `${authors}, ${year}: [${paper.title}](https://arxiv.org/abs/${paper.arxiv}).`
    : 'A didactic encoding without a paper.';
  const { able, refused } = await kindsOf(encoding, means);
  const figures = able.map(
    (kind) =>
      `::: figure kind=${kind}${Object.entries(fieldsOf(encoding, means.modules.kinds[kind]))
        .map(([name, value]) => ` ${name}=${value}`)
        .join('')}\n${means.modules.references[kind].caption(title)}\n:::\n`,
  );
  const rows = encoding.params.map((param) => `| \`${param.name}\` | ${parameterText(param).replaceAll('|', '\\|')} |`);
  return [
    summary,
    '',
    `Where it enters: ${places[encoding.injection].toLowerCase()}. It ${traitsOf(encoding).join(', ')}.`,
    '',
    '## Formula',
    '',
    description.formula
      ? `<div class="formula"><div class="formula-scroll" tabindex="0" role="group" aria-label="Formula">${description.formula.replaceAll('\n', ' ').replaceAll(' data-style="', ' style="')}</div></div>`
      : 'It adds nothing.',
    '',
    ...(able.length + refused.length > 0 ? ['## Figures', '', ...figures, '', ...refusedLine(refused)] : []),
    '## Parameters',
    '',
    ...(rows.length > 0 ? ['| name | values and default |', '|---|---|', ...rows] : ['There are none.']),
    '',
    ...(note ? ['## Conventions and pitfalls', '', note, ''] : []),
    ...(usedBy ? ['## Used by', '', `${usedBy}.`, ''] : []),
    '## Code',
    '',
    'The same in PyTorch, with the default parameters:',
    '',
    '```python',
    means.modules.programOf(encoding),
    '```',
    '',
    '## Source',
    '',
    source,
  ].join('\n');
}

/** The page of one encoding. Which figures can show it is known once they are computed, so its text is written and read only then. */
function encodingPage(encoding, means) {
  const description = means.modules.encodingDescriptions[encoding.id];
  const source = {
    file: `web/encodings/${encoding.id}.ts`,
    slug: encoding.id,
    path: `encodings/${encoding.id}/`,
    number: '',
    title: description.title,
    short: description.title,
    description: description.summary,
    line: 0,
  };
  return {
    ...source,
    async compute() {
      Object.assign(this, await readChapter({ ...source, body: await bodyOf(encoding, description, means) }, means));
    },
  };
}

/** @returns {object[]} the table of all encodings, and a page for each; their figures are computed by `compute()` of a page */
export function referencePages(means) {
  const { modules, phasor } = means;
  const table = Object.entries(places).flatMap(([injection, heading]) => {
    const group = phasor.encodings
      .filter((one) => one.injection === injection)
      .sort((a, b) => modules.encodingDescriptions[a.id].rank - modules.encodingDescriptions[b.id].rank);
    if (group.length === 0) return [];
    const rows = group.map(({ id, params }) => {
      const { year, summary, usedBy } = modules.encodingDescriptions[id];
      return `| [[encoding ${id}]] | ${year ?? ''} | ${summary.replaceAll('|', '\\|')} | ${params.map(({ name }) => `\`${name}\``).join(' ')} | ${usedBy} |`;
    });
    return [`## ${heading}`, '', '| encoding | year | what it does | parameters | used by |', '|---|---|---|---|---|', ...rows, ''];
  });
  const all = {
    file: 'the table of encodings',
    slug: 'encodings',
    path: 'encodings/',
    number: '',
    title: 'All encodings',
    short: 'All encodings',
    description: `All ${phasor.encodings.length} positional encodings of Phasor: where each enters attention, its parameters and who uses it.`,
    body: table.join('\n'),
    line: 0,
  };
  return [readPage(all, means), ...phasor.encodings.map((encoding) => encodingPage(encoding, means))];
}
