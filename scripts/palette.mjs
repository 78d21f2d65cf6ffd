// Generates style sheets from web/charts/render/palette.json: web/charts/palette.css (both themes) and web/book/styles/paper.css (the light theme
// on white, for print).
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

/** @typedef {typeof import('../web/charts/render/palette.json')} Colors */

/** @returns {Colors} */
export const readColors = () => JSON.parse(readFileSync(join(root, 'web/charts/render/palette.json'), 'utf8'));

const NOTE = '/* Generated from web/charts/render/palette.json by `npm run docs` (scripts/palette.mjs). */\n';

/**
 * The CSS declarations of a theme, one per line.
 * @param {'light' | 'dark'} theme
 * @param {Readonly<Record<string, string>>} properties
 * @param {string} indent
 */
const declarations = (theme, properties, indent) =>
  [`color-scheme: ${theme};`, ...Object.entries(properties).map(([name, color]) => `--${name}: ${color};`)]
    .map((line) => `${indent}${line}\n`)
    .join('');

/** @param {Colors['light']} colors */
const propertiesOf = ({ ground, tones, messages }) => ({ ground, ...tones, ...messages });

/**
 * The style sheets by file.
 * @param {Colors} colors
 * @returns {Record<string, string>}
 */
export function paletteSheets({ light, dark }) {
  const { tones, messages } = light;
  return {
    // The dark colours are repeated, because CSS cannot combine a media query and a selector in one rule.
    'web/charts/palette.css': `${NOTE}:root {
${declarations('light', propertiesOf(light), '  ')}}

@media (prefers-color-scheme: dark) {
  :root:not([data-theme='light']) {
${declarations('dark', propertiesOf(dark), '    ')}  }
}

:root[data-theme='dark'] {
${declarations('dark', propertiesOf(dark), '  ')}}
`,
    'web/book/styles/paper.css': `${NOTE}@media print {
  :root,
  :root:not([data-theme='light']),
  :root[data-theme] {
${declarations('light', { ground: '#fff', ...tones, ...messages, halo: '#fff' }, '    ')}  }
}
`,
  };
}

/** The custom properties of both themes, prefixed by the theme (`--light-ground`), for the API reference. @param {Colors} colors */
export const themedProperties = ({ light, dark }) =>
  `:root{${Object.entries({ light, dark })
    .flatMap(([theme, colors]) => Object.entries(propertiesOf(colors)).map(([name, color]) => `--${theme}-${name}:${color}`))
    .join(';')}}\n`;

if (process.argv[1] === import.meta.filename)
  for (const [file, text] of Object.entries(paletteSheets(readColors()))) writeFileSync(join(root, file), text);
