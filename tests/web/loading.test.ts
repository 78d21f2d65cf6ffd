// Loading an engine: options, URLs and files, valid or rejected in one sentence.

import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPhasor, PhasorError } from '../../web/engine/node.ts';
import { packagedFile } from '../../web/engine/own-files.ts';
import { createPhasorPool, createPhasorWorker } from '../../web/engine/workers.node.ts';
import './relaxed-simd.ts';

const creators = [createPhasor, createPhasorWorker, createPhasorPool] as const;

const file = (variant: 'simd' | 'scalar') => fileURLToPath(packagedFile(variant)[0] as URL);
const stray: unknown[] = [];
const strays = (reason: unknown) => stray.push(reason);
beforeEach(() => {
  process.on('unhandledRejection', strays);
});
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off('unhandledRejection', strays);
  expect(stray.splice(0)).toEqual([]);
});

/** Nothing else: `(module)`, and the same with a function. */
const empty = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
const foreign = new Uint8Array([
  ...empty,
  ...[1, 4, 1, 96, 0, 0], // a type: () -> ()
  ...[3, 2, 1, 0], // a function of this type
  ...[7, 8, 1, 4, 99, 97, 108, 108, 0, 0], // exported as "call"
  ...[10, 4, 1, 2, 0, 11], // its body
]);
/** The same, wanting something of its surroundings. */
const wanting = new Uint8Array([...empty, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 97, 1, 98, 0, 0]);

describe.each(creators.map((create) => [create.name, create] as const))('%s', (_, create) => {
  const refused = async (options: unknown, code: string, sentence: RegExp) => {
    const call = create(options as never);
    await expect(call).rejects.toThrow(sentence);
    await expect(call).rejects.toThrow(PhasorError);
    await expect(call).rejects.toMatchObject({ code });
  };

  it('rejects WebAssembly of other programs', async () => {
    for (const wasm of [empty, foreign, wanting]) {
      expect(WebAssembly.validate(wasm)).toBe(true);
      await refused({ wasm }, 'not_wasm', /^wasm: it is not a WebAssembly file of this package/);
      await refused({ wasm: new WebAssembly.Module(wasm) }, 'not_wasm', /^wasm: it is not a WebAssembly file of this package/);
    }
  });

  it('rejects other files, and unknown variants', async () => {
    await refused({ wasm: new Uint8Array([1, 2, 3]) }, 'not_wasm', /^wasm: it begins with 01 02 03, which is not WebAssembly$/);
    await refused({ variant: 'fast' }, 'invalid_argument', /^variant: "fast" is not one of auto, relaxed, simd, scalar$/);
  });

  it('rejects unknown options', async () => {
    const rude = {
      get wasm(): never {
        throw new Error('not today');
      },
    };
    await refused(null, 'invalid_argument', /^options: null is not an object/);
    await refused(5, 'invalid_argument', /^options: 5 is not an object/);
    await refused('phasor-simd.wasm', 'invalid_argument', /^options: "phasor-simd.wasm" is not an object/);
    await refused({ variantt: 'simd' }, 'unknown_name', /^variantt is not an option; there are wasm, variant/);
    await refused(rude, 'invalid_argument', /^options: they cannot be read \(not today\)/);
    await refused({ wasm: 5 }, 'invalid_argument', /^wasm: 5 is not an address, bytes or a WebAssembly\.Module$/);
    await refused({ wasm: {} }, 'invalid_argument', /^wasm: simd or scalar is needed here; given is neither$/);
    await refused({ wasm: new Map() }, 'invalid_argument', /^wasm: \[object Map\] is not an address, bytes/);
    if (create !== createPhasorPool) await refused({ workers: 2 }, 'unknown_name', /^workers is not an option/);
  });

  it('reports which variant runs', async () => {
    for (const variant of ['simd', 'scalar'] as const) {
      const bytes = readFileSync(file(variant));
      const other = variant === 'simd' ? 'scalar' : 'simd';
      for (const wasm of [bytes, bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), new WebAssembly.Module(bytes)]) {
        const phasor = await create({ wasm });
        expect(phasor.variant).toBe(variant === 'simd' ? 'relaxed' : 'scalar');
        if ('dispose' in phasor) phasor.dispose();
      }
      await refused(
        { wasm: bytes, variant: other },
        'invalid_argument',
        new RegExp(`^variant: "${other}" does not match wasm, which is "${variant}"$`),
      );
    }
    const [wasm, variant] = [readFileSync(file('scalar')), 'relaxed'];
    await refused({ wasm, variant }, 'invalid_argument', /^variant: "relaxed" does not match wasm, which is "scalar"$/);
  });

  it('goes on without fused loops where they are not there or not accepted', async () => {
    const bytes = readFileSync(file('simd'));
    const start = bytes.lastIndexOf('fused') - 1; // of the section's name, behind the kind and the size
    const withoutThem = bytes.subarray(0, start - 3);
    const broken = Buffer.from(bytes);
    broken.fill(0xff, bytes.indexOf(Buffer.from([0xfd, 0x85, 0x02]), start)); // the first multiply-add and what follows
    const q = { shape: [2, 5, 16], data: Float32Array.from({ length: 160 }, (_, i) => Math.sin(i)) };
    const plain = await create({ variant: 'simd', wasm: bytes });
    const expected = await plain.attention({ q, k: q, v: q });
    for (const wasm of [withoutThem, broken]) {
      expect(WebAssembly.validate(wasm)).toBe(true);
      const phasor = await create({ wasm });
      expect(phasor.variant).toBe('simd');
      expect(await phasor.attention({ q, k: q, v: q })).toEqual(expected);
      if ('dispose' in phasor) phasor.dispose();
      await refused({ wasm, variant: 'relaxed' }, 'invalid_argument', /^variant: "relaxed" does not match wasm, which is "simd"$/);
    }
    if ('dispose' in plain) plain.dispose();
  });
});

describe('a path or URL in Node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'phasor wasm #'));
  const path = join(folder, 'mine.wasm');
  copyFileSync(file('scalar'), path);
  const server = createServer((request, response) => {
    const found = request.url === '/mine.wasm';
    response.writeHead(found ? 200 : 404);
    response.end(found ? readFileSync(path) : 'not here');
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
    server.close();
  });

  it('may be a relative path, an absolute path or a URL', async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const wasm of [
      relative(process.cwd(), path),
      `./${relative(process.cwd(), path)}`,
      path,
      pathToFileURL(path),
      pathToFileURL(path).href,
      `${origin}/mine.wasm`,
    ]) {
      expect((await createPhasor({ wasm })).variant).toBe('scalar');
    }
    for (const wasm of [`${origin}/yours.wasm`, new URL(`${origin}/yours.wasm`)]) {
      await expect(createPhasor({ wasm })).rejects.toThrow(/^wasm: .*\/yours\.wasm could not be loaded \(status 404\)$/);
    }
  });

  it('that does not exist is rejected in one sentence', async () => {
    for (const [wasm, sentence] of [
      ['./nothing.wasm', /^wasm: .*nothing\.wasm could not be loaded \(ENOENT/],
      ['http://127.0.0.1:1/x.wasm', /^wasm: http:\/\/127\.0\.0\.1:1\/x\.wasm could not be loaded/],
      ['https://', /^wasm: "https:\/\/" is not an address/],
      ['gopher://here/x.wasm', /^wasm: gopher:\/\/here\/x\.wasm could not be loaded/],
    ] as const) {
      await expect(createPhasor({ wasm })).rejects.toThrow(sentence);
      await expect(createPhasor({ wasm })).rejects.toThrow(PhasorError);
    }
  });
});
