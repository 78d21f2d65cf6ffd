// The hand-written types against the real exports of the generated glue.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { instantiate } from '../../web/engine/load.ts';

const sources = readdirSync('cpp/wasm').map((name) => readFileSync(`cpp/wasm/${name}`, 'utf8'));
const declared = [...readFileSync('web/engine/glue.d.ts', 'utf8').matchAll(/^ {4}(\w+)(?::|\(\):)/gm)].map((match) => match[1]).sort();

it.each(['simd', 'scalar'])('web/engine/glue.d.ts names exactly what phasor-%s exports', async (variant) => {
  const raw = await instantiate(new WebAssembly.Module(readFileSync(`build/wasm/phasor-${variant}.wasm`)));
  const bound = [...sources.join('').matchAll(/emscripten::function\("(\w+)"/g)].map((match) => match[1]).sort();
  expect(declared).toEqual(bound);
  for (const name of bound) expect(raw[name as keyof typeof raw]).toBeTypeOf('function');
});

it('lets no view of the heap escape: typed_memory_view stands in two lines of the tree, which read or write it at once', () => {
  const lines = sources.flatMap((source) => source.split('\n')).filter((line) => line.includes('typed_memory_view'));
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line).toMatch(/val\(emscripten::typed_memory_view\(.*\)\)\.call<(val>\("slice"\)|void>\("set", data\))/);
});
