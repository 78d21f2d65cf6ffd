// Generates docs/encodings.md from the registry (the declarations of the C++ files) and the descriptions in web/encodings. `--check` only
// compares; else the summaries of parameters in the package (web/engine/summary-words.ts) are written before.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { grouped } from './book/plain-text.mjs';
import { root, run } from './cmake.mjs';

export const places = {
  none: 'Nowhere',
  input: 'Added to the embeddings',
  query_key: 'In queries and keys',
  score: 'Added to the scores',
  score_content: 'Added to the scores, depending on queries and keys',
  key_value: 'Added to keys and values',
};

const number = (value) => grouped(String(value));

/** The values of a parameter and what it does, as Markdown. */
export function parameterText({ kind, default: fallback, min, max, choices, unit, shape, summary, appliesWhen }) {
  const value = {
    choice: () => choices.map((word) => (word === fallback ? `**${word}**` : word)).join(', '),
    boolean: () => `${fallback}`,
    tensor: () => `array ${shape}`,
    integer: () => `${number(fallback)} (${number(min)} to ${number(max)}${unit ? ` ${unit}` : ''})`,
    real: () => `${number(fallback)} (${number(min)} to ${number(max)}${unit ? ` ${unit}` : ''})`,
  };
  const only = appliesWhen ? ` Only with \`${appliesWhen.param}\` ${appliesWhen.values.join(', ')}.` : '';
  return `${value[kind]()}. ${summary}.${only}`;
}

const parameter = (param) => `\`${param.name}\`: ${parameterText(param)}`;

/** The descriptions of all encodings by id, outside of a build. */
async function readDescriptions() {
  const { module } = await runnerImport(join(root, 'web/encodings/description.ts'), { configFile: false });
  return module.encodingDescriptions;
}

const source = ({ authors, year, paper }) => (paper ? ` ${authors}, ${year}: [${paper.title}](https://arxiv.org/abs/${paper.arxiv}).` : '');

/** The text of docs/encodings.md for the encodings of an engine and their descriptions. */
export function encodingsDocument(encodings, descriptions) {
  const lines = [
    '# Encodings',
    '',
    'Generated from the registry by `npm run docs`: parameters and defaults as declared in C++, descriptions as on the page.',
    'Defaults are bold or first; positions are 0-based token counts, angles are radians.',
  ];
  for (const [injection, heading] of Object.entries(places)) {
    const group = encodings
      .filter((encoding) => encoding.injection === injection)
      .sort((a, b) => descriptions[a.id].rank - descriptions[b.id].rank);
    if (group.length === 0) continue;
    lines.push(
      '',
      `## ${heading} (\`${injection}\`)`,
      '',
      '| id | description and source | parameters | used by | conventions |',
      '|---|---|---|---|---|',
    );
    for (const encoding of group) {
      const description = descriptions[encoding.id];
      const traits = [
        encoding.learned ? 'learned' : '',
        encoding.relative ? 'depends only on differences of positions' : '',
        encoding.symmetric ? 'cannot tell left from right' : '',
        encoding.prefixStable ? '' : 'changes with the sequence length',
        encoding.axes > 1 ? `positions of ${encoding.axes} coordinates` : '',
      ].filter(Boolean);
      const what = `**${description.title}.** ${description.summary}${source(description)}${traits.length ? ` _${traits.join('; ')}_` : ''}`;
      const cells = [`\`${encoding.id}\``, what, encoding.params.map(parameter).join('<br>'), description.usedBy, description.note];
      lines.push(`| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ').trim()).join(' | ')} |`);
    }
  }
  return `${lines.join('\n')}\n`;
}

if (process.argv[1] === import.meta.filename) {
  if (!process.argv.includes('--check')) {
    const { buildNativeTests } = await import('./cpp-tests.mjs');
    const { program } = await buildNativeTests(['phasor_tests']);
    run(program('phasor_tests')[0], ['--gtest_filter=Summaries.*'], { env: { ...process.env, PHASOR_WRITE_SUMMARIES: 'yes' } });
    const { buildAll } = await import('./build.mjs');
    await buildAll(['npm']);
  }
  const { createPhasor } = await import('../dist/npm/node.js');
  const { encodings } = await createPhasor();
  const text = encodingsDocument(encodings, await readDescriptions());
  const path = join(root, 'docs/encodings.md');
  if (process.argv.includes('--check')) {
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
      console.error('docs/encodings.md differs from the registry; run npm run docs');
      process.exit(1);
    }
    console.log(`docs/encodings.md is what the registry says (${encodings.length} encodings)`);
  } else {
    writeFileSync(path, text);
  }
}
