// Generates a test for one function of a port: its arguments and the claimed result.

import { argumentError } from '../errors.ts';
import type { Phasor } from '../types/api.ts';
import type { NoiseFormat, Report } from './report.ts';
import { type DiagnoseRequest, dumpKindOf, type PositionIdsDump, type RotationDump, type ScoresDump, type TablesDump } from './requests.ts';
import { createRotationCase } from './test-case-rotation.ts';
import { createScoresCase } from './test-case-scores.ts';
import { createTablesCase } from './test-case-tables.ts';

function createIdsCase({ mask, segments, past, start, spec }: PositionIdsDump, { ids }: Report): TestCase {
  if (!ids) throw argumentError('positionIds', 'the ids do not match the tokens; expected one id per token');
  const tokens = ids.claimed[0]?.length ?? 0;
  const optionalInputs = { tokens, mask, segments, past, start, parts: spec };
  return {
    tested: 'position_ids',
    dtype: 'f32',
    inputs: Object.fromEntries(Object.entries(optionalInputs).filter(([, value]) => value !== undefined)) as TestCase['inputs'],
    // The ids of padding tokens are not compared.
    expected: ids.claimed.map((axis) => axis.map((id, token) => (mask && !mask[token] ? null : id))),
    rows: ids.claimed.length === 1 ? ['ids'] : ['time', 'row', 'column'],
    tolerances: ids.claimed.map(() => 0),
  };
}

export interface CaseTensor {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

export type TestedFunction = 'rotation' | 'inv_freq' | 'cos_sin' | 'cos_sin_cache' | 'scores' | 'weights' | 'position_ids';

export interface TestCase {
  readonly tested: TestedFunction;
  readonly dtype: NoiseFormat;
  readonly inputs: { readonly [name: string]: CaseTensor | readonly unknown[] | number };
  /** The expected result. For position ids: [axes][tokens], with null for padding. */
  readonly expected: CaseTensor | readonly (readonly (number | null)[])[];
  /** Names of the rows (first axis) of `expected`. */
  readonly rows: readonly string[];
  /** For each row, the largest |port - expected| / |expected| that rounding can explain. */
  readonly tolerances: readonly number[];
}

/** Maximum number of elements per tensor. It keeps two tensors in base64 below 60 kB. */
export const MAX_ELEMENTS = 5400;
/** Tolerance of a test, as a multiple of the format's noise. Correct dumps are within the noise itself. */
export const TOLERANCE_FACTOR = 4;

/**
 * Generates a test from a dump. If the report names a fault, the dump itself fails the test.
 * @throws {PhasorError} `invalid_argument` without a claim, or if no test can be generated from the dump
 */
export function createTestCase(phasor: Phasor, request: DiagnoseRequest, report: Report): TestCase {
  switch (dumpKindOf(request)) {
    case 'rotation':
    case 'two':
      return createRotationCase(phasor, request as RotationDump, report);
    case 'tables':
      return createTablesCase(phasor, request as TablesDump, report);
    case 'scores':
      return createScoresCase(phasor, request as ScoresDump, report);
    case 'positionIds':
      return createIdsCase(request as PositionIdsDump, report);
    default:
      throw argumentError('gguf', 'no test can be generated from a config and a GGUF file; expected a dump of your implementation');
  }
}
