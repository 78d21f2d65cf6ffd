// The layers of docs/architecture.md, read from the sources: who may include or import whom.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const files = (folder: string, pattern: RegExp) =>
  readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((name) => pattern.test(name));

describe('C++', () => {
  // Folder -> what its files may include besides the standard library and phasor/ headers.
  const allowed: Record<string, RegExp> = {
    'cpp/include/phasor': /^phasor\//,
    'cpp/src/core': /^(phasor\/(status|tensor|result|strided)\.h$|core\/)/,
    'cpp/src/math': /^(phasor\/(tensor|random)\.h$|core\/|math\/|Eigen\/)/,
    'cpp/src/kernels': /^(phasor\/(tensor|positions|waves)\.h$|core\/|math\/|kernels\/)/,
    'cpp/src/relative': /^(phasor\/|core\/|math\/|relative\/)/,
    'cpp/src/rope': /^(phasor\/|core\/|math\/|rope\/)/,
    'cpp/src/model': /^(phasor\/|core\/|math\/|rope\/|model\/)/,
    'cpp/src/encoding': /^(phasor\/|core\/|math\/|kernels\/|encoding\/|encodings\.inc$)/,
    'cpp/src/encodings': /^(phasor|core|math|kernels|relative|rope|encoding)\//,
    'cpp/src/attention': /^((phasor|core|math|kernels|attention)\/|encoding\/(made_for|position_check)\.h$)/,
    'cpp/src/analysis': /^(phasor|core|math|kernels|analysis)\//,
    'cpp/wasm':
      /^(phasor\/|emscripten\/|core\/format_error\.h$|attention\/checks\.h$|(answer|array_source|arrays|calls|fields|handles|request)\.h$)/,
  };
  const sources = files('cpp', /\.(cpp|h)$/);

  it.each(sources)('%s includes only lower layers', (file) => {
    const rule = allowed[Object.keys(allowed).find((candidate) => file.startsWith(`${candidate}/`)) ?? ''];
    expect(rule, `${file} has a room`).toBeDefined();
    const includes = [...readFileSync(file, 'utf8').matchAll(/#include [<"]([^>"]*)[>"]/g)].map((match) => match[1] ?? '');
    // The standard library's headers are the ones without a folder or an ending.
    for (const include of includes.filter((name) => /[/.]/.test(name))) expect(include).toMatch(rule ?? /never/);
  });

  it('spells Eigen::Map in one file, and emscripten in one folder', () => {
    const using = (text: string) => sources.filter((file) => readFileSync(file, 'utf8').includes(text));
    expect(using('Eigen::Map<')).toEqual(['cpp/src/math/eigen_map.h']);
    for (const file of using('#include <emscripten')) expect(dirname(file)).toBe('cpp/wasm');
  });
});

describe('TypeScript', () => {
  // Folder -> folders of web/ it may import besides itself. Packages are free, except in the engine, which has none.
  const allowed: Record<string, string[]> = {
    engine: [],
    views: [],
    encodings: [],
    sentence: ['engine', 'views', 'encodings', 'figure'],
    figure: ['engine', 'views', 'encodings', 'sentence'],
    visit: [],
    check: ['engine'],
    lab: ['check', 'visit', 'figure', 'sentence', 'views', 'encodings', 'engine'],
    offline: ['book', 'lab', 'figure', 'sentence', 'engine'],
    gallery: ['visit', 'figure', 'views', 'sentence'],
    book: ['visit', 'lab', 'package', 'figure', 'sentence', 'views', 'encodings', 'engine'],
    package: ['sentence', 'figure', 'views', 'engine'],
  };
  // A layer may look at the types of another one without depending on its code.
  const typesOnly: Record<string, string[]> = { encodings: ['engine'], views: [] };

  const imports = (file: string) =>
    [...readFileSync(file, 'utf8').matchAll(/^(?:import|export)( type)?[^'"]*?from '([^']+)'|^import '([^']+)'/gm)].map((match) => ({
      typeOnly: match[1] !== undefined,
      from: match[2] ?? match[3] ?? '',
    }));

  it.each(files('web', /\.ts$/))('%s imports only lower layers', (file) => {
    const layer = file.split('/')[1] ?? '';
    for (const { typeOnly, from } of imports(file)) {
      if (!from.startsWith('.')) {
        if (layer === 'engine') expect(from).toMatch(/^(#glue|#worker-source|#inline-wasm|node:.*)$/);
        continue;
      }
      const target = normalize(join(dirname(file), from.replace(/\?.*/, '')));
      if (/^(build|public)\//.test(target)) continue;
      expect(existsSync(target), `${file} imports ${from}`).toBe(true);
      const other = target.split('/')[1] ?? '';
      if (other === layer) continue;
      const may = [...(allowed[layer] ?? []), ...(typeOnly ? (typesOnly[layer] ?? []) : [])];
      expect(may, `${file} imports ${from}`).toContain(other);
    }
  });

  it('keeps the engine away from the page', () => {
    for (const file of files('web/engine', /\.ts$/)) expect(readFileSync(file, 'utf8')).not.toMatch(/\b(document|window|localStorage)\b\./);
  });
});
