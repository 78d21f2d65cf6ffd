// Packed texts in attention that is split by queries: each part has the positions and segment ids of its rows.

import { expect, it } from 'vitest';
import { sliceRequest, splitQueries } from '../../web/engine/pool/query-ranges.ts';
import type { AttentionRequest, Tensor } from '../../web/engine/types/api.ts';

const tensor = (shape: number[]): Tensor => ({ shape, data: new Float32Array(shape.reduce((a, b) => a * b)) });
const largeRequest = { q: tensor([4, 600, 32]), k: tensor([4, 600, 32]), v: tensor([4, 600, 32]) };
const alternatingIds = Array.from({ length: 600 }, (_, token) => token % 2);
const request: AttentionRequest = { ...largeRequest, querySegmentIds: alternatingIds, keySegmentIds: alternatingIds };
const splitSizes = (request: AttentionRequest) => splitQueries(request, 4).map(({ begin, end }) => end - begin);

it('sliceRequest numbers the rows of a part within their texts', () => {
  const { querySegmentIds, keySegmentIds, queryPositions, keyPositions } = sliceRequest(request, { begin: 2, end: 5 });
  expect([querySegmentIds, queryPositions]).toEqual([
    [0, 1, 0],
    [1, 1, 2],
  ]);
  expect(keySegmentIds).toBe(alternatingIds);
  expect(keyPositions).toEqual(alternatingIds.map((_, token) => Math.floor(token / 2)));
  // The last query of a text is at its last key.
  const q = tensor([4, 2, 32]);
  expect(sliceRequest({ ...request, q, querySegmentIds: [1, 1] }, { begin: 0, end: 2 }).queryPositions).toEqual([298, 299]);
});

it('sliceRequest keeps positions of the caller', () => {
  const positions = Array.from({ length: 600 }, (_, token) => token);
  const slice = sliceRequest({ ...request, queryPositions: positions, keyPositions: positions }, { begin: 2, end: 5 });
  expect(slice).toMatchObject({ querySegmentIds: [0, 1, 0], queryPositions: [2, 3, 4], keyPositions: positions });
});

it('splitQueries balances the cost of rows, which depends on the length of their text', () => {
  expect(splitSizes(request)).toEqual([150, 150, 150, 150]);
  // 60 rows have 60 keys each; the 540 rows with 540 keys each are nearly all of the cost.
  const ids = alternatingIds.map((_, token) => (token < 60 ? 7 : 3));
  const [first = 0, ...otherSizes] = splitSizes({ ...request, querySegmentIds: ids, keySegmentIds: new Int32Array(ids) });
  expect(first).toBeGreaterThan(Math.max(...otherSizes) + 40);
});

it('splitQueries does not split unsupported or invalid requests', () => {
  for (const fields of [
    { positionOffset: 0 },
    { querySegmentIds: undefined },
    { keySegmentIds: alternatingIds.slice(1) },
    { querySegmentIds: alternatingIds.map((id) => id / 2) },
    { tokenTensors: { log_gates: tensor([4, 600]) } },
  ]) {
    expect(splitSizes({ ...request, ...fields })).toEqual([]);
  }
});
