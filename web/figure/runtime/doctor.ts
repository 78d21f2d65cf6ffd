import file from '../../../build/wasm/phasor.wasm?url';
import { createDoctorClient } from '../../engine/worker/doctor-client.ts';
import type { Diagnose } from '../contract/context.ts';
import { Semaphore } from './scheduling.ts';

const diagnoseInWorker = createDoctorClient({ program: 'phasor', packageFiles: () => [new URL(file, document.baseURI)] });
/** Many figures on a page may request a diagnosis, but only one runs at a time. */
const semaphore = new Semaphore(1);
export const diagnose: Diagnose = (request, signal) => semaphore.use(() => diagnoseInWorker(request, signal));
