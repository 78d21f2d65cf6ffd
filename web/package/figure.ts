// phasor/figure: defines <phasor-figure> in any page. The engine's files, the word list, photographs and the index of trained models are next to this
// file, and each kind is a separate file, which is loaded when a figure needs it. The index has the folder of the models themselves.
import { beforeOptimizer } from '../engine/package-files.ts';
import type { TrainConfig } from '../engine/types/train-config.ts';
import { createPhasorWorker } from '../engine/worker/page-worker.ts';
import { type AnyKind, kindSource } from '../figure/contract/registry.ts';
import { defineFigure } from '../figure/element/define-figure.ts';
import { laterPhotographs, modelsIn } from '../figure/runtime/data-files.ts';
import { PageServices } from '../figure/runtime/services.ts';
import { WordVectors } from '../sentence/word-vectors.ts';
import { scriptUrl } from './script-url.ts';

const index = beforeOptimizer(new URL(/* @vite-ignore */ './word-vectors.json', import.meta.url));
const rows = beforeOptimizer(new URL(/* @vite-ignore */ './word-vectors-64.i8', import.meta.url));
const photographs = beforeOptimizer(new URL(/* @vite-ignore */ './photographs.json', import.meta.url));
const models = beforeOptimizer(new URL(/* @vite-ignore */ './models.json', import.meta.url));

// The larger WebAssembly, beside this file too, is loaded for training.
const createTrainer = async (spec: TrainConfig) => (await import('../engine/train.ts')).createTrainerWorker(spec);

defineFigure(
  new PageServices({
    startEngine: () => createPhasorWorker(),
    createTrainer,
    // Some bundlers generate URLs that are relative to the page.
    models: modelsIn(() => new URL(models.href, document.baseURI), createTrainer),
    vocabulary: new WordVectors({ index, rows }),
    photographs: laterPhotographs(photographs),
    kinds: kindSource(import.meta.glob<{ kind: AnyKind }>('../figure/kinds/*/index.ts')),
    script: scriptUrl(import.meta.url, index, 'word-vectors.json'),
  }),
  import.meta.url,
);
