// A test of a port: the arguments of one of its functions, and the result of the claim.

import { argumentError } from '../errors.ts';
import type { Phasor } from '../types/api.ts';
import type { NoiseFormat, Report } from './report.ts';
import { type DiagnoseRequest, kindOf, type PositionIdsDump, type RotationDump, type ScoresDump, type TablesDump } from './requests.ts';
import { rotationCase } from './test-case-rotation.ts';
import { scoresCase } from './test-case-scores.ts';
import { tablesCase } from './test-case-tables.ts';

// The test of position ids, from their inputs: tokens, padding, texts, cached tokens, images.
function idsCase({ mask, segments, past, start, spec }: PositionIdsDump, { ids }: Report): TestCase {
  if (!ids) throw argumentError('positionIds', 'their shape is not that of the tokens; expected one id for each');
  const tokens = ids.claimed[0]?.length ?? 0;
  const provided = { tokens, mask, segments, past, start, parts: spec };
  return {
    tested: 'position_ids',
    dtype: 'f32',
    inputs: Object.fromEntries(Object.entries(provided).filter(([, value]) => value !== undefined)) as TestCase['inputs'],
    // Ids of padding are arbitrary.
    expected: ids.claimed.map((axis) => axis.map((id, token) => (mask && !mask[token] ? null : id))),
    rows: ids.claimed.length === 1 ? ['ids'] : ['time', 'row', 'column'],
    tolerances: ids.claimed.map(() => 0),
  };
}

/** Numbers of a test with their shape. */
export interface CaseTensor {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** The kind of function of the port. */
export type TestedFunction = 'rotation' | 'inv_freq' | 'cos_sin' | 'cos_sin_cache' | 'scores' | 'weights' | 'position_ids';

export interface TestCase {
  readonly tested: TestedFunction;
  readonly dtype: NoiseFormat;
  /** The arguments of the function by name, in order. */
  readonly inputs: { readonly [name: string]: CaseTensor | readonly unknown[] | number };
  /** The expected result; for position ids [axes][tokens], null for padding. */
  readonly expected: CaseTensor | readonly (readonly (number | null)[])[];
  /** Names of the rows of the result, its first axis. */
  readonly rows: readonly string[];
  /** By row: the largest |port - expected| / |expected| that rounding can explain. */
  readonly tolerances: readonly number[];
}

/** Maximum number of elements of a tensor: two tensors in base64 are below 60 kB. */
export const MOST_NUMBERS = 5400;
/** The tolerance relative to the noise of a format, which correct dumps keep below one. */
export const TOLERATED = 4;

/**
 * The test generated from a dump. It fails for the dump itself if the report names a fault.
 * @throws {PhasorError} `invalid_argument` without a claim, and for a dump for which there is no test
 */
export function testCaseOf(phasor: Phasor, request: DiagnoseRequest, report: Report): TestCase {
  switch (kindOf(request)) {
    case 'rotation':
    case 'two':
      return rotationCase(phasor, request as RotationDump, report);
    case 'tables':
      return tablesCase(phasor, request as TablesDump, report);
    case 'scores':
      return scoresCase(phasor, request as ScoresDump, report);
    case 'positionIds':
      return idsCase(request as PositionIdsDump, report);
    default:
      throw argumentError('gguf', 'a config and a GGUF have no numbers to test; expected a dump of the port');
  }
}
