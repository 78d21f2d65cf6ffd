// The text of a page is in its HTML, so scripts have low priority, after the text and its fonts.
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
