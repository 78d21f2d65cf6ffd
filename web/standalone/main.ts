// The single-file Lab, with embedded WebAssembly and word vectors. Figures can train on all tasks except the novel, because its text
// would take up a third of the file.

import { base64, program } from 'virtual:embedded-wasm';
import photographs from '../../public/data/photographs.json?url';
import index from '../../public/data/word-vectors.json?url';
import rows from '../../public/data/word-vectors-64.i8?url';
import { trainerWorkerCreator } from '../engine/create/trainer-worker.ts';
import { compileFile, compileFirst, DEFAULT_TIMEOUT_MS } from '../engine/load/compile.ts';
import { browser } from '../engine/platform/browser.ts';
import type { TrainConfig } from '../engine/types/train-config.ts';
import { createDoctorClient } from '../engine/worker/doctor-client.ts';
import { createPageEngine } from '../engine/worker/page-worker.ts';
import { allKindsSource } from '../figure/contract/all-kinds.ts';
import { PhotographFile } from '../figure/runtime/photographs.ts';
import { applyTheme, readStoredTheme } from '../lab/page/theme.ts';
import { startLab } from '../lab/start.ts';
import { WordVectors } from '../sentence/word-vectors.ts';
import { restoreSavedState } from './saved-state.ts';

const packageFiles = () => [Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))];
const createWorkerTrainer = trainerWorkerCreator({ ...browser, program, packageFiles });
/** The WebAssembly is compiled only once for all trainers, because browsers do not free the memory of a compilation. */
let compiledModule: Promise<WebAssembly.Module> | undefined;

restoreSavedState();
applyTheme(readStoredTheme());
void startLab({
  startEngine: () => createPageEngine({ program, packageFiles }),
  diagnose: createDoctorClient({ program, packageFiles }),
  async createTrainer(config: TrainConfig) {
    compiledModule ??= compileFirst(packageFiles(), (file) => compileFile(file, DEFAULT_TIMEOUT_MS, browser));
    return createWorkerTrainer(config, { wasm: await compiledModule });
  },
  vocabulary: new WordVectors({ index, rows }),
  photographs: new PhotographFile(photographs),
  kinds: allKindsSource,
});
