// The test of position ids, from their inputs: tokens, padding, texts, cached tokens, images.

import { argumentError } from '../errors.ts';
import type { Report } from './report.ts';
import type { PositionIdsDump } from './requests.ts';
import type { TestCase } from './test-case.ts';

export function idsCase({ mask, segments, past, start, spec }: PositionIdsDump, { ids }: Report): TestCase {
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
