// Every failure to start an engine has a message, a code and, if requested, a fallback.
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPhasor, PhasorError, type RemotePhasor, type TensorHandle } from '../../web/engine/node.ts';
import { locatePackagedFile } from '../../web/engine/package-files.ts';
import { createPhasorPool, createPhasorWorker } from '../../web/engine/workers.node.ts';
import './relaxed-simd.ts';

const bytes = readFileSync(locatePackagedFile()[0] as URL);
const request = { encoding: 'sinusoidal', length: 2, dim: 4 };
const wasmHeaders = { 'content-type': 'application/wasm' };

const responses: Record<string, RequestListener> = {
  '/named.wasm': (_, response) => response.writeHead(200, wasmHeaders).end(bytes),
  '/nameless.wasm': (_, response) => response.writeHead(200).end(bytes),
  '/as-page.wasm': (_, response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(bytes),
  '/page.wasm': (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>'),
  '/nameless-page.wasm': (_, response) => response.writeHead(200).end('<!doctype html>'),
  '/indented-page.wasm': (_, response) => response.writeHead(200).end('\ufeff\n  <!doctype html>'),
  '/page-as-wasm.wasm': (_, response) => response.writeHead(200, wasmHeaders).end('<!doctype html>'),
  '/half.wasm': (_, response) => response.writeHead(200, wasmHeaders).end(bytes.subarray(0, 100_000)),
  '/broken-off.wasm': (_, response) => {
    response.writeHead(200, { 'content-length': bytes.length }).write(bytes.subarray(0, 1000), () => response.destroy());
  },
  '/empty.wasm': (_, response) => response.writeHead(200, wasmHeaders).end(),
  '/trouble.wasm': (_, response) => response.writeHead(503).end(),
  '/silent.wasm': () => {},
  '/slow-end.wasm': (_, response) => void response.writeHead(200).write(bytes.subarray(0, 1000)),
};
const server = createServer((request, response) => {
  const result = responses[request.url ?? ''];
  if (result) result(request, response);
  else response.writeHead(404).end();
});
let origin = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('WebAssembly file from a server', () => {
  it.each([
    ['nothing', 'not_found', 'status 404'],
    ['trouble', 'fetch_failed', 'status 503'],
    ['page', 'not_wasm', 'the response is an HTML page, not WebAssembly'],
    ['nameless-page', 'not_wasm', 'is an HTML page, not WebAssembly'],
    ['indented-page', 'not_wasm', 'is an HTML page, not WebAssembly'],
    ['page-as-wasm', 'not_wasm', 'is an HTML page, not WebAssembly'],
    ['half', 'truncated', 'ends after 100000 bytes'],
    ['broken-off', 'truncated', 'the response was interrupted: terminated'],
    ['empty', 'truncated', 'is empty'],
    ['silent', 'timeout', 'no response within 0.2 seconds; increase the timeout option to wait longer'],
    ['slow-end', 'timeout', 'no response within 0.2 seconds; increase the timeout option to wait longer'],
  ])('%s.wasm is rejected with the code %s', async (name, code, reason) => {
    const wasm = `${origin}/${name}.wasm`;
    const timeout = code === 'timeout' ? 200 : undefined;
    for (const create of [createPhasor, createPhasorWorker]) {
      const call = create({ wasm, timeout });
      await expect(call).rejects.toThrow(PhasorError);
      await expect(call).rejects.toMatchObject({ code, message: `wasm: ${wasm} could not be loaded (${reason})` });
    }
  });

  it('is compiled with any content type or none', async () => {
    for (const name of ['named', 'nameless', 'as-page'])
      expect((await createPhasor({ wasm: `${origin}/${name}.wasm` })).variant).toBe('relaxed');
  });

  it('is rejected if it cannot be fetched', async () => {
    await expect(createPhasor({ wasm: 'http://127.0.0.1:1/x.wasm' })).rejects.toMatchObject({ code: 'fetch_failed' });
    await expect(createPhasor({ wasm: './nothing.wasm' })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a worker', () => {
  it('rejects creation if it cannot start, or falls back to the calling thread if requested', async () => {
    const refuse = () => {
      throw new Error('not here');
    };
    for (const create of [createPhasorWorker, createPhasorPool]) {
      const rejected = { code: 'worker_unavailable', message: 'a worker cannot be started: not here' };
      await expect(create({ worker: refuse })).rejects.toMatchObject(rejected);
      const phasor = await create({ worker: refuse, fallback: 'same-thread' });
      expect(phasor.thread).toBe('same-thread');
      expect(phasor.fallbackReason).toMatchObject(rejected);
      const [table, secondTable] = await Promise.all([phasor.positionTable(request), phasor.positionTable(request)]);
      expect(table).toEqual((await createPhasor()).positionTable(request));
      expect(secondTable).toEqual(table);
      await expect(phasor.positionTable({ ...request, length: -1 })).rejects.toThrow(/^length/);
      const { signal } = new AbortController();
      expect(await phasor.positionTable(request, { signal })).toEqual(table);
      const pendingCall = phasor.positionTable(request);
      phasor.dispose();
      await expect(pendingCall).rejects.toThrow('the worker was disposed');
    }
  });

  it('times out if it does not respond; invalid options never cause a fallback', async () => {
    const createSilentWorker = () => new Worker('setInterval(() => {}, 1000)', { eval: true });
    await expect(createPhasorWorker({ worker: createSilentWorker, timeout: 300 })).rejects.toMatchObject({
      code: 'timeout',
      message: /^worker: no response within 0\.3 s/,
    });
    const phasor = await createPhasorWorker({ worker: createSilentWorker, timeout: 300, fallback: 'same-thread' });
    expect(phasor.fallbackReason?.code).toBe('timeout');
    phasor.dispose();
    for (const [options, sentence] of [
      [{ worker: 5 }, /^worker: 5 is neither a URL nor a function that starts a worker$/],
      [{ worker: () => 5 }, /^worker: the function did not return a Worker/],
      [{ fallback: 'none' }, /^fallback: "none" is not "same-thread"$/],
      [{ timeout: 0 }, /^timeout: 0 is not a positive number of milliseconds$/],
      [{ fallbck: 'same-thread' }, /^fallbck is not an option; expected one of wasm, variant, timeout, worker, fallback/],
    ] as const) {
      await expect(createPhasorWorker({ fallback: 'same-thread', ...options } as never)).rejects.toThrow(sentence);
    }
  });

  it('is disposed of by Symbol.dispose, or by a registered symbol if that is missing', async () => {
    const disposeSymbol = Symbol.for('Symbol.dispose');
    const ownDescriptor = Object.getOwnPropertyDescriptor(Symbol, 'dispose');
    const symbols = [Symbol.dispose, ...(ownDescriptor?.configurable ? [undefined] : [])];
    for (const symbol of symbols) {
      if (symbol === undefined) Reflect.deleteProperty(Symbol, 'dispose');
      const phasor = (await createPhasorWorker()) as unknown as Record<symbol, () => void> & RemotePhasor;
      const handle = (await phasor.createTensor({ shape: [1], data: [1] })) as unknown as Record<symbol, () => void> & TensorHandle;
      handle[symbol ?? disposeSymbol]?.();
      expect(handle.disposed).toBe(true);
      phasor[symbol ?? disposeSymbol]?.();
      await expect(phasor.positionTable(request)).rejects.toThrow('the worker was disposed');
      if (ownDescriptor && symbol === undefined) Object.defineProperty(Symbol, 'dispose', ownDescriptor);
    }
  });
});
