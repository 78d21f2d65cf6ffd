// How the files of the first picture come: its style sheet stands in the page itself, because one that is fetched would keep the first words from
// the screen, and its script, which main.ts asks for after them, is fetched at once. The rest of the page brings its own (web/lab/later.ts).
import { join, posix } from 'node:path';

const script = join(import.meta.dirname, '../../web/lab/site.ts');
const SHEET = /<link rel="stylesheet"[^>]*href="\.\/([^"]+\.css)"[^>]*>/g;

/** All modules that a module imports at once, with itself. */
function reached(start, graph) {
  const found = new Set([start]);
  for (const id of found) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

/**
 * A group for `codeSplitting`: one file, however many other parts of the site use some of it. Each file of a chain of imports costs a slow
 * connection a request.
 */
export function firstChunk() {
  let modules;
  return {
    debugName: 'first',
    name(id, graph) {
      modules ??= reached(script, graph);
      // What imports parts when they are needed imports this one too.
      return modules.has(id) && !id.includes('vite/preload-helper') ? 'first' : null;
    },
  };
}

/** A sheet as an element; addresses in it count from where it stood. */
function styleElement(sheet, name) {
  return `<style>${String(sheet.source)
    .replaceAll('url(./', `url(./${posix.dirname(name)}/`)
    .trim()}</style>`;
}

/** @returns {import('vite').Plugin} */
export function firstFiles() {
  return {
    name: 'phasor-first-files',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle, path }) {
        // Other pages have no first picture to hurry for.
        if (path !== '/index.html') return html;
        const chunk = Object.values(bundle).find(({ name, type }) => type === 'chunk' && name === 'first');
        const scripts = chunk ? [chunk.fileName, ...chunk.imports] : [];
        const links = scripts
          .filter((name) => !html.includes(name))
          .map((name) => `<link rel="modulepreload" crossorigin href="./${name}">`);
        return html.replace(SHEET, (_, name) => {
          const style = styleElement(bundle[name], name);
          delete bundle[name];
          return [...links, style].join('\n    ');
        });
      },
    },
  };
}
