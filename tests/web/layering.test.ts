// Checks the imports between the layers of docs/architecture.md. tests/cpp/layering_test.cpp checks those of C++.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { filesBelow, type Import, importsOf } from './imports.ts';
import { readsMessages } from './messages.ts';

describe('TypeScript', () => {
  // Folder -> folders of web/ it may import besides itself. All but the engine may import packages.
  const allowed: Record<string, string[]> = {
    engine: [],
    charts: [],
    encodings: [],
    tokenizer: ['engine'],
    sentence: ['engine', 'charts', 'encodings', 'figure'],
    figure: ['engine', 'charts', 'encodings', 'tokenizer', 'sentence'],
    'service-worker': ['charts'],
    'self-test': ['engine'],
    lab: ['self-test', 'service-worker', 'figure', 'sentence', 'charts', 'encodings', 'engine'],
    standalone: ['book', 'lab', 'figure', 'tokenizer', 'sentence', 'engine'],
    book: ['service-worker', 'lab', 'package', 'figure', 'tokenizer', 'sentence', 'charts', 'encodings', 'engine'],
    package: ['sentence', 'figure', 'charts', 'engine'],
  };
  // A layer may import types of another one without depending on its code.
  const typesOnly: Record<string, string[]> = { encodings: ['engine'], charts: [] };
  // Modules provided by builds -> folders that may import them.
  const created: Record<string, string[]> = {
    '#glue': ['engine'],
    '#glue-nn': ['engine'],
    '#glue-model': ['engine'],
    '#fused-kernels': ['engine'],
    '#worker-source': ['engine'],
    '#model-worker-source': ['engine'],
    '#doctor-worker-source': ['engine'],
    '#tokenizer-worker-source': ['tokenizer'],
    '#inline-wasm': ['engine'],
    'virtual:encoding-titles': ['figure'],
    'virtual:shipped-encodings': ['figure', 'lab'],
    'virtual:starter-vectors': ['sentence'],
    'virtual:kinds': ['standalone'],
    'virtual:language-model': ['standalone'],
    'virtual:photographs': ['standalone'],
    'virtual:trainer': ['standalone'],
    'virtual:embedded-wasm': ['standalone', 'package'],
  };
  const sources = filesBelow('web', /\.ts$/);

  it.each(sources)('%s imports only lower layers', (file) => {
    const layer = file.split('/')[1] ?? '';
    const isAllowed = ({ to, isPath, typeOnly }: Import): boolean => {
      if (!isPath) return /^(#|virtual:)/.test(to) ? (created[to]?.includes(layer) ?? false) : layer !== 'engine' || to.startsWith('node:');
      if (/^(build|public)\/|^package\.json$/.test(to)) return true;
      if (!to.startsWith('web/') || !existsSync(to)) return false;
      const other = to.split('/')[1] ?? '';
      return other === layer || allowed[layer]?.includes(other) || (typeOnly && (typesOnly[layer]?.includes(other) ?? false));
    };
    expect(importsOf(file).filter((one) => !isAllowed(one))).toEqual([]);
  });

  // Errors of this project carry data (argument, value, allowed); only messages of browsers and of Emscripten are parsed.
  // A dropped file checks whether a message already names it.
  const readsSentences = ['web/engine/call/engine.ts', 'web/engine/load/wasm-bytes.ts', 'web/figure/files/drop.ts'];
  it('parses error messages only in these files', () => {
    expect(sources.filter((file) => readsMessages(file))).toEqual(readsSentences);
  });

  it('uses no page globals in the engine', () => {
    for (const file of filesBelow('web/engine', /\.ts$/))
      expect(readFileSync(file, 'utf8')).not.toMatch(/\b(document|window|localStorage)\.\w/);
  });
});

/**
 * Checks the imports between the parts of a folder: its subfolders, and '' for the files in none.
 * @param allowed a part -> the other parts it may import; types may come from any part
 * @param named a file -> its additional imports
 */
function checkParts(
  folder: string,
  pattern: RegExp,
  allowed: Record<string, readonly string[]>,
  named: Record<string, readonly string[]> = {},
) {
  const partOf = (path: string) => path.slice(folder.length + 1).match(/^((?:kinds\/)?[\w-]+)\//)?.[1] ?? '';
  const rule = (part: string) => allowed[part.startsWith('kinds/') ? 'kinds' : part];
  const sources = filesBelow(folder, pattern);

  it.each(sources)('%s imports only allowed parts', (file) => {
    const part = partOf(file);
    expect(rule(part), `${file} has a listed part`).toBeDefined();
    const isAllowed = ({ to, typeOnly }: Import): boolean => {
      const other = partOf(to);
      if (typeOnly || !to.startsWith(`${folder}/`) || other === part || named[file]?.some((one) => to.startsWith(one))) return true;
      return rule(part)?.includes(other === '' ? to.slice(folder.length + 1) : other) ?? false;
    };
    expect(importsOf(file).filter((one) => !isAllowed(one))).toEqual([]);
  });

  it(`lists no unused exception for ${folder}`, () => {
    for (const [file, paths] of Object.entries(named))
      for (const path of paths)
        expect(
          importsOf(file).some(({ to }) => to.startsWith(path)),
          `${file} imports ${path}`,
        ).toBe(true);
  });
}

describe('Parts of the engine', () => {
  const below = ['errors.ts', 'handles.ts', 'request'];
  checkParts('web/engine', /\.ts$/, {
    // Declared for callers; any module may import its types.
    types: [],
    request: ['errors.ts', 'handles.ts'],
    load: ['errors.ts', 'request'],
    platform: ['errors.ts', 'load', 'package-files.ts'],
    call: [...below, 'load'],
    worker: [...below, 'load', 'call', 'platform'],
    pool: [...below, 'load', 'call', 'worker'],
    train: below,
    model: below,
    create: [...below, 'load', 'call', 'worker', 'pool', 'train', 'model'],
    doctor: ['errors.ts', 'request'],
    // The entry points of the package.
    '': ['request', 'load', 'platform', 'call', 'worker', 'pool', 'model', 'create', 'doctor'],
  });
});

describe('Parts of figures', () => {
  checkParts(
    'web/figure',
    /\.ts$/,
    {
      contract: [],
      files: ['contract'],
      compute: ['contract', 'files'],
      runtime: ['contract'],
      export: ['contract', 'compute'],
      surface: ['contract', 'runtime'],
      // Words as tiles: their layout, ribbons and arcs over them, and dragging.
      words: ['contract', 'runtime', 'surface'],
      controls: ['contract'],
      element: ['contract', 'runtime', 'files', 'export', 'surface', 'controls'],
      kinds: ['contract', 'runtime', 'files', 'compute', 'export', 'surface', 'words'],
    },
    {
      // The two registries: every folder of kinds/ is a kind.
      'web/figure/contract/all-kinds.ts': ['web/figure/kinds/'],
      'web/figure/contract/kinds-on-demand.ts': ['web/figure/kinds/'],
      // Its button saves a report on the opened model; the code for it is loaded on demand.
      'web/figure/files/model-drop.ts': ['web/figure/export/'],
    },
  );
});

describe('Parts of the Lab', () => {
  // The drawing functions of all kinds, and shared strings.
  const shared = ['element.ts', 'strings.ts', 'error-strings.ts', 'story-strings.ts', 'descriptions.ts', 'nouns.ts'];
  checkParts('web/lab', /\.ts$/, {
    questions: shared,
    state: [...shared, 'questions'],
    presets: [...shared, 'state'],
    config: [...shared, 'questions', 'state'],
    page: [...shared, 'questions', 'state', 'presets', 'config'],
    '': ['questions', 'state', 'presets', 'config', 'page', 'styles'],
  });
});

describe('Folders of scripts', () => {
  const shared = ['root.mjs', 'run.mjs', 'digest.mjs', 'lock.mjs', 'palette.mjs', 'sections.mjs'];
  checkParts(
    'scripts',
    /\.mjs$/,
    {
      setup: shared,
      wasm: shared,
      book: shared,
      docs: [...shared, 'wasm', 'book'],
      site: [...shared, 'wasm', 'book', 'docs'],
      package: [...shared, 'wasm', 'site'],
      standalone: [...shared, 'wasm', 'book', 'site'],
      train: [...shared, 'wasm', 'site'],
      test: [...shared, 'setup', 'wasm', 'book', 'site', 'standalone', 'build.mjs'],
      '': ['wasm', 'package', 'standalone'],
    },
    {
      // The book is computed from the sources of the page, which need the same plugins as the site.
      'scripts/book/web-bundle.mjs': ['scripts/site/source-plugins.mjs'],
      // This document is written by a test program, from the declarations in C++.
      'scripts/docs/models.mjs': ['scripts/test/cpp-tests.mjs'],
    },
  );

  const next = (file: string) => importsOf(file).flatMap(({ to, isPath, typeOnly }) => (isPath && !typeOnly ? [to] : []));

  it('have no import cycle', () => {
    const done = new Set<string>();
    const visit = (file: string, path: readonly string[]): void => {
      expect(path, 'a cycle of imports').not.toContain(file);
      if (done.has(file)) return;
      for (const one of next(file).filter((name) => name.startsWith('scripts/'))) visit(one, [...path, file]);
      done.add(file);
    };
    for (const file of filesBelow('scripts', /\.mjs$/)) visit(file, []);
    expect(done.size).toBeGreaterThan(80);
  });

  it('import no built file if vite.config.ts reaches them', () => {
    const reached = new Set(['vite.config.ts']);
    for (const file of reached) for (const one of next(file)) if (/\.m?[jt]s$/.test(one)) reached.add(one);
    expect(reached.size).toBeGreaterThan(30);
    for (const file of reached) {
      expect(file).not.toMatch(/^(build|dist)\//);
      expect(existsSync(file), file).toBe(true);
    }
  });
});
