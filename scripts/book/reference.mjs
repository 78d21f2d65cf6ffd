// The reference: a page for each encoding and a table of all, from the registry and the descriptions in web/encodings. The pages are written as
// chapters are, so figures and formulas come the same way.
import { parameterText, places } from '../encodings-doc.mjs';
import { readChapter } from './chapter.mjs';

/** Kinds that show what an encoding does, where they take it. */
const KINDS = {
  none: ['attention'],
  input: ['table', 'waves', 'similarity'],
  query_key: ['rotation', 'attention'],
  score: ['bias', 'curve'],
  score_content: ['bias', 'chain'],
  key_value: ['bias', 'chain'],
};
const CAPTIONS = {
  table: (title) => `What ${title} gives each position.`,
  waves: (title) => `Channels of ${title} as curves over positions.`,
  similarity: (title) => `How alike the vectors of two positions are under ${title}.`,
  rotation: (title) => `A query and a key, rotated by ${title}.`,
  attention: (title) => `Attention with ${title}.`,
  bias: (title) => `What ${title} adds to the scores.`,
  curve: (title) => `The bias of ${title} over the distance.`,
  chain: (title) => `From a score to a weight with ${title}.`,
};

const takes = (kind, { id, injection }) => {
  const { injections, ids } = kind.fields.encoding?.control ?? {};
  return (injections?.includes(injection) ?? true) && (ids?.includes(id) ?? true);
};

const traitsOf = ({ learned, relative, symmetric, prefixStable, axes }) =>
  [
    learned ? 'has learned numbers' : 'has nothing to learn',
    relative ? 'depends only on differences of positions' : '',
    symmetric ? 'cannot tell left from right' : '',
    prefixStable ? '' : 'changes with the length of the sequence',
    axes > 1 ? `takes positions of ${axes} coordinates` : '',
  ].filter(Boolean);

/** Which kinds can draw this encoding as it is by default, and why others cannot: one sentence each. */
async function kindsOf(encoding, { kit, figures }) {
  const able = [];
  const refused = [];
  for (const id of KINDS[encoding.injection]) {
    if (!takes(kit.kinds[id], encoding)) {
      refused.push({ id, why: 'it takes other encodings' });
      continue;
    }
    try {
      await figures({ kind: id, fields: { encoding: encoding.id }, attributes: {} });
      able.push(id);
    } catch (thrown) {
      // An encoding of images may have no row of positions; any other that cannot be drawn is a mistake.
      if (encoding.axes === 1) throw thrown;
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
  const figures = able.map((kind) => `::: figure kind=${kind} encoding=${encoding.id}\n${CAPTIONS[kind](title)}\n:::\n`);
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
    means.kit.programOf(encoding),
    '```',
    '',
    '## Source',
    '',
    source,
  ].join('\n');
}

export async function referencePages(means) {
  const { kit, phasor } = means;
  const pages = [];
  for (const encoding of phasor.encodings) {
    const description = kit.encodingDescriptions[encoding.id];
    pages.push(
      await readChapter(
        {
          file: `web/encodings/${encoding.id}.ts`,
          slug: encoding.id,
          path: `encodings/${encoding.id}/`,
          number: '',
          title: description.title,
          short: description.title,
          description: description.summary,
          body: await bodyOf(encoding, description, means),
          line: 0,
        },
        means,
      ),
    );
  }
  const table = Object.entries(places).flatMap(([injection, heading]) => {
    const group = phasor.encodings
      .filter((one) => one.injection === injection)
      .sort((a, b) => kit.encodingDescriptions[a.id].rank - kit.encodingDescriptions[b.id].rank);
    if (group.length === 0) return [];
    const rows = group.map(({ id, params }) => {
      const { year, summary, usedBy } = kit.encodingDescriptions[id];
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
  return [await readChapter(all, means), ...pages];
}
