// phasor/figure: defines <phasor-figure> in any page. The files of the engine, the word list, photographs and the index of trained models are in
// the folder of this file. Each kind is a separate file, loaded when a figure needs it.
import { resolveOptimizedUrl } from '../engine/package-files.ts';
import type { RemotePhasor, TrainConfig, Trainer, WorkerOptions } from '../engine/types/api.ts';
import { createPageEngine, isWorkerBlocked } from '../engine/worker/page-worker.ts';
import type { Diagnose } from '../figure/contract/context.ts';
import { type AnyKind, createKindSource } from '../figure/contract/registry.ts';
import { defineFigure } from '../figure/element/define-figure.ts';
import { createLazyPhotographs, createModelLoader } from '../figure/runtime/data-files.ts';
import { PageServices } from '../figure/runtime/services.ts';
import { WordVectors } from '../sentence/word-vectors.ts';
import { findScriptUrl } from './script-url.ts';

const indexUrl = resolveOptimizedUrl(new URL(/* @vite-ignore */ './word-vectors.json', import.meta.url));
const rowsUrl = resolveOptimizedUrl(new URL(/* @vite-ignore */ './word-vectors-64.i8', import.meta.url));
const photographsUrl = resolveOptimizedUrl(new URL(/* @vite-ignore */ './photographs.json', import.meta.url));
const modelsUrl = resolveOptimizedUrl(new URL(/* @vite-ignore */ './models.json', import.meta.url));

const workerUrl = resolveOptimizedUrl(new URL(/* @vite-ignore */ './worker.js', import.meta.url));

/**
 * Options for pages whose policy forbids workers from blobs. The worker is loaded from a file in the folder of this file. If this fails,
 * no worker is used.
 */
const STRICT_OPTIONS: WorkerOptions = { worker: workerUrl, fallback: 'same-thread' };

/** Calls `start`. If the page forbids its worker, calls `startStrict` instead. */
const withFallback = <T>(start: () => Promise<T>, startStrict: () => Promise<T>): Promise<T> =>
  start().catch((thrown) => {
    if (isWorkerBlocked(thrown)) return startStrict();
    throw thrown;
  });

// Starts the engine without relaxed SIMD, so that pictures are identical on all machines.
const startEngine = (): Promise<RemotePhasor> =>
  withFallback(
    () => createPageEngine(),
    async () => (await import('../engine/workers.ts')).createPhasorWorker({ ...STRICT_OPTIONS, variant: 'simd' }),
  );

// Creates a trainer from the larger WebAssembly file, which is in the same folder.
async function createTrainer(spec: TrainConfig): Promise<Trainer> {
  const { createTrainerWorker } = await import('../engine/train.ts');
  return withFallback(
    () => createTrainerWorker(spec),
    () => createTrainerWorker(spec, STRICT_OPTIONS),
  );
}

/** Diagnoses dumped tensors. The script for this is loaded on the first call. */
const diagnose: Diagnose = async (request, signal) =>
  (await import('../engine/worker/doctor-client.ts')).createDoctorClient()(request, signal);

defineFigure(
  new PageServices({
    startEngine,
    createTrainer,
    diagnose,
    // Some bundlers generate relative URLs, so the URL is resolved against the page.
    models: createModelLoader(() => new URL(modelsUrl.href, document.baseURI), createTrainer),
    vocabulary: new WordVectors({ index: indexUrl, rows: rowsUrl }),
    photographs: createLazyPhotographs(photographsUrl),
    kinds: createKindSource(import.meta.glob<{ kind: AnyKind }>('../figure/kinds/*/index.ts')),
    script: findScriptUrl(import.meta.url, indexUrl, 'word-vectors.json'),
  }),
  import.meta.url,
);
