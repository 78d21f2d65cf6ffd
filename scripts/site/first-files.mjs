// Loads the files of the first picture early. The style sheets of the Lab and of the book are inlined, because fetching them would delay the first
// text. The Lab's script, which main.ts imports after the first paint, is preloaded. Other parts of the page are loaded later (web/lab/later.ts).
import { join, posix } from 'node:path';
import { readHtml } from '../book/html.mjs';

const script = join(import.meta.dirname, '../../web/lab/site.ts');
const lab = join(import.meta.dirname, '../../web/lab/main.ts');
const book = join(import.meta.dirname, '../../web/book/main.ts');
const others = [book];
const SHEET = /^\.\.\/(.+\.css)$/;

/** @import { ChunkingContext, OutputAsset, OutputBundle, OutputChunk } from 'rolldown' */
/** @typedef {(id: string, graph: ChunkingContext) => string | null} GroupName the group of a module in `codeSplitting`, or null */

/** Modules with their direct and indirect static imports. @param {string[]} starts @param {ChunkingContext} graph */
function reached(starts, graph) {
  const found = new Set(starts);
  for (const id of found) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

/**
 * Groups for `codeSplitting`, because each file in a chain of imports costs a request: figures and engine, modules of the Lab only, modules that the
 * Lab and the pages of the book share at the start, and modules shared by kinds of figures.
 */
export function firstChunks() {
  /** @type {Set<string> | undefined} */
  let modules;
  /** @type {Set<string> | undefined} */
  let elsewhere;
  /** @param {string} id @param {ChunkingContext} graph */
  const needed = (id, graph) => {
    modules ??= reached([script], graph);
    // Modules with dynamic imports also import Vite's helper, and entry modules must not be in shared files.
    return modules.has(id) && id !== script && !id.includes('vite/preload-helper');
  };
  /** @type {GroupName} */
  const name = (id, graph) => {
    if (!needed(id, graph)) return null;
    // A page of the book starts without figures. It would load the whole file of the group for one shared module.
    elsewhere ??= reached(others, graph);
    if (elsewhere.has(id)) return null;
    return id.includes('/web/lab/') ? 'lab' : 'first';
  };
  return [
    { debugName: 'first', name },
    { debugName: 'page', name: beginningOfPages() },
    { debugName: 'shared', name: sharedByKinds },
  ];
}

/** Modules that the pages of the book and the Lab share at the start; others would delay the first picture of the Lab. @returns {GroupName} */
function beginningOfPages() {
  /** @type {Set<string> | undefined} */
  let ofBook;
  /** @type {Set<string> | undefined} */
  let ofLab;
  return (id, graph) => {
    ofBook ??= reached([book], graph);
    ofLab ??= reached([lab, script], graph);
    return ofBook.has(id) && ofLab.has(id) ? 'page' : null;
  };
}

const KIND = /\/web\/figure\/kinds\/[\w-]+\/index\.ts$/;

/** Modules shared by several kinds of figures: the first figure of a page loads one more file instead of up to ten. @type {GroupName} */
function sharedByKinds(id, graph) {
  if (!id.includes('/web/') || KIND.test(id)) return null;
  const users = new Set([id]);
  for (const one of users) for (const user of graph.getModuleInfo(one)?.importers ?? []) users.add(user);
  return [...users].filter((one) => KIND.test(one)).length > 1 ? 'shared' : null;
}

/** @param {OutputAsset | OutputChunk | undefined} file */
const importsOf = (file) => (file?.type === 'chunk' ? file.imports : []);

/** The file of a chunk, and those of its direct and indirect imports. @param {OutputChunk} chunk @param {OutputBundle} bundle */
function filesOf(chunk, bundle) {
  const found = new Set([chunk.fileName]);
  for (const name of found) for (const imported of importsOf(bundle[name])) found.add(imported);
  return found;
}

/** A style sheet as an element, with its relative addresses adjusted. @param {OutputAsset} sheet @param {string} name */
function styleElement(sheet, name) {
  return `<style>${String(sheet.source)
    .replaceAll('url(./', `url(../${posix.dirname(name)}/`)
    .trim()}</style>`;
}

/** Inlines the style sheet that only this page uses. @param {string} html @param {OutputBundle | undefined} bundle @param {string[]} [before] */
function withSheet(html, bundle, before = []) {
  const page = readHtml(html);
  const link = page.elements.find(
    ({ name, attributes }) => name === 'link' && attributes.rel === 'stylesheet' && SHEET.test(attributes.href ?? ''),
  );
  const [, name] = SHEET.exec(link?.attributes.href ?? '') ?? [];
  const sheet = name === undefined ? undefined : bundle?.[name];
  if (!link || name === undefined || sheet?.type !== 'asset') return html;
  link.replace([...before, styleElement(sheet, name)].join('\n    '));
  delete bundle?.[name];
  return page.written();
}

/** @returns {import('vite').Plugin} */
export function firstFiles() {
  return {
    name: 'phasor-first-files',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle, path }) {
        if (path === '/book/index.html') return withSheet(html, bundle);
        if (!bundle || path !== '/lab/index.html') return html;
        const chunks = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [file] : []));
        const entry = chunks.find(({ facadeModuleId }) => facadeModuleId === script);
        // The single-file page has another script.
        if (!entry) return html;
        const links = [...filesOf(entry, bundle)]
          .filter((name) => !html.includes(name))
          .map((name) => `<link rel="modulepreload" crossorigin href="../${name}">`);
        return withSheet(html, bundle, links);
      },
    },
  };
}
