// The doctor of the website, with the URL of its WebAssembly file.
import file from '../../../build/wasm/phasor.wasm?url';
import { workerDoctor } from '../../engine/worker/doctor-client.ts';
import type { Diagnose } from '../contract/context.ts';
import { Semaphore } from './scheduling.ts';

const inWorker = workerDoctor({ program: 'phasor', ownFiles: () => [new URL(file, document.baseURI)] });
/** Limits the doctor to one worker at a time, because a page may have one figure per fault. */
const semaphore = new Semaphore(1);
export const diagnose: Diagnose = (request, signal) => semaphore.use(() => inWorker(request, signal));
