// phasor/figure: defines <phasor-figure> on any page. The engine, word vectors, photographs and the index of trained models are loaded from
// this file's folder. Each kind of figure is a separate file that is loaded on first use.
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
 * Options for pages whose Content-Security-Policy forbids blob: workers. The worker is loaded from a file next to this one. If this fails,
 * the engine runs on the page's thread.
 */
const STRICT_OPTIONS: WorkerOptions = { worker: workerUrl, fallback: 'same-thread' };

/** Calls `start`. If the page's Content-Security-Policy blocks the worker, calls `startStrict` instead. */
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

/** Loads the diagnosis code on the first call. */
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
