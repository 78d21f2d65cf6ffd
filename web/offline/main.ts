// The page as one file: the WebAssembly and the word vectors are inside it, so nothing is fetched.

import files from 'virtual:embedded-wasm';
import photographs from '../../public/data/photographs.json?url';
import index from '../../public/data/word-vectors.json?url';
import rows from '../../public/data/word-vectors-64.i8?url';
import { createPhasorWorker } from '../engine/worker/page-worker.ts';
import { allKinds } from '../figure/contract/registry.ts';
import { PhotographFile } from '../figure/runtime/photographs.ts';
import { showTheme, storedTheme } from '../lab/page/theme-choice.ts';
import { startLab } from '../lab/start.ts';
import { WordVectors } from '../sentence/word-vectors.ts';
import { openSaved } from './saved-state.ts';

openSaved();
showTheme(storedTheme());
void startLab({
  startEngine: () => createPhasorWorker((file) => [Uint8Array.from(atob(files[file]), (letter) => letter.charCodeAt(0))]),
  vocabulary: new WordVectors({ index, rows }),
  photographs: new PhotographFile(photographs),
  kinds: allKinds,
});
