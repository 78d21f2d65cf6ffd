// The program of a page that is one file: its figures, with an engine whose WebAssembly is in the same file.
import kinds from 'virtual:kinds';
import photographs from 'virtual:photographs';
import type { RemotePhasor } from '../engine/index.ts';
import { createPhasorWorker } from '../engine/worker/page-worker.ts';
import { kindSource } from '../figure/contract/kind-source.ts';
import { defineFigure } from '../figure/element/element.ts';
import { PhotographFile } from '../figure/runtime/photographs.ts';
import { PageServices } from '../figure/runtime/services.ts';
import { WordVectors } from '../sentence/word-vectors.ts';
import { unpack } from './unpack.ts';

const state = document.getElementById('state') as HTMLElement;

async function startEngine(): Promise<RemotePhasor> {
  const wasm = new Uint8Array(await unpack('engine').arrayBuffer());
  // Only this one is in the file: a browser that can unpack it has SIMD, except on processors of before 2008, which are told so.
  const engine = await createPhasorWorker(() => [wasm]);
  state.textContent = `Computed on this device by phasor ${engine.version}, WebAssembly SIMD.`;
  return engine;
}

defineFigure(
  new PageServices({
    startEngine,
    vocabulary: new WordVectors(),
    photographs: new PhotographFile(photographs),
    kinds: kindSource({}, kinds),
  }),
  location.href,
);
