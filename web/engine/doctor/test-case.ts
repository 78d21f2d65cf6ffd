// Generates a test for one function of a port: its arguments, and the result according to the claim.

import { argumentError } from '../errors.ts';
import type { Phasor } from '../types/api.ts';
import type { NoiseFormat, Report } from './report.ts';
import { type DiagnoseRequest, dumpKindOf, type PositionIdsDump, type RotationDump, type ScoresDump, type TablesDump } from './requests.ts';
import { createRotationCase } from './test-case-rotation.ts';
import { createScoresCase } from './test-case-scores.ts';
import { createTablesCase } from './test-case-tables.ts';

// The test of position ids. Its inputs are the number of tokens, padding, segments, cached tokens and images.
function createIdsCase({ mask, segments, past, start, spec }: PositionIdsDump, { ids }: Report): TestCase {
  if (!ids) throw argumentError('positionIds', 'the ids do not match the tokens; expected one id per token');
  const tokens = ids.claimed[0]?.length ?? 0;
  const optionalInputs = { tokens, mask, segments, past, start, parts: spec };
  return {
    tested: 'position_ids',
    dtype: 'f32',
    inputs: Object.fromEntries(Object.entries(optionalInputs).filter(([, value]) => value !== undefined)) as TestCase['inputs'],
    // Ids of padding are not compared.
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
  /** The expected result; for position ids [axes][tokens], null for padding. */
  readonly expected: CaseTensor | readonly (readonly (number | null)[])[];
  /** Names of the rows (first axis) of the result. */
  readonly rows: readonly string[];
  /** The largest |port - expected| / |expected| that rounding can explain, for each row. */
  readonly tolerances: readonly number[];
}

/** Maximum number of elements per tensor, so that two tensors in base64 are below 60 kB. */
export const MAX_ELEMENTS = 5400;
/** A test's tolerance as a multiple of the noise of the format. Correct dumps are within the noise itself. */
export const TOLERANCE_FACTOR = 4;

/**
 * Generates a test from a dump. If the report names a fault, the dump itself fails the test.
 * @throws {PhasorError} `invalid_argument` without a claim, and for a dump that no test covers
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
      throw argumentError('gguf', 'a config and a GGUF file contain no numbers to test; expected a dump of your implementation');
  }
}
