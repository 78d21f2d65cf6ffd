// Loading an engine: options, URLs and files, valid or rejected in one sentence.

import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPhasor, PhasorError } from '../../web/engine/node.ts';
import { locatePackagedFile } from '../../web/engine/package-files.ts';
import { locateNnFile } from '../../web/engine/package-nn-files.ts';
import { createPhasorPool, createPhasorWorker } from '../../web/engine/workers.node.ts';
import './relaxed-simd.ts';

const creators = [createPhasor, createPhasorWorker, createPhasorPool] as const;

const file = fileURLToPath(locatePackagedFile()[0] as URL);
const strayRejections: unknown[] = [];
const collectRejection = (reason: unknown) => strayRejections.push(reason);
beforeEach(() => {
  process.on('unhandledRejection', collectRejection);
});
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off('unhandledRejection', collectRejection);
  expect(strayRejections.splice(0)).toEqual([]);
});

/** The binary of `(module)`. */
const empty = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
const foreign = new Uint8Array([
  ...empty,
  ...[1, 4, 1, 96, 0, 0], // one type: () -> ()
  ...[3, 2, 1, 0], // a function of this type
  ...[7, 8, 1, 4, 99, 97, 108, 108, 0, 0], // exported as "call"
  ...[10, 4, 1, 2, 0, 11], // its body
]);
/** A module with an import. */
const wanting = new Uint8Array([...empty, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 97, 1, 98, 0, 0]);

describe.each(creators.map((create) => [create.name, create] as const))('%s', (_, create) => {
  const rejected = async (options: unknown, code: string, sentence: RegExp) => {
    const call = create(options as never);
    await expect(call).rejects.toThrow(sentence);
    await expect(call).rejects.toThrow(PhasorError);
    await expect(call).rejects.toMatchObject({ code });
  };

  it('rejects WebAssembly of other programs', async () => {
    for (const wasm of [empty, foreign, wanting]) {
      expect(WebAssembly.validate(wasm)).toBe(true);
      await rejected({ wasm }, 'not_wasm', /^wasm: is not the phasor.wasm of this package/);
      await rejected({ wasm: new WebAssembly.Module(wasm) }, 'not_wasm', /^wasm: is not the phasor.wasm of this package/);
    }
    const trainerBytes = readFileSync(locateNnFile()[0] as URL);
    await rejected({ wasm: trainerBytes }, 'not_wasm', /^wasm: is not the phasor.wasm of this package/);
  });

  it('rejects other files and unknown variants', async () => {
    await rejected({ wasm: new Uint8Array([1, 2, 3]) }, 'not_wasm', /^wasm: begins with 01 02 03, which is not WebAssembly$/);
    await rejected({ variant: 'fast' }, 'invalid_argument', /^variant: "fast" is not one of auto, relaxed, simd$/);
    await rejected({ variant: 'scalar' }, 'invalid_argument', /^variant: "scalar" is not one of auto, relaxed, simd$/);
  });

  it('rejects unknown options', async () => {
    const throwingValue = {
      get wasm(): never {
        throw new Error('not today');
      },
    };
    await rejected(null, 'invalid_argument', /^options: null is not an object/);
    await rejected(5, 'invalid_argument', /^options: 5 is not an object/);
    await rejected('phasor.wasm', 'invalid_argument', /^options: "phasor.wasm" is not an object/);
    await rejected({ variantt: 'simd' }, 'unknown_name', /^variantt is not an option; expected one of wasm, variant/);
    await rejected(throwingValue, 'invalid_argument', /^options: cannot be read \(not today\)/);
    await rejected({ wasm: 5 }, 'invalid_argument', /^wasm: 5 is not a URL, bytes or a WebAssembly\.Module$/);
    await rejected({ wasm: { simd: file } }, 'invalid_argument', /^wasm: .* is not a URL, bytes or a WebAssembly\.Module$/);
    await rejected({ wasm: new Map() }, 'invalid_argument', /^wasm: \[object Map\] is not a URL, bytes/);
    if (create !== createPhasorPool) await rejected({ workers: 2 }, 'unknown_name', /^workers is not an option/);
  });

  it('reports the running variant for every form of WebAssembly', async () => {
    const bytes = readFileSync(file);
    for (const variant of ['relaxed', 'simd'] as const) {
      for (const wasm of [bytes, bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), new WebAssembly.Module(bytes)]) {
        const phasor = await create({ wasm, variant });
        expect(phasor.variant).toBe(variant);
        if ('dispose' in phasor) phasor.dispose();
      }
    }
  });

  it('requires SIMD, and uses relaxed SIMD only if it is supported', async () => {
    const validate = vi.spyOn(WebAssembly, 'validate');
    try {
      validate.mockReturnValue(false);
      await rejected({}, 'unsupported', /^this JavaScript engine does not support WebAssembly SIMD or forbids it; expected/);
      validate.mockReset().mockImplementation((bytes) => bytes instanceof Uint8Array && bytes.length < 36);
      const phasor = await create();
      expect(phasor.variant).toBe('simd');
      if ('dispose' in phasor) phasor.dispose();
      await rejected(
        { variant: 'relaxed' },
        'unsupported',
        /^variant: this JavaScript engine does not support WebAssembly relaxed SIMD; use "simd" or "auto"$/,
      );
    } finally {
      validate.mockRestore();
    }
  });
});

describe('wasm option in Node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'phasor wasm #'));
  const path = join(folder, 'mine.wasm');
  copyFileSync(file, path);
  const server = createServer((request, response) => {
    const isFound = request.url === '/mine.wasm';
    response.writeHead(isFound ? 200 : 404);
    response.end(isFound ? readFileSync(path) : 'not here');
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
    server.close();
  });

  it('accepts a relative path, an absolute path or a URL', async () => {
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
      expect((await createPhasor({ wasm, variant: 'simd' })).variant).toBe('simd');
    }
    for (const wasm of [`${origin}/yours.wasm`, new URL(`${origin}/yours.wasm`)]) {
      await expect(createPhasor({ wasm })).rejects.toThrow(/^wasm: .*\/yours\.wasm could not be loaded \(status 404\)$/);
    }
  });

  it('rejects a path or URL that cannot be loaded with one sentence', async () => {
    for (const [wasm, sentence] of [
      ['./nothing.wasm', /^wasm: .*nothing\.wasm could not be loaded \(ENOENT/],
      ['http://127.0.0.1:1/x.wasm', /^wasm: http:\/\/127\.0\.0\.1:1\/x\.wasm could not be loaded/],
      ['https://', /^wasm: "https:\/\/" is not a URL/],
      ['gopher://here/x.wasm', /^wasm: gopher:\/\/here\/x\.wasm could not be loaded/],
    ] as const) {
      await expect(createPhasor({ wasm })).rejects.toThrow(sentence);
      await expect(createPhasor({ wasm })).rejects.toThrow(PhasorError);
    }
  });
});
