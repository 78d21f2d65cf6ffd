// The style sheet of the first picture stands in the page itself: one that is fetched would keep the first words from the screen. The rest of the
// page brings its own (web/lab/later.ts).
import { posix } from 'node:path';

const LINK = /<link rel="stylesheet"[^>]*href="\.\/([^"]+\.css)"[^>]*>/g;

/** @returns {import('vite').Plugin} */
export function firstStyle() {
  return {
    name: 'phasor-first-style',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle, path }) {
        // Other pages have no first picture to hurry for.
        if (path !== '/index.html') return html;
        return html.replace(LINK, (_, name) => {
          // Addresses in a style sheet count from where it stands.
          const style = String(bundle[name].source).replaceAll(/url\(\.\//g, `url(./${posix.dirname(name)}/`);
          delete bundle[name];
          return `<style>${style.trim()}</style>`;
        });
      },
    },
  };
}
