// The license texts of everything inside dist/npm that is not Phasor's own.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './cmake.mjs';

/** What is inside figure.js, anywidget.js and render.js. */
const IN_FIGURES = ['lit', 'lit-html', 'lit-element', '@lit/reactive-element', '@lit-labs/preact-signals', '@preact/signals-core'];

export function writeLicenses(out) {
  const own = (name) => readFileSync(join(root, 'web/package/licenses', name), 'utf8');
  const compiled = ['compiled.txt', 'MPL-2.0.txt', 'Apache-2.0.txt'].map(own);
  const scripts = IN_FIGURES.map(
    (name) => `${name}, in figure.js, anywidget.js and render.js\n\n${readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8')}`,
  );
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  writeFileSync(
    join(out, 'third-party.LICENSES.txt'),
    [...compiled, ...scripts]
      .map((text) => text.trim())
      .join(rule)
      .concat('\n'),
  );
}
