// Writes the first picture of the Lab and its first strings into the HTML at build time, so that they are visible before any script is loaded. The
// core computes the picture.
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
        const picture = await modules.labPicture(modules.createContext(phasor, dataFiles));
        return html
          .replace('<!-- the first picture -->', () => picture)
          .replace('<!-- the first line -->', modules.STORY_STRINGS.initialHint)
          .replace('<!-- the first badge -->', modules.STORY_STRINGS.engineLoading);
      },
    },
  };
}
