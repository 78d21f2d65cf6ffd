// Generates the API reference with TypeDoc: the pages of developers/api/ of the site. It is cached until a source changes.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskCache } from '../book/disk-cache.mjs';
import { contentDigest, filesOf } from '../digest.mjs';
import { readColors, themedProperties } from '../palette.mjs';
import { root } from '../root.mjs';
import { strictPage } from './api-strict-page.mjs';

/**
 * Source, name and description of each entry of the packages.
 * @type {[source: string, name: string, words: string][]}
 */
const ENTRIES = [
  ['web/engine/index.ts', 'phasor', 'The engine on the calling thread, and every type.'],
  ['web/engine/analysis.ts', 'phasor/analysis', 'Measurements of encodings and attention, with any engine.'],
  ['web/engine/workers.ts', 'phasor/worker', 'Engines in one worker or several.'],
  ['web/engine/inline.ts', 'phasor/inline', 'The same with the WebAssembly inside: no file has to be found.'],
  ['web/engine/train.ts', 'phasor/train', 'Small transformers, trained with any encoding.'],
  ['web/engine/model.ts', 'phasor/model', 'Published models, read from their files and run.'],
  ['web/figure/contract/element-types.ts', 'phasor/figure', 'The element `<phasor-figure>`.'],
  ['web/package/render-types.ts', 'phasor/render', 'Figures as SVG files and HTML in Node.'],
  ['web/package/anywidget-types.ts', 'phasor-anywidget', 'A figure in a Jupyter notebook.'],
];
const folder = 'web/book/api';

/** @import { CommentDisplayPart, DeclarationReflection } from 'typedoc' */

/**
 * The index of a module as parts of a comment: links to its functions, the methods of the engine, and types.
 * @param {DeclarationReflection} module
 * @param {string} words
 * @param {typeof import('typedoc').ReflectionKind} kinds
 */
function indexOf(module, words, { Function: called, Variable: constant, Class: type, Reference: again, Method: method }) {
  /** @param {string} content @returns {CommentDisplayPart} */
  const text = (content) => ({ kind: 'text', text: content });
  /** @param {DeclarationReflection} to @returns {CommentDisplayPart} */
  const link = (to) => ({ kind: 'inline-tag', tag: '@link', target: to, text: to.name });
  /** @param {string} title @param {DeclarationReflection[]} list */
  const line = (title, list) => {
    const sorted = list.toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
    const links = sorted.flatMap((one) => [text(', '), link(one)]).slice(1);
    return links.length === 0 ? [] : [text(`${title}: `), ...links, text('\n\n')];
  };
  // Re-exports are listed in their module.
  const own = (module.children ?? []).filter(({ kind }) => kind !== again);
  const calls = own.filter(({ kind }) => kind === called || kind === constant || kind === type);
  const engine = own.find(({ name }) => name === 'Phasor')?.children ?? [];
  return [
    text('## '),
    link(module),
    text(`\n\n${words}\n\n`),
    ...line('Functions', calls),
    ...line(
      'Methods of `Phasor`',
      engine.filter(({ kind }) => kind === method),
    ),
    ...line(
      'Types',
      own.filter((one) => !calls.includes(one)),
    ),
  ];
}

/** Writes the pages. @param {string} out the folder @param {string} style the file of an additional style sheet */
async function generated(out, style) {
  const { Application, Comment, Converter, ReflectionKind } = await import('typedoc');
  const app = await Application.bootstrap({
    entryPoints: ENTRIES.map(([source]) => join(root, source)),
    tsconfig: join(root, 'web/engine/tsconfig.api.json'),
    out,
    name: 'Phasor: API',
    readme: 'none',
    logLevel: 'Error',
    skipErrorChecking: true,
    disableSources: true,
    excludeExternals: true,
    excludePrivate: true,
    hideGenerator: true,
    includeVersion: true,
    githubPages: false,
    validation: false,
    customCss: style,
    highlightLanguages: ['js', 'ts', 'html'],
    navigationLinks: { Site: 'phasor:root/', Developers: 'phasor:root/developers/' },
    visibilityFilters: {},
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    const modules = [...(project.children ?? [])];
    /** @type {CommentDisplayPart[]} */
    const index = [];
    for (const [source, name, words] of ENTRIES) {
      // TypeDoc names a module by its path below the common folder of all entries.
      const path = source.replace(/^web\/|\/?(index)?\.ts$/g, '');
      const module = modules.find((one) => one.name === path);
      if (!module) throw new Error(`TypeDoc found no module ${path}; it found ${modules.map((one) => one.name).join(', ')}`);
      module.name = name;
      module.comment = new Comment([{ kind: 'text', text: words }]);
      index.push(...indexOf(module, words, ReflectionKind));
    }
    // The first page lists all exports, not only modules.
    project.readme = index;
  });
  const project = await app.convert();
  if (!project) throw new Error('TypeDoc could not read the declarations');
  await app.generateOutputs(project);
  if (app.logger.hasErrors()) throw new Error('TypeDoc reported errors');
}

/** @returns {Promise<Record<string, string>>} the text of each file, by its path relative to developers/api/ */
export function apiReference() {
  const sources = [
    ...filesOf('web/engine').filter((name) => name.endsWith('.ts')),
    ...ENTRIES.map(([source]) => source),
    `${folder}/api.css`,
    'web/charts/render/palette.json',
    `${folder}/theme.js`,
  ];
  const makers = ['scripts/docs/api-reference.mjs', 'scripts/docs/api-strict-page.mjs', 'scripts/palette.mjs', 'package-lock.json'];
  const keep = diskCache('api', contentDigest([...new Set(sources), ...makers]));
  return keep('pages', async () => {
    const created = mkdtempSync(join(tmpdir(), 'phasor-api-'));
    try {
      const [out, style] = [join(created, 'pages'), join(created, 'api.css')];
      writeFileSync(style, themedProperties(readColors()) + readFileSync(join(root, folder, 'api.css'), 'utf8'));
      await generated(out, style);
      const names = readdirSync(out, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name !== '.nojekyll')
        .map((entry) => join(entry.parentPath, entry.name).slice(out.length + 1));
      /** @param {string} name */
      const textOf = (name) => {
        const text = readFileSync(join(out, name), 'utf8');
        return name.endsWith('.html') ? strictPage(text, name) : text;
      };
      const theme = readFileSync(join(root, folder, 'theme.js'), 'utf8');
      return { ...Object.fromEntries(names.map((name) => [name, textOf(name)])), 'assets/theme.js': theme };
    } finally {
      rmSync(created, { recursive: true, force: true });
    }
  });
}
