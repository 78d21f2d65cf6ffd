// Diagnoses position ids of padded, packed or cached sequences, and of sequences that contain images.

import { argumentError } from '../errors.ts';
import { createDiagnosis, type Diagnosis, withoutExplanation } from './report.ts';
import type { PositionIdsDump } from './requests.ts';

/** A run of text tokens, or an image, in a sequence. */
export type Part =
  | {
      /** Number of tokens. */
      readonly text: number;
    }
  | {
      /** Number of patches in time, rows and columns. */
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
    const claimed = computePartIds(spec, start + past, 'largest');
    const diagnosis = diagnoseParts(ids, spec, start + past, claimed);
    return diagnosis.reason === 'shapes_differ' ? diagnosis : { ...diagnosis, ids: { claimed, dumped: ids } };
  }
  if ((mask && mask.length !== tokens) || (segments && segments.length !== tokens))
    return withoutExplanation('cannot_tell', 'shapes_differ');
  if (tokens < 2 && past === 0) return withoutExplanation('cannot_tell', 'one_token');
  if (ids.some((axis) => String(axis) !== String(ids[0]))) return withoutExplanation('cannot_tell', 'needs_parts');
  if (mask && tokens > 0 && !mask.some(Boolean)) return withoutExplanation('cannot_tell', 'no_tokens');
  const expected = computeIds(tokens, { mask, segments, start: start + past });
  return { ...diagnoseText(dump, ids[0] as readonly number[], expected), ids: { claimed: [expected], dumped: ids.slice(0, 1) } };
}

function diagnoseText(
  { mask, segments, past = 0, start = 0 }: PositionIdsDump,
  dumpedIds: readonly number[],
  expected: readonly number[],
): Diagnosis {
  const isRealToken = (token: number) => mask === undefined || Boolean(mask[token]);
  const realTokens = dumpedIds.map((_, token) => token).filter(isRealToken);
  const at = (list: readonly number[], token: number) => list[token] as number;
  const offset = (token: number) => at(dumpedIds, token) - at(expected, token);
  const differingToken = realTokens.find((token) => offset(token) !== 0);
  if (differingToken === undefined) return createDiagnosis('as_claimed');
  const details = { first: { token: differingToken } };
  const holdsForLaterTokens = (test: (token: number) => boolean) => realTokens.filter((token) => token >= differingToken).every(test);
  const firstOffset = offset(differingToken);
  const isConstantOffset = holdsForLaterTokens((token) => offset(token) === firstOffset);
  const padding = mask ? mask.indexOf(1) : 0;
  if (isConstantOffset && differingToken === realTokens[0]) {
    if (padding > 0 && firstOffset === padding) return createDiagnosis('padding_counted', { offset: firstOffset }, details);
    if (past > 0 && firstOffset === -past) return createDiagnosis('cache_ignored', { offset: firstOffset, past }, details);
    return createDiagnosis('position_offset', { offset: firstOffset }, details);
  }
  if (realTokens.every((token) => at(dumpedIds, token) === at(dumpedIds, realTokens[0] as number)))
    return createDiagnosis('positions_constant', { position: at(dumpedIds, differingToken) }, details);
  const isSegmentStart = segments !== undefined && differingToken > 0 && segments[differingToken] !== segments[differingToken - 1];
  if (isSegmentStart && at(dumpedIds, differingToken) === at(dumpedIds, differingToken - 1) + 1)
    return createDiagnosis('positions_not_reset', { at: differingToken }, details);
  if (
    at(dumpedIds, differingToken) === start &&
    holdsForLaterTokens((token) => token === differingToken || at(dumpedIds, token) >= start) &&
    isConstantOffset
  )
    return createDiagnosis('positions_restart', { at: differingToken }, details);
  if (isConstantOffset) return createDiagnosis('positions_jump', { at: differingToken, by: firstOffset }, details);
  if (holdsForLaterTokens((token) => at(dumpedIds, token) === at(dumpedIds, differingToken)))
    return createDiagnosis(
      'positions_stuck',
      {
        at: at(dumpedIds, differingToken - 1) === at(dumpedIds, differingToken) ? differingToken - 1 : differingToken,
        position: at(dumpedIds, differingToken),
      },
      details,
    );
  return withoutExplanation('not_explained', 'frequencies_unknown', details);
}

/** Computes the expected ids. They count up from `start` in each segment and skip padding. */
function computeIds(tokens: number, { mask, segments, start }: Pick<PositionIdsDump, 'mask' | 'segments'> & { start: number }): number[] {
  let nextId = start;
  return Array.from({ length: tokens }, (_, token) => {
    if (segments && token > 0 && segments[token] !== segments[token - 1]) nextId = start;
    return mask && !mask[token] ? start : nextId++;
  });
}

/** Diagnoses ids of time, row and column. Each text or image is expected to start at the largest previous id plus one. */
function diagnoseParts(
  ids: readonly (readonly number[])[],
  spec: readonly Part[],
  start: number,
  expectedByAxis: readonly (readonly number[])[],
): Diagnosis {
  const tokens = expectedByAxis[0]?.length ?? 0;
  if (ids.length !== 3 || ids.some((axis) => axis.length !== tokens)) return withoutExplanation('cannot_tell', 'shapes_differ');
  const difference = findFirstDifference(ids, expectedByAxis);
  if (!difference) return createDiagnosis('as_claimed');
  const matchesIds = (expected: readonly (readonly number[])[]) => !findFirstDifference(ids, expected);
  if (matchesIds(computePartIds(spec, start, 'count'))) return createDiagnosis('text_after_image_by_count', {}, { first: difference });
  const [time = [], row = [], column = []] = expectedByAxis;
  if (matchesIds([time, column, row])) return createDiagnosis('axes_swapped', { order: [0, 2, 1] }, { first: difference });
  const tokenIndices = Array.from({ length: tokens }, (_, token) => start + token);
  if (matchesIds([tokenIndices, tokenIndices, tokenIndices])) return createDiagnosis('axes_ignored', {}, { first: difference });
  const firstOffset =
    (ids[difference.axis]?.[difference.token] as number) - (expectedByAxis[difference.axis]?.[difference.token] as number);
  if (matchesIds(expectedByAxis.map((axis) => axis.map((id) => id + firstOffset))))
    return createDiagnosis('position_offset', { offset: firstOffset }, { first: difference });
  return withoutExplanation('not_explained', 'frequencies_unknown', { first: difference });
}

function findFirstDifference(ids: readonly (readonly number[])[], expected: readonly (readonly number[])[]) {
  const tokens = ids[0]?.length ?? 0;
  for (let token = 0; token < tokens; token++)
    for (let axis = 0; axis < 3; axis++) if (ids[axis]?.[token] !== expected[axis]?.[token]) return { token, axis };
  return undefined;
}

function computePartIds(spec: readonly Part[], start: number, continuation: 'largest' | 'count'): number[][] {
  const [time, row, column]: [number[], number[], number[]] = [[], [], []];
  let nextId = start;
  for (const part of spec) {
    if ('text' in part) {
      for (let token = 0; token < part.text; token++, nextId++) for (const axis of [time, row, column]) axis.push(nextId);
      continue;
    }
    const [frames, rows, columns] = part.image;
    for (let t = 0; t < frames; t++)
      for (let y = 0; y < rows; y++)
        for (let x = 0; x < columns; x++) {
          time.push(nextId + t);
          row.push(nextId + y);
          column.push(nextId + x);
        }
    nextId += continuation === 'count' ? frames * rows * columns : Math.max(frames, rows, columns);
  }
  return [time, row, column];
}
