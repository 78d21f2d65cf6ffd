// Dispatches a request to the diagnosis for its type of dump, such as rotations, scores or tables.

import type { Phasor, PhasorOptions } from '../types/api.ts';
import type { TensorData } from '../types/tensors.ts';
import { resolveClaim } from './claims.ts';
import { diagnoseConfigs } from './configs.ts';
import { readTensor } from './dump.ts';
import { readVectorPair } from './pair.ts';
import { diagnosePositionIds } from './position-ids.ts';
import type { Diagnosis, Report } from './report.ts';
import {
  type DiagnoseRequest,
  dumpKindOf,
  type GgufDump,
  type PositionIdsDump,
  type RotationDump,
  type ScoresDump,
  type TablesDump,
  type TwoImplementationsDump,
} from './requests.ts';
import { diagnoseRotation } from './rotation.ts';
import { readScoreDump } from './score-dump.ts';
import { diagnoseScores } from './scores.ts';
import { diagnoseTables } from './tables.ts';
import { compareImplementations } from './two-implementations.ts';
import { describeDiagnosis } from './words.ts';

function diagnoseRotationDump(phasor: Phasor, request: RotationDump): Diagnosis {
  const { first, second, ...rest } = readVectorPair(phasor, request);
  return diagnoseRotation(phasor, { before: first, after: second, ...rest });
}

function diagnoseTwoDumps(phasor: Phasor, request: TwoImplementationsDump): Diagnosis {
  const { first, second, ...rest } = readVectorPair(phasor, request);
  return compareImplementations(phasor, { reference: first, ours: second, ...rest });
}

const readOptional = (name: string, tensor: TensorData | undefined) => tensor && readTensor(name, tensor);

function diagnoseTablesDump(phasor: Phasor, request: TablesDump): Diagnosis {
  const { claim, other, dim } = resolveClaim(phasor, request);
  const [invFreq, cos, sin, cache] = (['invFreq', 'cos', 'sin', 'cosSinCache'] as const).map((name) => readOptional(name, request[name]));
  return diagnoseTables(phasor, {
    invFreq,
    cos,
    sin,
    cosSinCache: cache,
    dim: request.dim ?? dim,
    positions: request.positions,
    tableLayout: request.tableLayout,
    claim,
    other,
  });
}

function diagnoseByKind(phasor: Phasor, request: DiagnoseRequest): Diagnosis {
  switch (dumpKindOf(request)) {
    case 'rotation':
      return diagnoseRotationDump(phasor, request as RotationDump);
    case 'two':
      return diagnoseTwoDumps(phasor, request as TwoImplementationsDump);
    case 'scores':
      return diagnoseScores(phasor, readScoreDump(phasor, request as ScoresDump));
    case 'positionIds':
      return diagnosePositionIds(request as PositionIdsDump);
    case 'gguf':
      return diagnoseConfigs(phasor, request as GgufDump);
    default:
      return diagnoseTablesDump(phasor, request as TablesDump);
  }
}

export function diagnoseWith(phasor: Phasor, request: DiagnoseRequest): Report {
  const diagnosis = diagnoseByKind(phasor, request);
  return { ...diagnosis, ...describeDiagnosis(diagnosis) };
}

/** Creates `diagnose`. Its engine is created on the first call. */
export function createDiagnose(create: (options?: PhasorOptions) => Promise<Phasor>) {
  let engine: Promise<Phasor> | undefined;
  return async (request: DiagnoseRequest, options?: PhasorOptions): Promise<Report> => {
    engine ??= create(options);
    try {
      return diagnoseWith(await engine, request);
    } catch (error) {
      // If the engine fails to start, the next call creates another.
      await engine.catch(() => {
        engine = undefined;
      });
      throw error;
    }
  };
}
