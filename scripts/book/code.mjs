// Highlights code blocks when the book is built, for both themes with custom properties.
import { diskCache } from './disk-cache.mjs';
import { escaped } from './plain-text.mjs';

const LANGUAGES = ['python', 'javascript', 'typescript', 'cpp', 'bash', 'json', 'html', 'markdown'];
/** @type {Record<string, string>} */
const SHORT = { js: 'javascript', ts: 'typescript', sh: 'bash', py: 'python' };
/** @type {Promise<import('shiki').Highlighter> | undefined} */
let starting;

/** @param {string} source @param {string} language */
async function highlighted(source, language) {
  starting ??= import('shiki').then(({ createHighlighter }) =>
    createHighlighter({ themes: ['github-light-high-contrast', 'github-dark-high-contrast'], langs: LANGUAGES }),
  );
  const highlighter = await starting;
  return highlighter.codeToHtml(source.replace(/\n$/, ''), {
    lang: language,
    themes: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    defaultColor: false,
  });
}

/** @returns {(source: string, language: string) => Promise<string>} */
export function codeMaker() {
  const keep = diskCache('code', 'shiki 1');
  return async (source, name) => {
    const language = SHORT[name] ?? name;
    if (!LANGUAGES.includes(language)) return `<pre class="plain" tabindex="0"><code>${escaped(source)}</code></pre>\n`;
    return keep({ source, language }, () => highlighted(source, language));
  };
}
