// The doctor of the website: locates the WebAssembly file.
import file from '../../../build/wasm/phasor.wasm?url';
import { workerDoctor } from '../../engine/worker/doctor-client.ts';

export const diagnose = workerDoctor({ program: 'phasor', ownFiles: () => [new URL(file, document.baseURI)] });
