// The bundle of the book: when it is built again, and which figures a changed source invalidates.
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kinds } from '../../web/figure/contract/all-kinds.ts';
import { load } from './read-book.ts';

interface Bundle {
  readonly file: string;
  readonly modules: { readonly [id: string]: { readonly digest: string; readonly imports: readonly string[] } };
}
const { webBundle } = await load<{ webBundle: (entry: string, options?: { hasSheets: boolean }) => Promise<Bundle> }>('web-bundle.mjs');
const { bookBundle, seedsOf } = await load<{
  bookBundle: () => Promise<Bundle>;
  seedsOf: (bundle: Bundle) => (kind: string) => string;
}>('web-modules.mjs');

describe('webBundle', () => {
  const name = `entry-of-a-test-${process.pid}`;
  const folder = `build/${name}`;
  const entry = `${folder}/${name}.ts`;
  const created: string[] = [];
  const write = (file: string, text: string) => {
    const path = join(folder, file);
    writeFileSync(path, text);
    // An old date: webBundle does not store a bundle of files that change while it is built.
    utimesSync(path, new Date(2020, 0), new Date(2020, 0));
  };
  const bundled = async (options?: { hasSheets: boolean }) => {
    const { file, modules } = await webBundle(entry, options);
    const stored = file.replace(/-[0-9a-f]{12}\.mjs$/, '.json');
    created.push(file, stored);
    return { text: readFileSync(file, 'utf8'), modules, written: statSync(stored).mtimeMs };
  };
  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    write(
      `${name}.ts`,
      "import { reached } from './reached.ts';\nimport style from './style.css?inline';\nexport const all = [reached, style];\n",
    );
    write('reached.ts', "export const reached: string = 'as it was';\n");
    write('beside.ts', "export const beside = 'not imported';\n");
    write('style.css', '.a { color: red; }\n');
  });
  afterAll(() => {
    for (const path of [folder, ...created]) rmSync(path, { recursive: true, force: true });
  });

  it('bundles an entry again after a change of an imported module, but not of a style sheet or another file', async () => {
    const first = await bundled();
    expect(first.text).toContain('as it was');
    expect(Object.keys(first.modules)).toContain(`${folder}/reached.ts`);
    write('beside.ts', "export const beside = 'changed';\n");
    write('style.css', '.a { color: blue; }\n');
    expect(await bundled()).toEqual(first);
    write('reached.ts', "export const reached: string = 'as it is';\n");
    const second = await bundled();
    expect(second.text).toContain('as it is');
    expect(second.written).toBeGreaterThan(first.written);
  });

  it('includes style sheets on request, and bundles again after their change', async () => {
    write('style.css', '.a { color: red; }\n');
    expect((await bundled({ hasSheets: true })).text).toContain('red');
    write('style.css', '.a { color: blue; }\n');
    const { text } = await bundled({ hasSheets: true });
    expect(text).toMatch(/blue|#00f/);
    expect(text).not.toContain('red');
  });
});

describe('seedsOf', async () => {
  const bundle = await bookBundle();
  const ids = Object.keys(kinds);
  const before = seedsOf(bundle);
  /** The kinds whose figures are invalidated by a change of a source. */
  const changedModules = (id: string) => {
    const module = bundle.modules[id];
    if (!module) throw new Error(`${id} is not in the module graph`);
    const after = seedsOf({ ...bundle, modules: { ...bundle.modules, [id]: { ...module, digest: 'another' } } });
    return ids.filter((kind) => after(kind) !== before(kind));
  };

  it.each(ids)('changes only the seed of %s after a change of its module', (kind) => {
    expect(changedModules(`web/figure/kinds/${kind}/index.ts`)).toEqual([kind]);
  });

  it('changes all seeds after a change of shared drawing code', () => {
    for (const id of ['web/charts/render/svg.ts', 'web/package/figure-tag.ts', 'web/figure/contract/spec.ts'])
      expect(changedModules(id)).toEqual(ids);
  });

  it('keeps all seeds after a change of the links of the Lab', () => {
    expect(changedModules('web/lab/state/link.ts')).toEqual([]);
  });

  it('does not depend on style sheets', () => {
    expect(Object.keys(bundle.modules).filter((id) => id.endsWith('.css'))).toEqual([]);
  });
});
