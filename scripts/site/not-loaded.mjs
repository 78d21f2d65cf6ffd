// Shows a message if the script of a page fails to load: browsers do not load modules from disk, and a server may be down. The inline script is the
// same in all pages, so that a policy can contain its hash.
const SENTENCES = {
  'from-disk':
    'This page was opened from disk, and browsers load the program of a website only from a server: its figures are static pictures. Put the folder on any web server, or open a file of the offline edition, such as lab.html, which needs none.',
  'not-loaded': 'The program of this page did not load: its figures are static pictures. Reload the page to try again.',
};

// The script also inserts the static pictures that the failed script would have inserted (web/book/stills.ts). If a module or one of its static
// imports fails to load, its element receives an error event. A failed dynamic import dispatches 'phasor-not-loaded'.
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
          // A page from disk and its style sheet have different origins, so the sheet must be loaded without CORS.
          .replaceAll('<link rel="stylesheet" crossorigin', '<link rel="stylesheet"')
      );
    },
  },
});
