// The text of a page is in its HTML, so its scripts are loaded after it and its fonts.
import { readHtml } from '../book/html.mjs';

/** @returns {import('vite').Plugin} */
export function textFirst() {
  return {
    name: 'phasor-text-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const page = readHtml(html);
        for (const element of page.elements) {
          const { type, rel } = element.attributes;
          if ((element.name === 'script' && type === 'module') || (element.name === 'link' && rel === 'modulepreload'))
            element.set('fetchpriority', 'low');
        }
        return page.written();
      },
    },
  };
}
