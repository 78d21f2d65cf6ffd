// A query and a key rotated by their positions, from the real core.
import { describe, expect, it } from 'vitest';
import { holds } from '../../../web/figure/contract/kind.ts';
import { kind } from '../../../web/figure/kinds/rotation/index.ts';
import type { Rotation } from '../../../web/figure/numbers/rotation-numbers.ts';
import { FRAME, figureOf, phasor, refusal, textsOf } from './rotary-figure.ts';

const at = ({ shape, data }: { shape: readonly number[]; data: Float32Array }, row: number, column: number): number =>
  data[row * (shape[1] as number) + column] as number;

/** The pair after it is rotated by its angle, as school has it. */
function byHand({ query: { own, angles } }: Rotation, pair: readonly [number, number], index: number, row: number): [number, number] {
  const angle = at(angles, row, index);
  const [x, y] = [own[pair[0]] as number, own[pair[1]] as number];
  return [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];
}

describe('rotation', () => {
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
  ])('pairs the channels of %s: %s', async (encoding, pairing) => {
    const { numbers } = await figureOf(kind, { encoding, query: 11 });
    expect(numbers.pairing).toBe(pairing);
    if (encoding.startsWith('xpos')) return; // grows too
    numbers.channels.forEach((pair, index) => {
      const [x, y] = byHand(numbers, pair, index, 0);
      expect(at(numbers.query.rotated, 0, pair[0])).toBeCloseTo(x, 5);
      expect(at(numbers.query.rotated, 0, pair[1])).toBeCloseTo(y, 5);
    });
  });

  it('has the cosines and sines of the matrix of the core', async () => {
    const { numbers } = await figureOf(kind, { encoding: 'rope layout=half_split', query: 6 });
    const matrix = phasor.rotationMatrix({ encoding: { id: 'rope', layout: 'half_split' }, position: 6, width: 16 });
    for (const [a, b] of numbers.channels) {
      const { first, second } = numbers.query;
      expect([at(first, 0, a), at(second, 0, a), at(first, 0, b), at(second, 0, b)]).toEqual([
        at(matrix, a, a),
        at(matrix, a, b),
        at(matrix, b, a),
        at(matrix, b, b),
      ]);
    }
  });

  it('has scores that are dot products and depend on the distance', async () => {
    const { spec, numbers } = await figureOf(kind, { length: 8 });
    const scores = kind.tables(numbers, spec).find(({ name }) => name === 'scores')?.tensor as Rotation['scores'];
    expect(scores.shape).toEqual([8, 8]);
    const { query, key } = numbers;
    const dot = (m: number, n: number): number => {
      let sum = 0;
      for (let channel = 0; channel < 16; channel++) sum += at(query.rotated, m + 1, channel) * at(key.rotated, n + 1, channel);
      return sum;
    };
    expect(at(scores, 5, 2)).toBeCloseTo(dot(5, 2), 4);
    expect(at(scores, 7, 4)).toBeCloseTo(at(scores, 5, 2), 4);
    expect(at(scores, 2, 5)).not.toBeCloseTo(at(scores, 5, 2), 2);
  });

  it('shows one pair in three forms with the same digits', async () => {
    const { spec, numbers } = await figureOf(kind, { encoding: 'rope', vectors: 'ones', query: 1, pair: 0, width: 4 });
    const texts = textsOf(kind.scene(numbers, spec, FRAME).picture.marks);
    expect(texts).toContain('Pair 0: channels 0 and 1, neighbours');
    expect(texts).toContain('q at position 1: rotated by θ = 1.00 rad');
    // (1 + i) (cos 1 + i sin 1), cos 1 = 0.540, sin 1 = 0.841
    expect(texts.join(' ')).toContain('(1.00 + 1.00i) · (0.540 + 0.841i) = (−0.301 + 1.38i)');
    expect(texts.filter((text) => text === '−0.301')).toHaveLength(2);
    expect(texts).toContain('As programs do it: x ⊙ cos + rotate_every_two(x) ⊙ sin');
    const half = await figureOf(kind, { encoding: 'rope layout=half_split', width: 4 });
    expect(textsOf(kind.scene(half.numbers, half.spec, FRAME).picture.marks)).toContain('Pair 1: channels 1 and 3, one from each half');
  });

  it('walks through pairs and positions, and shows the cursor over an unchanged picture', async () => {
    const { spec, numbers } = await figureOf(kind);
    const scene = kind.scene(numbers, spec, FRAME);
    expect(scene.overlay({})).toEqual([]);
    expect(scene.overlay({ channel: 3 })).toEqual([]);
    let cursor = scene.step({}, 1, 0);
    expect(cursor).toEqual({ pair: 0 });
    cursor = scene.step(scene.step(scene.step(cursor, 1, 0), 1, 0), 0, 1);
    expect(cursor).toEqual({ pair: 2, query: 6 });
    expect(textsOf(scene.overlay(cursor))).toContain('q at position 6: rotated by 6θ = 0.600 rad');
    expect(kind.readout(numbers, spec, cursor)).toMatch(
      /^Pair 2 \(channels 4 and 5\): q at position 6 is rotated by 0\.600 rad, k at position 2 by 0\.200 rad\./,
    );
    for (let press = 0; press < 30; press++) cursor = scene.step(cursor, 1, 1);
    expect(cursor).toEqual({ pair: 7, query: 15 });
    // A cell of the grid is told by its outline.
    const cell = scene.overlay(cursor).at(-1) as { x: number; y: number; width: number; height: number };
    expect(scene.hit(cell.x + cell.width / 2, cell.y + cell.height / 2)).toMatchObject({ pair: 7 });
    const place = scene.picture.marks.find((mark) => mark.kind === 'text' && mark.text === '9') as { x: number; y: number };
    expect(scene.hit(place.x, place.y)).toMatchObject({ query: 9 });
    expect(scene.hit(2, 2)).toBeUndefined();
  });

  it('ignores a cursor from a longer figure', async () => {
    const { spec, numbers } = await figureOf(kind, { width: 4, length: 4 });
    const cursor = { pair: 40, query: 90, key: 90 };
    expect(kind.scene(numbers, spec, FRAME).overlay(cursor)).toEqual([]);
    expect(kind.readout(numbers, spec, cursor)).toContain('q at position 5');
  });

  it.each([
    ['rope', true, /^The score depends only/],
    ['rope scaling=yarn layout=half_split', true, /^The score depends only/],
    ['mrope', true, /^The score depends only/],
    ['xpos', true, /^The score depends only/],
    ['rope_2d', false, /row by row/],
    ['rope_mixed', false, /row by row/],
    ['rope scaling=longrope start_tokens=4 original_length=8 sequence_length=64', false, /^The first 4 tokens/],
  ])('proves for %s whether only the distance counts', async (encoding, good, meaning) => {
    const { spec, numbers } = await figureOf(kind, { encoding });
    const proof = kind.proof(numbers, spec);
    expect(holds(proof), `${proof.residual} of ${proof.tolerance}`).toBe(good);
    expect(proof.meaning).toMatch(meaning);
  });

  it('proves it far away', async () => {
    const { spec, numbers } = await figureOf(kind, { query: 1e6, key: -1e6 + 0.5 });
    expect(holds(kind.proof(numbers, spec))).toBe(true);
    expect(kind.readout(numbers, spec, {})).toContain('k at position −999999.5 ');
  });

  it('says when an arc leaves out turns', async () => {
    const { spec, numbers } = await figureOf(kind, { query: 13, key: 12, pair: 0 });
    const texts = textsOf(kind.scene(numbers, spec, FRAME).picture.marks);
    expect(texts).toContain('q at position 13: rotated by 13θ = 13.0 rad (arc shortened by whole rotations)');
    expect(texts).toContain('k at position 12: rotated by 12θ = 12.0 rad');
  });

  it('says when vectors also change their length', async () => {
    const gain = await figureOf(kind, { encoding: 'rope scaling=yarn' });
    expect(gain.numbers.isScaled).toBe(true);
    expect(textsOf(kind.scene(gain.numbers, gain.spec, FRAME).picture.marks)).toContain('As a matrix: a rotation, times a gain');
    expect((await figureOf(kind)).numbers.isScaled).toBe(false);
  });

  it('draws no number that is none', async () => {
    for (const given of [{ width: 2 }, { encoding: 'rope kept_fraction=0' }, { length: 1 }, { width: 256, query: 1e6 }]) {
      const { spec, numbers } = await figureOf(kind, given);
      for (const width of [60, 360, 1200])
        expect(JSON.stringify(kind.scene(numbers, spec, { ...FRAME, width }).picture)).not.toMatch(/NaN|Infinity|null|not a number/);
    }
  });

  it.each([
    [{ width: 3 }, /^width: 3 is odd/],
    [{ width: 1 }, /^width: 1 is odd/],
    [{ width: Number.NaN }, /^width: NaN is not a number$/],
    [{ query: 'here' }, /^query: “here” is not a number$/],
    [{ encoding: 'rope_2d', width: 6 }, /^width: 6 is not a multiple of 4/],
    [{ encoding: 'xpos', query: 1e6 }, /^positions\[0\]: 1000000 is too far from the centre/],
    [{ encoding: '🙂' }, /^encoding: “🙂” is not the id/],
    [{ encoding: 'alibi' }, /alibi/],
  ])('refuses %j in one sentence', async (given, sentence) => {
    expect(await refusal(kind as never, given)).toMatch(sentence);
  });
});
