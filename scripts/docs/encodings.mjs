// Generates docs/encodings.md, the table in README.md and the types of parameters (encoding-params.mjs) from the registry (declarations in C++)
// and the descriptions in web/encodings.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { headingOf, parameterText } from '../book/encoding-words.mjs';
import { root } from '../root.mjs';
import { withSection } from '../sections.mjs';
import { writeEncodingParams } from './encoding-params.mjs';

/** @import { EncodingInfo, ParamInfo } from '../../web/engine/index.ts' */
/** @import { EncodingDescription } from '../../web/encodings/description.ts' */
/** @import { InjectionGroup } from '../../web/figure/controls/injection-groups.ts' */

/** @param {ParamInfo} param */
const parameter = (param) => `\`${param.name}\`: ${parameterText(param)}`;

/** @param {EncodingDescription} description */
const source = ({ authors, year, paper }) => (paper ? ` ${authors}, ${year}: [${paper.title}](https://arxiv.org/abs/${paper.arxiv}).` : '');

/**
 * The text of docs/encodings.md.
 * @param {readonly EncodingInfo[]} encodings of an engine
 * @param {Readonly<Record<string, EncodingDescription>>} descriptions by id
 * @param {readonly InjectionGroup[]} groups
 */
export function encodingsDocument(encodings, descriptions, groups) {
  /** @param {EncodingInfo} encoding */
  const descriptionOf = ({ id }) => {
    const description = descriptions[id];
    if (!description) throw new Error(`web/encodings has no description of ${id}`);
    return description;
  };
  const lines = [
    '# Encodings',
    '',
    'Generated from the registry by `npm run docs`: parameters and defaults as declared in C++, descriptions as on the page.',
    'Defaults are bold or first; positions are 0-based token counts, angles are radians.',
  ];
  for (const { injection, name } of groups) {
    const group = encodings
      .filter((encoding) => encoding.injection === injection)
      .sort((a, b) => descriptionOf(a).rank - descriptionOf(b).rank);
    if (group.length === 0) continue;
    lines.push(
      '',
      `## ${headingOf(name)} (\`${injection}\`)`,
      '',
      '| id | description and source | parameters | used by | conventions |',
      '|---|---|---|---|---|',
    );
    for (const encoding of group) {
      const description = descriptionOf(encoding);
      const traits = [
        encoding.learned ? 'learned' : '',
        encoding.relative ? 'depends only on differences of positions' : '',
        encoding.symmetric ? 'cannot tell left from right' : '',
        encoding.prefixStable ? '' : 'changes with the sequence length',
        ...encoding.tokens.map(({ name, shape, optional }) => `attention ${optional ? 'may be' : 'is'} given \`${name}\` [${shape}]`),
        encoding.axes > 1 ? `positions of ${encoding.axes} coordinates` : '',
      ].filter(Boolean);
      const what = `**${description.title}.** ${description.summary}${source(description)}${traits.length ? ` _${traits.join('; ')}_` : ''}`;
      const cells = [`\`${encoding.id}\``, what, encoding.params.map(parameter).join('<br>'), description.usedBy, description.note];
      lines.push(`| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ').trim()).join(' | ')} |`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/**
 * The table of README.md: the ids of all encodings by injection point.
 * @param {readonly EncodingInfo[]} encodings of an engine
 * @param {Readonly<Record<string, EncodingDescription>>} descriptions by id
 * @param {readonly InjectionGroup[]} groups
 */
export function encodingsTable(encodings, descriptions, groups) {
  const rows = groups.map(({ injection, name }) => {
    const group = encodings.filter((encoding) => encoding.injection === injection);
    const ranked = group.sort((a, b) => (descriptions[a.id]?.rank ?? 0) - (descriptions[b.id]?.rank ?? 0));
    return `| ${headingOf(name)} | ${ranked.map(({ id }) => `\`${id}\``).join(', ')} |`;
  });
  return ['| where position enters | encodings |', '|---|---|', ...rows].join('\n');
}

if (process.argv[1] === import.meta.filename) {
  const { buildWasm } = await import('../wasm/wasm.mjs');
  await buildWasm();
  const { loadMeans } = await import('../book/web-modules.mjs');
  const { modules, phasor } = await loadMeans();
  writeFileSync(
    join(root, 'docs/encodings.md'),
    encodingsDocument(phasor.encodings, modules.encodingDescriptions, modules.INJECTION_GROUPS),
  );
  writeEncodingParams(phasor.encodings);
  const readme = join(root, 'README.md');
  const table = encodingsTable(phasor.encodings, modules.encodingDescriptions, modules.INJECTION_GROUPS);
  writeFileSync(readme, withSection(readFileSync(readme, 'utf8'), 'encodings', table, 'README.md'));
}
