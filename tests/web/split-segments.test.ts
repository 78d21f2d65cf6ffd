// Packed texts in attention that is split by queries: each part has the positions and segment ids of its rows.

import { expect, it } from 'vitest';
import { sliceRequest, splitQueries } from '../../web/engine/pool/query-ranges.ts';
import type { AttentionRequest, Tensor } from '../../web/engine/types/api.ts';

const tensor = (shape: number[]): Tensor => ({ shape, data: new Float32Array(shape.reduce((a, b) => a * b)) });
const large = { q: tensor([4, 600, 32]), k: tensor([4, 600, 32]), v: tensor([4, 600, 32]) };
const turns = Array.from({ length: 600 }, (_, token) => token % 2);
const request: AttentionRequest = { ...large, querySegmentIds: turns, keySegmentIds: turns };
const sizes = (of: AttentionRequest) => splitQueries(of, 4).map(({ begin, end }) => end - begin);

it('sliceRequest numbers the rows of a part within their texts', () => {
  const { querySegmentIds, keySegmentIds, queryPositions, keyPositions } = sliceRequest(request, { begin: 2, end: 5 });
  expect([querySegmentIds, queryPositions]).toEqual([
    [0, 1, 0],
    [1, 1, 2],
  ]);
  expect(keySegmentIds).toBe(turns);
  expect(keyPositions).toEqual(turns.map((_, token) => Math.floor(token / 2)));
  // The last query of a text is at its last key.
  const q = tensor([4, 2, 32]);
  expect(sliceRequest({ ...request, q, querySegmentIds: [1, 1] }, { begin: 0, end: 2 }).queryPositions).toEqual([298, 299]);
});

it('sliceRequest keeps positions of the caller', () => {
  const usual = Array.from({ length: 600 }, (_, token) => token);
  const part = sliceRequest({ ...request, queryPositions: usual, keyPositions: usual }, { begin: 2, end: 5 });
  expect(part).toMatchObject({ querySegmentIds: [0, 1, 0], queryPositions: [2, 3, 4], keyPositions: usual });
});

it('splitQueries balances the cost of rows, which depends on the length of their text', () => {
  expect(sizes(request)).toEqual([150, 150, 150, 150]);
  // 60 rows have 60 keys each; the 540 rows with 540 keys each are nearly all of the cost.
  const ids = turns.map((_, token) => (token < 60 ? 7 : 3));
  const [first = 0, ...others] = sizes({ ...request, querySegmentIds: ids, keySegmentIds: new Int32Array(ids) });
  expect(first).toBeGreaterThan(Math.max(...others) + 40);
});

it('splitQueries does not split unsupported or invalid requests', () => {
  for (const fields of [
    { positionOffset: 0 },
    { querySegmentIds: undefined },
    { keySegmentIds: turns.slice(1) },
    { querySegmentIds: turns.map((id) => id / 2) },
    { tokenTensors: { log_gates: tensor([4, 600]) } },
  ]) {
    expect(sizes({ ...request, ...fields })).toEqual([]);
  }
});
