// phasor/doctor for browsers and bundlers: identifies which positional convention produced dumped tensors.

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
 * Identifies which positional convention produced dumped tensors, or reports that no known convention explains them. Tensors may be strided views;
 * they are neither modified nor sent over the network. The second argument holds the options of the engine, which is created on the first call.
 * @throws {PhasorError} `invalid_argument` for tensors with ambiguous axes and for a claimed encoding that is invalid;
 * `unknown_name` for a request field that does not exist
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
