// phasor/doctor for Node: which convention explains a dump.

import { type DiagnoseRequest, diagnoseWith } from './doctor/diagnose.ts';
import type { Report } from './doctor/report.ts';
import { createPhasor } from './node.ts';
import type { Phasor, PhasorOptions } from './types/api.ts';

export type { Claim, DiagnoseRequest } from './doctor/diagnose.ts';
export type { Axes, DumpTensor } from './doctor/dump.ts';
export type * from './doctor/report.ts';

let engine: Promise<Phasor> | undefined;

/**
 * Names the convention of position that explains a dump, or says that none does. Tensors are row by row; the files are not changed and not sent.
 * @param options of the engine that is created at the first call
 * @throws {PhasorError} `invalid_argument` for tensors whose axes are not determined, and for a claim that the core rejects
 */
export async function diagnose(request: DiagnoseRequest, options?: PhasorOptions): Promise<Report> {
  engine ??= createPhasor(options);
  try {
    return diagnoseWith(await engine, request);
  } catch (error) {
    // An engine that could not start is created again at the next call.
    await engine.catch(() => {
      engine = undefined;
    });
    throw error;
  }
}
