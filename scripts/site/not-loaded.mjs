// A page whose program does not come says so, in a sentence that is in the page from the beginning: from disk browsers load no modules, and a server
// may be gone. The script is the same in all pages, so a policy can name its hash.

const SENTENCES = {
  'from-disk':
    'This page was opened from disk, and browsers load the program of a website only from a server: its figures are pictures and do not answer. Put the folder on any web server, or open a file of the offline edition, such as lab.html, which needs none.',
  'not-loaded': 'The program of this page did not load: its figures are pictures and do not answer. Reload the page to try again.',
};

// Pictures that a script would have put in their places are put there by this one (web/book/stills.ts).
// A module that cannot be had, or one that it imports, is an error of its element; what is imported later is told by who asked for it.
const SCRIPT = `{
      const show = () => {
        document.getElementById(location.protocol === 'file:' ? 'from-disk' : 'not-loaded').hidden = false;
        for (const waiting of document.querySelectorAll('phasor-figure > noscript')) waiting.outerHTML = waiting.textContent;
      };
      const say = () => document.readyState === 'loading' ? addEventListener('DOMContentLoaded', show) : show();
      addEventListener('error', ({ target }) => target instanceof HTMLScriptElement && say(), true);
      addEventListener('phasor-not-loaded', say);
    }`;

const CHARSET = '<meta charset="utf-8">';
const PLACE = '<!-- not loaded -->';

/** @returns {import('vite').Plugin} */
export const notLoaded = () => ({
  name: 'phasor-not-loaded',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      if (!html.includes(PLACE)) return html;
      const sentences = Object.entries(SENTENCES).map(([id, words]) => `<p class="not-loaded" id="${id}" role="alert" hidden>${words}</p>`);
      return (
        html
          .replace(PLACE, sentences.join('\n    '))
          .replace(CHARSET, `${CHARSET}\n    <script>${SCRIPT}</script>`)
          // From disk a style sheet is not of the page's own origin, and is had without asking whether it may be.
          .replaceAll('<link rel="stylesheet" crossorigin', '<link rel="stylesheet"')
      );
    },
  },
});
