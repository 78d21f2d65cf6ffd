// Adds a strict Content-Security-Policy to every page of the website: pages load only files of the site. Inline scripts and styles are allowed by
// their hashes, and style attributes become a style sheet with a hash.
import { createHash } from 'node:crypto';
import { readHtml } from '../book/html.mjs';

/** @param {{ inner: string }[]} elements */
const hashesOf = (elements) => [...new Set(elements.map(({ inner }) => `'sha256-${createHash('sha256').update(inner).digest('base64')}'`))];

/**
 * Replaces the style attributes of a page with classes, and returns their rules.
 * @param {ReturnType<typeof readHtml>} page
 * @param {string} name of the file, for errors
 */
function takeStyleAttributes(page, name) {
  const inside = page.elements.filter((element) => element.name === 'template').flatMap(({ within }) => within);
  const styled = inside.find(({ attributes }) => attributes.style !== undefined);
  if (styled)
    throw new Error(
      `${name}: a style attribute in a shadow root, where the style sheet of the page does not apply: <${styled.name} style="${styled.attributes.style}">`,
    );
  const rules = new Map();
  for (const element of page.elements) {
    const { style, class: classes } = element.attributes;
    if (style === undefined) continue;
    if (!rules.has(style)) rules.set(style, `own-${rules.size + 1}`);
    element.set('style', undefined);
    element.set('class', [rules.get(style), classes].filter((one) => one !== undefined).join(' '));
  }
  return [...rules].map(([style, own]) => `.${own}{${style.trim().replace(/;$/, '')}}`).join('');
}

/**
 * The policy of a page. frame-ancestors and reporting directives are valid only in a header (docs/hosting.md).
 * @param {ReturnType<typeof readHtml>} page
 * @param {{ inner: string }[]} added sheets
 */
function policyOf({ elements }, added) {
  const scripts = elements.filter(({ name, attributes }) => name === 'script' && attributes.src === undefined);
  const sheets = [...elements.filter(({ name }) => name === 'style'), ...added];
  const directives = {
    'default-src': ["'none'"],
    'script-src': ["'self'", "'wasm-unsafe-eval'", ...hashesOf(scripts)],
    'style-src': ["'self'", ...hashesOf(sheets)],
    'img-src': ["'self'", 'data:', 'blob:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    'worker-src': ["'self'", 'blob:'],
    'manifest-src': ["'self'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');
}

/** @param {string} html @param {string} name of the file, for errors */
export function withPolicy(html, name) {
  const page = readHtml(html);
  const inner = takeStyleAttributes(page, name);
  const charset = page.elements.find((element) => element.name === 'meta' && element.attributes.charset !== undefined);
  if (!charset) throw new Error(`${name}: there is no <meta charset>; expected one, because the policy is inserted after it`);
  const policy = policyOf(page, inner ? [{ inner }] : []);
  charset.after(`\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`);
  if (inner) page.elements.find((element) => element.name === 'head')?.append(`<style>${inner}</style>\n  `);
  return page.written();
}

/** @returns {import('vite').Plugin} the last plugin that changes pages */
export const contentPolicy = () => ({
  name: 'phasor-content-policy',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'asset' && file.fileName.endsWith('.html')) file.source = withPolicy(String(file.source), file.fileName);
    },
  },
});
