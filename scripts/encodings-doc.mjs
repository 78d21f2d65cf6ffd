// docs/encodings.md, from the registry (what the C++ files say) and the words of web/encodings. `--check` only compares.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { root } from './cmake.mjs';

const places = {
  none: 'Nowhere',
  input: 'Added to the embeddings',
  query_key: 'In queries and keys',
  score: 'Added to the scores',
  score_content: 'Added to the scores, depending on queries and keys',
  key_value: 'Added to keys and values',
};

const number = (value) => (Math.abs(value) >= 1e6 ? value.toExponential().replace('e+', 'e') : String(value));

function parameter({ name, kind, default: fallback, min, max, choices, unit, shape, summary, appliesWhen }) {
  const facts = {
    choice: () => choices.map((word) => (word === fallback ? `**${word}**` : word)).join(', '),
    boolean: () => `${fallback}`,
    tensor: () => `array ${shape}`,
    integer: () => `${fallback} (${number(min)} to ${number(max)}${unit ? ` ${unit}` : ''})`,
    real: () => `${fallback} (${number(min)} to ${number(max)}${unit ? ` ${unit}` : ''})`,
  };
  const only = appliesWhen ? ` Only with \`${appliesWhen.param}\` ${appliesWhen.values.join(', ')}.` : '';
  return `\`${name}\`: ${facts[kind]()}. ${summary}.${only}`;
}

/** The words of every encoding by id, outside of a build. */
async function readWords() {
  const { module } = await runnerImport(join(root, 'web/encodings/words.ts'), { configFile: false });
  return module.encodingWords;
}

const source = ({ authors, year, paper }) => (paper ? ` ${authors}, ${year}: [${paper.title}](https://arxiv.org/abs/${paper.arxiv}).` : '');

/** The text of docs/encodings.md for the encodings of an engine and the words of the page. */
export function encodingsDocument(encodings, allWords) {
  const lines = [
    '# Encodings',
    '',
    'Generated from the registry by `npm run docs`: parameters and defaults are what the C++ files declare, words are those of the page.',
    'Defaults are bold or first; positions are 0-based token counts, angles are radians.',
  ];
  for (const [injection, heading] of Object.entries(places)) {
    const group = encodings
      .filter((encoding) => encoding.injection === injection)
      .sort((a, b) => allWords[a.id].rank - allWords[b.id].rank);
    if (group.length === 0) continue;
    lines.push(
      '',
      `## ${heading} (\`${injection}\`)`,
      '',
      '| id | what, and where from | parameters | used by | conventions |',
      '|---|---|---|---|---|',
    );
    for (const encoding of group) {
      const words = allWords[encoding.id];
      const traits = [
        encoding.learned ? 'learned' : '',
        encoding.relative ? 'sees only differences of positions' : '',
        encoding.symmetric ? 'cannot tell left from right' : '',
        encoding.prefixStable ? '' : 'changes with the length of the text',
        encoding.axes > 1 ? `positions of ${encoding.axes} coordinates` : '',
      ].filter(Boolean);
      const what = `**${words.title}.** ${words.summary}${source(words)}${traits.length ? ` _${traits.join('; ')}_` : ''}`;
      const cells = [`\`${encoding.id}\``, what, encoding.params.map(parameter).join('<br>'), words.usedBy, words.note];
      lines.push(`| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ').trim()).join(' | ')} |`);
    }
  }
  return `${lines.join('\n')}\n`;
}

if (process.argv[1] === import.meta.filename) {
  const { createPhasor } = await import('../dist/npm/node.js');
  const { encodings } = await createPhasor();
  const text = encodingsDocument(encodings, await readWords());
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
