// Runs each call to `diagnose` of phasor/doctor in a separate worker. The worker is terminated when the call ends or its signal is aborted.
import doctorSource from '#doctor-worker-source';
import type { Report } from '../doctor/report.ts';
import type { DiagnoseRequest } from '../doctor/requests.ts';
import { PhasorError } from '../errors.ts';
import { compileFile, compileFirst, DEFAULT_TIMEOUT_MS } from '../load/compile.ts';
import { checkWebAssembly } from '../load/simd.ts';
import { browser } from '../platform/browser.ts';
import type { Platform } from '../platform/platform.ts';
import { onAbort } from './cancellation.ts';
import type { DoctorReply } from './messages.ts';

const cancelledError = () => new PhasorError('cancelled', 'diagnose: the call was cancelled');

/**
 * Returns a function that runs `diagnose` in a worker. `packageFiles` lists candidate URLs of the WebAssembly file; default: phasor.wasm
 * beside this script.
 */
export function createDoctorClient({ program, packageFiles }: Pick<Platform, 'program' | 'packageFiles'> = browser) {
  let module: Promise<WebAssembly.Module> | undefined;
  return async (request: DiagnoseRequest, signal?: AbortSignal): Promise<Report> => {
    checkWebAssembly();
    module ??= compileFirst(packageFiles(), (file) => compileFile(file, DEFAULT_TIMEOUT_MS, browser)).catch((thrown: unknown) => {
      // Allows the next call to retry.
      module = undefined;
      throw thrown;
    });
    const compiled = { module: await module, program, isFused: false };
    if (signal?.aborted) throw cancelledError();
    const worker = browser.start(doctorSource);
    let unregister = () => {};
    try {
      return await new Promise<Report>((resolve, reject) => {
        if (signal) unregister = onAbort(signal, () => reject(cancelledError()));
        worker.onMessage((message) => {
          const reply = message as DoctorReply;
          if (reply.kind === 'report') resolve(reply.report);
          else reject(new PhasorError(reply.code, reply.message, reply.about));
        });
        worker.onError((error) => reject(new PhasorError('worker_unavailable', `diagnose: a worker cannot be started: ${error.message}`)));
        worker.post({ compiled, request }, []);
      });
    } finally {
      unregister();
      worker.terminate();
    }
  };
}
