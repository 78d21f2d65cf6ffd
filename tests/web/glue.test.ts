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

it('lets no view of the heap escape: typed_memory_view stands in one line of the tree, with its slice', () => {
  const lines = sources.flatMap((source) => source.split('\n')).filter((line) => line.includes('typed_memory_view'));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('.call<val>("slice")');
});
