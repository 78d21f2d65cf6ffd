// A strict policy for content in every page of the website: what is not of the site's own files is not run, shown or asked. Scripts and styles that
// stand in a page are named by their hashes, and what would be style attributes becomes a sheet, which has a hash.
import { createHash } from 'node:crypto';

const CHARSET = '<meta charset="utf-8">';
const TAG = /<[a-zA-Z][^\s>/]*(?:[^"'>]|"[^"]*"|'[^']*')*>/g;
const TEMPLATE = /<template\b.*?<\/template>/gs;
const STYLE_ATTRIBUTE = /\sstyle="([^"]*)"/;
const SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs;
const STYLE = /<style[^>]*>(.*?)<\/style>/gs;

const decoded = (text) => text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&');
const hashesOf = (html, pattern) => [
  ...new Set([...html.matchAll(pattern)].map(([, text]) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)),
];

/** The page with classes for style attributes, and their sheet at the end of its head. */
function withoutStyleAttributes(html, name) {
  const rules = new Map();
  const classOf = (style) => {
    if (!rules.has(style)) rules.set(style, `own-${rules.size + 1}`);
    return rules.get(style);
  };
  const next = html.replace(TAG, (tag) => {
    const [attribute, style] = STYLE_ATTRIBUTE.exec(tag) ?? [];
    if (attribute === undefined) return tag;
    const bare = tag.replace(attribute, '');
    const own = classOf(decoded(style));
    return /\sclass="/.test(bare) ? bare.replace(/\sclass="/, ` class="${own} `) : bare.replace(/^<[a-zA-Z][^\s>/]*/, `$& class="${own}"`);
  });
  for (const [template] of html.matchAll(TEMPLATE))
    for (const [tag] of template.matchAll(TAG))
      if (STYLE_ATTRIBUTE.test(tag))
        throw new Error(`${name}: a style attribute in a shadow root, where the sheet of the page has no say: ${tag}`);
  if (rules.size === 0) return next;
  const sheet = [...rules].map(([style, own]) => `.${own}{${style.trim().replace(/;$/, '')}}`).join('');
  return next.replace('</head>', () => `<style>${sheet}</style>\n  </head>`);
}

/** What may stand in a page; frame-ancestors and reports are for a header only (docs/hosting.md). */
function policyOf(html) {
  const directives = {
    'default-src': ["'none'"],
    'script-src': ["'self'", "'wasm-unsafe-eval'", ...hashesOf(html, SCRIPT)],
    'style-src': ["'self'", ...hashesOf(html, STYLE)],
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

/** @param {string} name of the file, for errors */
export function withPolicy(html, name) {
  if (!html.includes(CHARSET)) throw new Error(`${name}: there is no ${CHARSET}, after which the policy stands`);
  const page = withoutStyleAttributes(html, name);
  return page.replace(CHARSET, () => `${CHARSET}\n    <meta http-equiv="Content-Security-Policy" content="${policyOf(page)}">`);
}

/** @returns {import('vite').Plugin} the last of those that write pages */
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
