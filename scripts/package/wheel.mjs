// Builds dist/python, the wheel of the Python package phasor (figures in notebooks), from web/package/python and the script of phasor-anywidget.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../root.mjs';
import { bundle, ONE_FILE, plugins } from './bundle.mjs';
import { emptyFolder } from './manifest.mjs';
import { zipOf } from './zip.mjs';

/** @typedef {readonly [name: string, content: Buffer]} WheelFile */

const SOURCES = join(root, 'web/package/python');
const WIDGET = join(root, 'dist/npm-anywidget');
const LICENSES = ['LICENSE', 'third-party.LICENSES.txt', 'data.NOTICE.md'];
/** Older versions lack `_esm` as a path (anywidget) and types of arrays (NumPy). */
const DEPENDENCIES = ['anywidget>=0.9', 'numpy>=1.22'];

/** @returns {Promise<Record<string, Record<string, string>>>} */
async function kindFields() {
  const out = join(root, 'build/wheel');
  mkdirSync(out, { recursive: true });
  await bundle(out, 'kind-fields', {
    plugins: plugins(),
    ssr: { noExternal: true },
    build: { ssr: true, rollupOptions: { external: [/^node:/], ...ONE_FILE } },
  });
  const address = pathToFileURL(join(out, 'kind-fields.js'));
  // The query makes a process that builds twice load the second module, too.
  address.search = createHash('sha256').update(readFileSync(address)).digest('hex');
  return (await import(address.href)).kindFields;
}

/** The file METADATA: the core metadata of a Python package. @param {{ version: string, license: string }} project */
function metadataOf({ version, license }) {
  const headers = [
    ['Metadata-Version', '2.4'],
    ['Name', 'phasor'],
    ['Version', version],
    ['Summary', 'Figures of position and attention in notebooks: attention of your own arrays, layers of a model, every kind of figure'],
    ['Keywords', 'attention,positional encoding,transformer,RoPE,notebook,anywidget'],
    ['License-Expression', license],
    ...LICENSES.map((file) => ['License-File', file]),
    ['Classifier', 'Framework :: Jupyter'],
    ['Classifier', 'Typing :: Typed'],
    ['Requires-Python', '>=3.9'],
    ...DEPENDENCIES.map((name) => ['Requires-Dist', name]),
    ['Description-Content-Type', 'text/markdown'],
  ];
  return `${headers.map((header) => header.join(': ')).join('\n')}\n\n${readFileSync(join(SOURCES, 'README.md'), 'utf8')}`;
}

const WHEEL = 'Wheel-Version: 1.0\nGenerator: phasor\nRoot-Is-Purelib: true\nTag: py3-none-any\n';

/** The file RECORD: a line for each file, and one without a hash for RECORD itself. @param {readonly WheelFile[]} files @param {string} name */
const recordOf = (files, name) =>
  [
    ...files.map(([file, content]) => `${file},sha256=${createHash('sha256').update(content).digest('base64url')},${content.length}`),
    `${name},,\n`,
  ].join('\n');

export async function buildWheel() {
  /** @type {{ version: string, license: string }} */
  const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { version } = project;
  // Pre-releases are spelled differently in Python.
  if (!/^\d+\.\d+\.\d+$/.test(version))
    throw new Error(`version: ${version} is not a version of the wheel; expected three numbers, such as 0.2.0`);
  const own = readdirSync(join(SOURCES, 'phasor'))
    .filter((name) => /\.py$|^py\.typed$/.test(name))
    .sort();
  const info = `phasor-${version}.dist-info`;
  /** @type {WheelFile[]} */
  const files = [
    ...own.map((name) => /** @type {const} */ ([`phasor/${name}`, readFileSync(join(SOURCES, 'phasor', name))])),
    ['phasor/anywidget.js', readFileSync(join(WIDGET, 'anywidget.js'))],
    ['phasor/kinds.json', Buffer.from(`${JSON.stringify({ version, kinds: await kindFields() })}\n`)],
    ...LICENSES.map((name) => /** @type {const} */ ([`${info}/licenses/${name}`, readFileSync(join(WIDGET, name))])),
    [`${info}/METADATA`, Buffer.from(metadataOf(project))],
    [`${info}/WHEEL`, Buffer.from(WHEEL)],
  ];
  const record = `${info}/RECORD`;
  const out = emptyFolder('dist/python');
  writeFileSync(join(out, `phasor-${version}-py3-none-any.whl`), zipOf([...files, [record, Buffer.from(recordOf(files, record))]]));
}
