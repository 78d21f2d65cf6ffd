// Diagnoses position ids of padded, packed or cached texts, and of texts with images.

import { argumentError } from '../errors.ts';
import { type Diagnosis, finding, withoutExplanation } from './report.ts';
import type { PositionIdsDump } from './requests.ts';

/** A text or an image in a sequence of tokens. */
export type Part =
  | {
      /** Number of tokens. */
      readonly text: number;
    }
  | {
      /** Number of patches along time, rows and columns. */
      readonly image: readonly [number, number, number];
    };

export function diagnosePositionIds(dump: PositionIdsDump): Diagnosis {
  const { positionIds, mask, segments, past = 0, start = 0, spec } = dump;
  const ids = (Array.isArray(positionIds[0]) ? positionIds : [positionIds]) as readonly (readonly number[])[];
  const tokens = ids[0]?.length ?? 0;
  if (ids.some((axis) => axis.length !== tokens))
    throw argumentError(
      'positionIds',
      `have axes of ${ids.map((axis) => axis.length).join(', ')} ids; expected one id per token on each axis`,
    );
  if (ids.some((axis) => axis.some((id) => !Number.isFinite(id)))) return withoutExplanation('not_explained', 'not_finite');
  if (spec) {
    const claimed = idsOfParts(spec, start + past, 'largest');
    const diagnosis = diagnoseParts(ids, spec, start + past, claimed);
    return diagnosis.reason === 'shapes_differ' ? diagnosis : { ...diagnosis, ids: { claimed, dumped: ids } };
  }
  if ((mask && mask.length !== tokens) || (segments && segments.length !== tokens))
    return withoutExplanation('cannot_tell', 'shapes_differ');
  if (tokens < 2 && past === 0) return withoutExplanation('cannot_tell', 'one_token');
  if (ids.some((axis) => String(axis) !== String(ids[0]))) return withoutExplanation('cannot_tell', 'needs_parts');
  if (mask && tokens > 0 && !mask.some(Boolean)) return withoutExplanation('cannot_tell', 'no_tokens');
  const expected = expectedIds(tokens, { mask, segments, start: start + past });
  return { ...diagnoseText(dump, ids[0] as readonly number[], expected), ids: { claimed: [expected], dumped: ids.slice(0, 1) } };
}

/** Diagnoses the ids of texts, which have one axis. */
function diagnoseText(
  { mask, segments, past = 0, start = 0 }: PositionIdsDump,
  dumpedIds: readonly number[],
  expected: readonly number[],
): Diagnosis {
  const isCounted = (token: number) => mask === undefined || Boolean(mask[token]);
  const realTokens = dumpedIds.map((_, token) => token).filter(isCounted);
  const at = (list: readonly number[], token: number) => list[token] as number;
  const offset = (token: number) => at(dumpedIds, token) - at(expected, token);
  const first = realTokens.find((token) => offset(token) !== 0);
  if (first === undefined) return finding('as_claimed');
  const details = { first: { token: first } };
  const isEverywhere = (test: (token: number) => boolean) => realTokens.filter((token) => token >= first).every(test);
  const by = offset(first);
  const isConstantOffset = isEverywhere((token) => offset(token) === by);
  const padding = mask ? mask.indexOf(1) : 0;
  if (isConstantOffset && first === realTokens[0]) {
    if (padding > 0 && by === padding) return finding('padding_counted', { offset: by }, details);
    if (past > 0 && by === -past) return finding('cache_ignored', { offset: by, past }, details);
    return finding('position_offset', { offset: by }, details);
  }
  if (realTokens.every((token) => at(dumpedIds, token) === at(dumpedIds, realTokens[0] as number)))
    return finding('positions_constant', { position: at(dumpedIds, first) }, details);
  const isSegmentStart = segments !== undefined && first > 0 && segments[first] !== segments[first - 1];
  if (isSegmentStart && at(dumpedIds, first) === at(dumpedIds, first - 1) + 1)
    return finding('positions_not_reset', { at: first }, details);
  if (at(dumpedIds, first) === start && isEverywhere((token) => token === first || at(dumpedIds, token) >= start) && isConstantOffset)
    return finding('positions_restart', { at: first }, details);
  if (isConstantOffset) return finding('positions_jump', { at: first, by }, details);
  if (isEverywhere((token) => at(dumpedIds, token) === at(dumpedIds, first)))
    return finding(
      'positions_stuck',
      { at: at(dumpedIds, first - 1) === at(dumpedIds, first) ? first - 1 : first, position: at(dumpedIds, first) },
      details,
    );
  return withoutExplanation('not_explained', 'frequencies_unknown', details);
}

/** The correct ids: they count the tokens of each text, without padding. */
function expectedIds(tokens: number, { mask, segments, start }: Pick<PositionIdsDump, 'mask' | 'segments'> & { start: number }): number[] {
  let next = start;
  return Array.from({ length: tokens }, (_, token) => {
    if (segments && token > 0 && segments[token] !== segments[token - 1]) next = start;
    return mask && !mask[token] ? start : next++;
  });
}

/** Diagnoses the ids of texts and images. The ids of each part start at the largest previous id plus one. */
function diagnoseParts(
  ids: readonly (readonly number[])[],
  spec: readonly Part[],
  start: number,
  expectedByAxis: readonly (readonly number[])[],
): Diagnosis {
  const tokens = expectedByAxis[0]?.length ?? 0;
  if (ids.length !== 3 || ids.some((axis) => axis.length !== tokens)) return withoutExplanation('cannot_tell', 'shapes_differ');
  const first = firstOf(ids, expectedByAxis);
  if (!first) return finding('as_claimed');
  const matches = (expected: readonly (readonly number[])[]) => !firstOf(ids, expected);
  if (matches(idsOfParts(spec, start, 'count'))) return finding('text_after_image_by_count', {}, { first });
  const [time = [], row = [], column = []] = expectedByAxis;
  if (matches([time, column, row])) return finding('axes_swapped', { order: [0, 2, 1] }, { first });
  const index = Array.from({ length: tokens }, (_, token) => start + token);
  if (matches([index, index, index])) return finding('axes_ignored', {}, { first });
  const by = (ids[first.axis]?.[first.token] as number) - (expectedByAxis[first.axis]?.[first.token] as number);
  if (matches(expectedByAxis.map((axis) => axis.map((id) => id + by)))) return finding('position_offset', { offset: by }, { first });
  return withoutExplanation('not_explained', 'frequencies_unknown', { first });
}

function firstOf(ids: readonly (readonly number[])[], expected: readonly (readonly number[])[]) {
  const tokens = ids[0]?.length ?? 0;
  for (let token = 0; token < tokens; token++)
    for (let axis = 0; axis < 3; axis++) if (ids[axis]?.[token] !== expected[axis]?.[token]) return { token, axis };
  return undefined;
}

function idsOfParts(spec: readonly Part[], start: number, continuation: 'largest' | 'count'): number[][] {
  const [time, row, column]: [number[], number[], number[]] = [[], [], []];
  let next = start;
  for (const part of spec) {
    if ('text' in part) {
      for (let token = 0; token < part.text; token++, next++) for (const axis of [time, row, column]) axis.push(next);
      continue;
    }
    const [frames, rows, columns] = part.image;
    for (let t = 0; t < frames; t++)
      for (let y = 0; y < rows; y++)
        for (let x = 0; x < columns; x++) {
          time.push(next + t);
          row.push(next + y);
          column.push(next + x);
        }
    next += continuation === 'count' ? frames * rows * columns : Math.max(frames, rows, columns);
  }
  return [time, row, column];
}
