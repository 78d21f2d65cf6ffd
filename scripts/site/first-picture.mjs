// The first picture of the Lab, computed by the real core when the site is built: readers see words and ribbons before any script has arrived.
import { dataFiles, loadMeans } from '../book/web-modules.mjs';

/** @returns {import('vite').Plugin} */
export function firstPicture() {
  return {
    name: 'phasor-first-picture',
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        if (!html.includes('<!-- the first picture -->')) return html;
        const { modules, phasor } = await loadMeans();
        const picture = await modules.labPicture(modules.meansOf(phasor, dataFiles));
        return html.replace('<!-- the first picture -->', () => picture);
      },
    },
  };
}
