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
    const isAllowed = ({ to: target, isPath, typeOnly }: Import): boolean => {
      if (!isPath)
        return /^(#|virtual:)/.test(target)
          ? (created[target]?.includes(layer) ?? false)
          : layer !== 'engine' || target.startsWith('node:');
      if (/^(build|public)\/|^package\.json$/.test(target)) return true;
      if (!target.startsWith('web/') || !existsSync(target)) return false;
      const otherFolder = target.split('/')[1] ?? '';
      return (
        otherFolder === layer || allowed[layer]?.includes(otherFolder) || (typeOnly && (typesOnly[layer]?.includes(otherFolder) ?? false))
      );
    };
    expect(importsOf(file).filter((dependency) => !isAllowed(dependency))).toEqual([]);
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
  exceptions: Record<string, readonly string[]> = {},
) {
  const partOf = (path: string) => path.slice(folder.length + 1).match(/^((?:kinds\/)?[\w-]+)\//)?.[1] ?? '';
  const rule = (partName: string) => allowed[partName.startsWith('kinds/') ? 'kinds' : partName];
  const sources = filesBelow(folder, pattern);

  it.each(sources)('%s imports only allowed parts', (file) => {
    const partName = partOf(file);
    expect(rule(partName), `${file} has a listed part`).toBeDefined();
    const isAllowed = ({ to: target, typeOnly }: Import): boolean => {
      const otherFolder = partOf(target);
      if (
        typeOnly ||
        !target.startsWith(`${folder}/`) ||
        otherFolder === partName ||
        exceptions[file]?.some((dependency) => target.startsWith(dependency))
      )
        return true;
      return rule(partName)?.includes(otherFolder === '' ? target.slice(folder.length + 1) : otherFolder) ?? false;
    };
    expect(importsOf(file).filter((dependency) => !isAllowed(dependency))).toEqual([]);
  });

  it(`lists no unused exception for ${folder}`, () => {
    for (const [file, paths] of Object.entries(exceptions))
      for (const path of paths)
        expect(
          importsOf(file).some(({ to: target }) => target.startsWith(path)),
          `${file} imports ${path}`,
        ).toBe(true);
  });
}

describe('Parts of the engine', () => {
  const baseFiles = ['errors.ts', 'handles.ts', 'request'];
  checkParts('web/engine', /\.ts$/, {
    // Declared for callers; any module may import its types.
    types: [],
    request: ['errors.ts', 'handles.ts'],
    load: ['errors.ts', 'request'],
    platform: ['errors.ts', 'load', 'package-files.ts'],
    call: [...baseFiles, 'load'],
    worker: [...baseFiles, 'load', 'call', 'platform'],
    pool: [...baseFiles, 'load', 'call', 'worker'],
    train: baseFiles,
    model: baseFiles,
    create: [...baseFiles, 'load', 'call', 'worker', 'pool', 'train', 'model'],
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

  const next = (file: string) => importsOf(file).flatMap(({ to: target, isPath, typeOnly }) => (isPath && !typeOnly ? [target] : []));

  it('have no import cycle', () => {
    const visited = new Set<string>();
    const visit = (file: string, path: readonly string[]): void => {
      expect(path, 'a cycle of imports').not.toContain(file);
      if (visited.has(file)) return;
      for (const dependency of next(file).filter((name) => name.startsWith('scripts/'))) visit(dependency, [...path, file]);
      visited.add(file);
    };
    for (const file of filesBelow('scripts', /\.mjs$/)) visit(file, []);
    expect(visited.size).toBeGreaterThan(80);
  });

  it('import no built file if vite.config.ts reaches them', () => {
    const reached = new Set(['vite.config.ts']);
    for (const file of reached) for (const dependency of next(file)) if (/\.m?[jt]s$/.test(dependency)) reached.add(dependency);
    expect(reached.size).toBeGreaterThan(30);
    for (const file of reached) {
      expect(file).not.toMatch(/^(build|dist)\//);
      expect(existsSync(file), file).toBe(true);
    }
  });
});
