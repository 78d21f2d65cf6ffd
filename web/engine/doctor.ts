// phasor/doctor for browsers and bundlers: finds the convention that explains a dump.

import { createDiagnose } from './doctor/diagnose.ts';
import { createPhasor } from './index.ts';

export type { Axes } from './doctor/dump.ts';
export type {
  Explanation,
  Finding,
  FirstDifference,
  NoiseFormat,
  Report,
  ReportParams,
  ReportValue,
  ResidualMap,
  Residuals,
} from './doctor/report.ts';
export type {
  Claim,
  ClaimedEncoding,
  DiagnoseRequest,
  GgufDump,
  PositionIdsDump,
  RotationDump,
  ScoresDump,
  TablesDump,
  TwoImplementationsDump,
  VectorOptions,
} from './doctor/requests.ts';

/**
 * Finds the positional convention that explains a dump, or reports that none does. Tensors may be views. They are not modified, and not sent over the
 * network. The second argument has the options of the engine, which is created on the first call.
 * @throws {PhasorError} `invalid_argument` for tensors with ambiguous axes and for a claim that the core rejects, `unknown_name`
 * for a field that no dump has
 * @example
 * ```js
 * const { diagnose } = await import('phasor/doctor');
 * const invFreq = { shape: [4], data: Float32Array.from({ length: 4 }, (_, t) => 500000 ** (-t / 4)) };
 * const report = await diagnose({ invFreq, claim: { id: 'rope', base: 10000 } });
 * report.verdict; // 'wrong_base'
 * report.params.found; // 500000
 * ```
 */
export const diagnose = createDiagnose(createPhasor);
