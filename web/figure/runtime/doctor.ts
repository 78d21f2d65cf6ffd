// Diagnoses position errors in a worker of the website.
import file from '../../../build/wasm/phasor.wasm?url';
import { createDoctorClient } from '../../engine/worker/doctor-client.ts';
import type { Diagnose } from '../contract/context.ts';
import { Semaphore } from './scheduling.ts';

const diagnoseInWorker = createDoctorClient({ program: 'phasor', packageFiles: () => [new URL(file, document.baseURI)] });
/** Only one diagnosis runs at a time, because many figures on a page may request one. */
const semaphore = new Semaphore(1);
export const diagnose: Diagnose = (request, signal) => semaphore.use(() => diagnoseInWorker(request, signal));
