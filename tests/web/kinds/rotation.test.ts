// A query and a key rotated by their positions.
import { describe, expect, it } from 'vitest';
import { rotationMatrix } from '../../../web/engine/analysis.ts';
import type { Rotation } from '../../../web/figure/compute/rotation.ts';
import { passes } from '../../../web/figure/contract/kind.ts';
import { kind } from '../../../web/figure/kinds/rotation/index.ts';
import { FRAME, figureOf, phasor, refusal, textsOf } from './rotary-figure.ts';

const get = ({ shape, data }: { shape: readonly number[]; data: Float32Array }, row: number, column: number): number =>
  data[row * (shape[1] as number) + column] as number;

/** Rotates a pair by its angle, by the textbook formula. */
function rotate({ query: { beforeRotation: x, angles } }: Rotation, [a, b]: readonly [number, number], index: number, row: number) {
  const angle = get(angles, row, index);
  const [x1, x2] = [x[a] as number, x[b] as number];
  return [x1 * Math.cos(angle) - x2 * Math.sin(angle), x1 * Math.sin(angle) + x2 * Math.cos(angle)] as const;
}

describe('rotation figure', () => {
  it.each([
    ['rope', 'interleaved'],
    ['rope layout=half_split', 'half_split'],
    ['rope layout=half_split rotary_fraction=0.5', 'half_split'],
    ['mrope', 'half_split'],
    ['xpos layout=half_split', 'half_split'],
    ['rope_2d', 'interleaved'],
    ['rope_2d convention=pixtral', 'half_split'],
    ['rope_2d convention=qwen2_vl', 'half_split'],
    ['rope_mixed', 'interleaved'],
  ])('pairs the channels of %s as %s', async (encoding, pairing) => {
    const { results } = await figureOf(kind, { encoding, query: 11 });
    expect(results.pairing).toBe(pairing);
    if (encoding.startsWith('xpos')) return; // also scales
    results.channels.forEach((pair, index) => {
      const [x, y] = rotate(results, pair, index, 0);
      expect(get(results.query.rotated, 0, pair[0])).toBeCloseTo(x, 5);
      expect(get(results.query.rotated, 0, pair[1])).toBeCloseTo(y, 5);
    });
  });

  it('has the cosines and sines of rotationMatrix', async () => {
    const { results } = await figureOf(kind, { encoding: 'rope layout=half_split', query: 6 });
    const matrix = rotationMatrix(phasor, { encoding: { id: 'rope', layout: 'half_split' }, position: 6, dim: 16 });
    for (const [a, b] of results.channels) {
      const { firstAxis, secondAxis } = results.query;
      expect([get(firstAxis, 0, a), get(secondAxis, 0, a), get(firstAxis, 0, b), get(secondAxis, 0, b)]).toEqual([
        get(matrix, a, a),
        get(matrix, a, b),
        get(matrix, b, a),
        get(matrix, b, b),
      ]);
    }
  });

  it('computes scores as dot products that depend on the distance', async () => {
    const { spec, results } = await figureOf(kind, { length: 8 });
    const scores = kind.tables(results, spec).find(({ name }) => name === 'scores')?.tensor as Rotation['scores'];
    expect(scores.shape).toEqual([8, 8]);
    const { query, key } = results;
    const dot = (m: number, n: number): number => {
      let sum = 0;
      for (let c = 0; c < 16; c++) sum += get(query.rotated, m + 1, c) * get(key.rotated, n + 1, c);
      return sum;
    };
    expect(get(scores, 5, 2)).toBeCloseTo(dot(5, 2), 4);
    expect(get(scores, 7, 4)).toBeCloseTo(get(scores, 5, 2), 4);
    expect(get(scores, 2, 5)).not.toBeCloseTo(get(scores, 5, 2), 2);
  });

  it('shows one pair in three forms with equal values', async () => {
    const { spec, results } = await figureOf(kind, { vectors: 'ones', query: 1, pair: 0, dim: 4, show: 'three_ways' });
    const texts = textsOf(kind.scene(results, spec, FRAME).picture.marks);
    expect(texts).toContain('Pair 0: channels 0 and 1, interleaved pairing');
    expect(texts).toContain('q at position 1: rotated by θ = 1.00 rad');
    // (1 + i) (cos 1 + i sin 1), cos 1 = 0.540, sin 1 = 0.841
    expect(texts.join(' ')).toContain('(1.00 + 1.00i) · (0.540 + 0.841i) = (−0.301 + 1.38i)');
    expect(texts.filter((text) => text === '−0.301')).toHaveLength(2);
    expect(texts).toContain('As in code: x ⊙ cos + rotate_every_two(x) ⊙ sin');
    const half = await figureOf(kind, { encoding: 'rope layout=half_split', dim: 4, show: 'three_ways' });
    expect(textsOf(kind.scene(half.results, half.spec, FRAME).picture.marks)).toContain('Pair 1: channels 1 and 3, half-split pairing');
  });

  it('moves through pairs and positions, and finds the mark at a point', async () => {
    const { spec, results } = await figureOf(kind, { show: 'all_pairs' });
    const scene = kind.scene(results, spec, FRAME);
    let cursor = scene.step({}, 1, 0);
    expect(cursor).toEqual({ pair: 0 });
    cursor = scene.step(scene.step(scene.step(cursor, 1, 0), 1, 0), 0, 1);
    expect(cursor).toEqual({ pair: 2, query: 6 });
    expect(kind.readout(results, spec, cursor)).toMatch(
      /^Pair 2 \(channels 4 and 5\): q at position 6 is rotated by 0\.600 rad, k at position 2 by 0\.200 rad\./,
    );
    for (let press = 0; press < 30; press++) cursor = scene.step(cursor, 1, 1);
    expect(cursor).toEqual({ pair: 7, query: 15 });
    const { marks, height } = scene.picture;
    const textAt = (text: string) => marks.find((mark) => mark.kind === 'text' && mark.text === text) as { x: number; y: number };
    const { x, y } = textAt('9');
    expect([scene.hit(x, y - 30), scene.hit(x, y + 30)]).toEqual([{ query: 9 }, { key: 9 }]);
    // A clock is above its contribution to the score.
    const last = textAt('0.02°/step');
    expect(scene.hit(last.x, last.y - 60)).toEqual({ pair: 7 });
    expect([scene.hit(2, 2), scene.hit(2, height - 2)]).toEqual([undefined, undefined]);
  });

  it('reports an equal score if both positions move, and a change if one does', async () => {
    const draw = async (fields: { query: number; key: number }) => {
      const { spec, results } = await figureOf(kind, { from: '8 5', ...fields });
      const { marks, description } = kind.scene(results, spec, FRAME).picture;
      return { texts: textsOf(marks), dashed: marks.filter((mark) => 'dashed' in mark && mark.dashed).length, description };
    };
    const resting = await draw({ query: 8, key: 5 });
    const pair = await draw({ query: 11, key: 8 });
    const scene = await draw({ query: 11, key: 5 });
    // Only the line from the curve to its distance is dashed.
    expect([resting.dashed, pair.dashed, scene.dashed]).toEqual([1, 6, 5]);
    expect(resting.texts).toEqual(expect.arrayContaining(['1.07', '52°', '3 positions and 52° apart', 'distance −3']));
    expect(pair.texts).toEqual(expect.arrayContaining(['1.07', '52°', '=', 'Same score. Both rotated by 54°.', 'distance −3']));
    expect(pair.description).toMatch(/ their hands are 52° apart, and the score is 1\.07\. Same score\. Both rotated by 54°\.$/);
    expect(scene.texts).toEqual(expect.arrayContaining(['−0.50', '107°', '≠', 'Before: 1.07.', 'distance −6']));
  });

  it('has scores of every distance, every pair and fractional positions', async () => {
    const { results } = await figureOf(kind);
    const { curve, currentState, query, key, channels } = results;
    expect([curve.xValues[0], curve.xValues.at(-1), curve.xValues.includes(-3.125)]).toEqual([-15, 15, true]);
    const count = curve.xValues.length;
    channels.forEach(([a, b], pair) => {
      const score = get(query.rotated, 6, a) * get(key.rotated, 3, a) + get(query.rotated, 6, b) * get(key.rotated, 3, b);
      expect(currentState.scores[pair]).toBeCloseTo(score, 5);
      expect(curve.scores.data[pair * count + curve.xValues.indexOf(-3)]).toBeCloseTo(score, 5);
    });
    expect(currentState.totalScore).toBeCloseTo(get(results.scores, 0, 0), 5);
    // Animations use values of the core, not interpolated ones.
    const way = await results.stateAtPositions(6.3, 3.3);
    expect(way.angles.query[1]).toBeCloseTo(6.3 * (results.anglePerPosition?.[1] ?? 0), 5);
    expect(way.scores[1]).toBeCloseTo(currentState.scores[1] ?? 0, 5);
    expect(way.rotated.query[2]).not.toBeCloseTo(currentState.rotated.query[2] ?? 0, 2);
  });

  it('starts with two long vectors that rotate by 18° per position', async () => {
    const { spec, results } = await figureOf(kind);
    expect((results.anglePerPosition?.[spec.pair] ?? 0) * (180 / Math.PI)).toBeCloseTo(18.1, 1);
    const [a, b] = results.channels[spec.pair] as readonly [number, number];
    for (const { beforeRotation: x } of [results.query, results.key])
      expect(Math.hypot(x[a] as number, x[b] as number)).toBeGreaterThan(0.9 * (results.maxLengths[spec.pair] as number));
  });

  it('has no curve by distance if scores depend on both positions', async () => {
    const { spec, results } = await figureOf(kind, { encoding: 'rope_2d', from: '8 5', query: 11, key: 8, show: 'all_pairs' });
    expect([results.curve.isByDistance, results.curve.isContinuous, results.anglePerPosition]).toEqual([false, false, undefined]);
    const texts = textsOf(kind.scene(results, spec, FRAME).picture.marks);
    expect(texts).toContain('score with k at 8 and q at every position');
    expect(texts).toContain('≠');
    expect(texts.filter((text) => text.includes('/step'))).toEqual([]);
  });

  it('shows positions that are distant or far apart', async () => {
    const textsFor = async (input: { query: number; key: number }) => {
      const { spec, results } = await figureOf(kind, input);
      return textsOf(kind.scene(results, spec, { ...FRAME, width: 960 }).picture.marks);
    };
    expect(await textsFor({ query: 100008, key: 100005 })).toEqual(expect.arrayContaining(['100008', '99999', '1.07', '3 apart']));
    expect(await textsFor({ query: 1000, key: 2 })).toEqual(expect.arrayContaining(['1000', '0', '998 apart', 'distance −998']));
  });

  it('draws no text smaller than 13 px', async () => {
    const { spec, results } = await figureOf(kind, { show: 'three_ways', from: '8 5' });
    for (const width of [330, 560, 960]) {
      const { marks } = kind.scene(results, spec, { ...FRAME, width }).picture;
      for (const mark of marks) if (mark.kind === 'text') expect(mark.size ?? 0, mark.text).toBeGreaterThanOrEqual(13);
    }
  });

  it('fits the maximum height', async () => {
    const { spec, results } = await figureOf(kind, { from: '8 5' });
    for (const [width, maxHeight] of [
      [960, 440],
      [930, 308],
      [780, 255],
      [358, 384],
      [320, 300],
    ] as const)
      expect(kind.scene(results, spec, { ...FRAME, width, maxHeight }).picture.height, `${width}`).toBeLessThanOrEqual(maxHeight);
  });

  it('ignores a cursor from a longer figure', async () => {
    const { spec, results } = await figureOf(kind, { dim: 4, length: 4 });
    const cursor = { pair: 40, query: 90, key: 90 };
    expect(kind.readout(results, spec, cursor)).toContain('q at position 5');
  });

  it.each([
    ['rope', true, /^The score depends only/],
    ['rope scaling=yarn layout=half_split', true, /^The score depends only/],
    ['mrope', true, /^The score depends only/],
    ['xpos', true, /^The score depends only/],
    ['rope_2d', false, /row by row/],
    ['rope_mixed', false, /row by row/],
    ['rope scaling=longrope start_tokens=4 original_length=8 sequence_length=64', false, /^The first 4 tokens/],
  ])('proves whether the scores of %s depend only on the distance', async (encoding, good, meaning) => {
    const { spec, results } = await figureOf(kind, { encoding });
    const proof = kind.proof(results, spec);
    expect(passes(proof), `${proof.residual} of ${proof.tolerance}`).toBe(good);
    expect(proof.conclusion).toMatch(meaning);
  });

  it.each([
    [{ dim: 3 }, /^dim: 3 is odd/],
    [{ dim: 1 }, /^dim: 1 is odd/],
    [{ dim: Number.NaN }, /^dim: NaN is not a number$/],
    [{ query: 'here' }, /^query: “here” is not a number$/],
    [{ encoding: 'rope_2d', dim: 6 }, /^dim: 6 is not a multiple of 4/],
    [{ encoding: 'xpos', query: 1e6 }, /^positions\[0\]: 1000000 is too far from the centre/],
    [{ encoding: '🙂' }, /^encoding: “🙂” is not an encoding/],
    [{ encoding: 'alibi' }, /alibi/],
    [{ from: '5' }, /^from: “5” is not a pair of positions|^from: is not a pair of positions/],
  ])('rejects %j with one sentence', async (fields, sentence) => {
    expect(await refusal(kind as never, fields)).toMatch(sentence);
  });
});
