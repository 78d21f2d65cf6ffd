// The reference: a page for each encoding and a table of all, generated from the registry and the descriptions in web/encodings. The pages are
// generated as Markdown of chapters, with figures and formulas.
import { readChapter, readPage } from './chapter.mjs';
import { headingOf, parameterText } from './encoding-words.mjs';

/** @import { EncodingInfo } from '../../web/engine/index.ts' */
/** @import { EncodingDescription } from '../../web/encodings/description.ts' */
/** @import { AnyKind } from '../../web/figure/contract/registry.ts' */
/** @import { Page, PageSource } from './book.mjs' */
/** @import { ChapterMeans } from './chapter.mjs' */
/** @import { BookMeans, Modules } from './web-modules.mjs' */

/**
 * The kinds that declare that they illustrate an encoding (kinds/<kind>/placement.ts), in the order of the page.
 * @param {EncodingInfo} encoding
 * @param {Modules['references']} references
 */
const showing = (encoding, references) =>
  Object.entries(references)
    .filter(([, { injections, ids }]) => injections.includes(encoding.injection) && (ids?.includes(encoding.id) ?? true))
    .sort(([, a], [, b]) => a.sortKey - b.sortKey)
    .map(([id, reference]) => ({ id, reference }));

/** @param {EncodingInfo} encoding */
const traitsOf = ({ learned, relative, symmetric, prefixStable, axes }) =>
  [
    learned ? 'has learned numbers' : 'has nothing to learn',
    relative ? 'depends only on differences of positions' : '',
    symmetric ? 'cannot tell left from right' : '',
    prefixStable ? '' : 'changes with the length of the sequence',
    axes > 1 ? `takes positions of ${axes} coordinates` : '',
  ].filter(Boolean);

/**
 * The fields of a figure of an encoding. Encodings that depend on tokens are causal, so their figures need a causal mask.
 * @param {EncodingInfo} encoding
 * @param {AnyKind} kind
 * @returns {Record<string, string>}
 */
const fieldsOf = ({ id, tokens }, kind) => ({
  ...(kind.fields.encoding ? { encoding: id } : {}),
  ...(tokens.length > 0 && kind.fields.mask ? { mask: 'causal' } : {}),
});

/**
 * The kinds that can draw an encoding with its defaults, and the errors of the others.
 * @param {EncodingInfo} encoding
 * @param {Pick<BookMeans, 'modules' | 'figures'>} means
 */
async function kindsOf(encoding, { modules, figures }) {
  const able = [];
  /** @type {{ id: string, why: string }[]} */
  const rejected = [];
  for (const { id, reference } of showing(encoding, modules.references)) {
    const kind = modules.kinds[id];
    if (!kind) throw new Error(`there is no kind ${id}`);
    const { control } = kind.fields.encoding ?? {};
    if (!modules.offers(control?.kind === 'encoding' ? control : {}, encoding)) {
      rejected.push({ id, why: 'it takes other encodings' });
      continue;
    }
    try {
      const fields = fieldsOf(encoding, kind);
      await figures({ kind: id, fields, attributes: {} });
      able.push({ id, fields, reference });
    } catch (thrown) {
      // Only encodings of images (several axes) or with token tensors may be rejected by a kind; any other error is a bug.
      if (encoding.axes === 1 && encoding.tokens.length === 0) throw thrown;
      const { message } = /** @type {Error} */ (thrown);
      rejected.push({ id, why: message.replace(/^figure: /, '').replace(/\.$/, '') });
    }
  }
  return { able, refused: rejected };
}

/** @param {{ id: string, why: string }[]} refused */
const refusedLine = (refused) =>
  refused.length === 0 ? [] : [`Figures that do not apply: ${refused.map(({ id, why }) => `\`${id}\` (${why})`).join('; ')}.`, ''];

/** @param {EncodingInfo} encoding @param {BookMeans['modules']} modules */
const groupOf = ({ injection }, { INJECTION_GROUPS }) => INJECTION_GROUPS.find((group) => group.injection === injection)?.name;

/**
 * The Markdown of the page of an encoding.
 * @param {EncodingInfo} encoding
 * @param {EncodingDescription} description
 * @param {Pick<BookMeans, 'modules' | 'figures'>} means
 */
export async function bodyOf(encoding, description, means) {
  const { title, summary, note, paper, authors, year, usedBy } = description;
  const source = paper
    ? `${authors}, ${year}: [${paper.title}](https://arxiv.org/abs/${paper.arxiv}).`
    : 'A didactic encoding without a paper.';
  const { able, refused } = await kindsOf(encoding, means);
  const figures = able.map(
    ({ id, fields, reference }) =>
      `::: figure kind=${id}${Object.entries(fields)
        .map(([name, value]) => ` ${name}=${value}`)
        .join('')}\n${reference.caption(title)}\n:::\n`,
  );
  const rows = encoding.params.map((param) => `| \`${param.name}\` | ${parameterText(param).replaceAll('|', '\\|')} |`);
  return [
    summary,
    '',
    `Injection: ${groupOf(encoding, means.modules)}. It ${traitsOf(encoding).join(', ')}.`,
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
    `The file \`reference/${encoding.id}.py\` of this site, in NumPy; \`encoding.py\` and \`attention.py\` beside it call it:`,
    '',
    '```python',
    means.modules.readReferenceSource(encoding).trimEnd(),
    '```',
    '',
    '## Source',
    '',
    source,
  ].join('\n');
}

/** @param {string} id @param {Modules} modules */
function descriptionOf(id, { encodingDescriptions }) {
  const description = encodingDescriptions[id];
  if (!description) throw new Error(`web/encodings has no description of ${id}`);
  return description;
}

/**
 * The page of an encoding. Its text depends on which figures can be computed, so `compute()` also reads it.
 * @param {EncodingInfo} encoding
 * @param {ChapterMeans} means
 * @returns {Page}
 */
function encodingPage(encoding, means) {
  const description = descriptionOf(encoding.id, means.modules);
  /** @type {PageSource} */
  const source = {
    file: `web/encodings/${encoding.id}.ts`,
    slug: encoding.id,
    path: `encodings/${encoding.id}/`,
    number: '',
    title: description.title,
    short: description.title,
    description: description.summary,
    body: '',
    line: 0,
  };
  return {
    ...readPage(source, means),
    async compute() {
      Object.assign(this, await readChapter({ ...source, body: await bodyOf(encoding, description, means) }, means));
    },
  };
}

/**
 * @param {BookMeans} means
 * @returns {Page[]} the table of all encodings, and a page for each
 */
export function referencePages(means) {
  const { modules, phasor } = means;
  const table = modules.INJECTION_GROUPS.flatMap(({ injection, name }) => {
    const group = phasor.encodings
      .filter((one) => one.injection === injection)
      .sort((a, b) => descriptionOf(a.id, modules).rank - descriptionOf(b.id, modules).rank);
    if (group.length === 0) return [];
    const rows = group.map(({ id, params }) => {
      const { year, summary, usedBy } = descriptionOf(id, modules);
      return `| [[encoding ${id}]] | ${year ?? ''} | ${summary.replaceAll('|', '\\|')} | ${params.map(({ name }) => `\`${name}\``).join(' ')} | ${usedBy} |`;
    });
    return [`## ${headingOf(name)}`, '', '| encoding | year | what it does | parameters | used by |', '|---|---|---|---|---|', ...rows, ''];
  });
  /** @type {PageSource} */
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
