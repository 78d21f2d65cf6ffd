// phasor/figure: defines <phasor-figure> in any page. The engine's files, the word list and photographs lie beside this one, and each kind in a file
// of its own, which comes when a figure needs it.
import { beforeOptimizer } from '../engine/own-files.ts';
import { createPhasorWorker } from '../engine/worker/page-worker.ts';
import { kindSource } from '../figure/contract/kind-source.ts';
import type { AnyKind } from '../figure/contract/registry.ts';
import { defineFigure } from '../figure/element/element.ts';
import { PhotographFile } from '../figure/runtime/photographs.ts';
import { PageServices } from '../figure/runtime/services.ts';
import { WordVectors } from '../sentence/word-vectors.ts';
import { ownScript } from './own-script.ts';

const index = beforeOptimizer(new URL(/* @vite-ignore */ './word-vectors.json', import.meta.url));
const rows = beforeOptimizer(new URL(/* @vite-ignore */ './word-vectors-64.i8', import.meta.url));
const photographs = beforeOptimizer(new URL(/* @vite-ignore */ './photographs.json', import.meta.url));

defineFigure(
  new PageServices({
    startEngine: () => createPhasorWorker(),
    // The larger WebAssembly, beside this file too, comes when something trains.
    createTrainer: async (spec) => (await import('../engine/train.ts')).createTrainerWorker(spec),
    vocabulary: new WordVectors({ index, rows }),
    photographs: new PhotographFile(photographs),
    kinds: kindSource(import.meta.glob<{ kind: AnyKind }>('../figure/kinds/*/index.ts')),
    script: ownScript(import.meta.url, index, 'word-vectors.json'),
  }),
  import.meta.url,
);
