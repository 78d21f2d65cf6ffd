// phasor/doctor for Node: which convention explains a dump.

import { doctorWith } from './doctor/diagnose.ts';
import { createPhasor } from './node.ts';

export type { Claim, DiagnoseRequest } from './doctor/diagnose.ts';
export type { Axes, DumpTensor } from './doctor/dump.ts';
export type * from './doctor/report.ts';

/**
 * Names the convention of position that explains a dump, or says that none does. Tensors are row by row; the files are not changed and not sent.
 * The second argument has the options of the engine, which is created at the first call.
 * @throws {PhasorError} `invalid_argument` for tensors whose axes are not determined, for a field that is not known, and for a claim that the core
 * rejects
 */
export const diagnose = doctorWith(createPhasor);
