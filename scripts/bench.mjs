// `npm run bench [-- SUITE ...]`: Phasor beside its peers in one run; the suites are the files of tests/bench. Machines are noisy,
// so a row is the median of rounds that take turns and what is compared is the ratio in the same run. `--json FILE` writes the rows.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as attention from '../tests/bench/attention.mjs';
import * as encodings from '../tests/bench/encodings.mjs';
import * as handles from '../tests/bench/handles.mjs';
import * as layouts from '../tests/bench/layouts.mjs';
import { markdown } from '../tests/bench/markdown.mjs';
import * as page from '../tests/bench/page.mjs';
import { buildAll } from './build.mjs';
import { root } from './cmake.mjs';

/** What is built first, the rows, and how they are shown. */
const suites = {
  encodings: { ...encodings, rows: encodings.encodingsRows },
  attention: { ...attention, rows: attention.attentionRows },
  layouts: { ...layouts, rows: layouts.layoutsRows },
  handles: { ...handles, rows: handles.handlesRows },
  page: { ...page, rows: page.pageRows },
};

const { values, positionals } = parseArgs({ options: { json: { type: 'string' } }, allowPositionals: true });
const strange = positionals.find((name) => !(name in suites));
if (strange) {
  console.error(`${strange} is not a suite. Usage: npm run bench [-- ${Object.keys(suites).join(' | ')}] [--json FILE]`);
  process.exit(2);
}
const wanted = positionals.length > 0 ? positionals : Object.keys(suites);

await buildAll([...new Set(wanted.flatMap((name) => suites[name].needs))]);
const measured = {};
for (const name of wanted) {
  const { rows, columns } = suites[name];
  measured[name] = await rows();
  console.log(`\n${name}\n\n${markdown(columns(measured[name]), measured[name])}`);
}

if (values.json) {
  const say = (command, ...args) => execFileSync(command, args, { cwd: root, encoding: 'utf8' }).trim().split('\n')[0];
  const facts = {
    date: new Date().toISOString().slice(0, 10),
    commit: say('git', 'rev-parse', '--short', 'HEAD'),
    compiler: say('em++', '--version'),
    engine: `Node ${process.version}, V8 ${process.versions.v8}`,
  };
  const rows = wanted.flatMap((name) => measured[name].map((row) => ({ suite: name, ...row })));
  // npm changes to the package's folder; the path was typed in another one.
  const file = resolve(process.env.INIT_CWD ?? process.cwd(), values.json);
  writeFileSync(file, `${JSON.stringify({ ...facts, rows }, null, 1)}\n`);
}
