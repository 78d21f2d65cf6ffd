// The hints of the Lab, checked against the results of the figures.
import { describe, expect, it } from 'vitest';
import { kind as curve } from '../../web/figure/kinds/curve/index.ts';
import { kind as waves } from '../../web/figure/kinds/waves/index.ts';
import { getEncodingNoun } from '../../web/lab/nouns.ts';
import { getHint } from '../../web/lab/questions/hints.ts';
import { PLACEMENTS } from '../../web/lab/questions/placements.ts';
import { INITIAL_STATE, type LabState } from '../../web/lab/state/state.ts';
import { figureOf, phasor } from './kinds/table-figures.ts';

const tell = (kind: string, id: string, params: LabState['params'] = {}): string => {
  const info = phasor.encodings.find((candidate) => candidate.id === id);
  if (!info) throw new Error(`${id} is no encoding`);
  return getHint(kind, info, { ...INITIAL_STATE, params });
};
const biasEncodings = phasor.encodings
  .filter(({ injection, tokens }) => ['score', 'score_content', 'key_value'].includes(injection) && tokens.length === 0)
  .flatMap(({ id, params }): [string, LabState['params']][] => {
    const chosen = params.flatMap(({ name, choices }) => choices.map((choice) => ({ [name]: choice })));
    return [{}, ...chosen].map((candidate) => [id, candidate]);
  });

describe('getHint', () => {
  it.each(biasEncodings.filter(([id]) => id !== 'fire'))('matches the proof of the curve of %s %j', async (id, params) => {
    const { good } = (await figureOf(curve, { encoding: { id, ...params } })).proof();
    expect(tell('curve', id, params)).toMatch(good ? /depends on the distance alone, so one line/ : /each query has different lines/);
  });

  it('matches the proof of the curve of FIRE on both sides of init_l', async () => {
    expect(tell('curve', 'fire')).toContain('Up to position init_l, the bias depends only on the distance; beyond it,');
    for (const [init_l, isRelative] of [
      [512, true],
      [8, false],
    ] as const)
      expect((await figureOf(curve, { encoding: { id: 'fire', init_l } })).proof().good).toBe(isRelative);
  });

  it('describes untrained vectors as random', () => {
    const table = { shape: [2, 2], data: Float32Array.of(1, 2, 3, 4) };
    for (const kind of ['waves', 'distance', 'pca']) {
      expect(tell(kind, 'learned'), kind).toContain('random until they are trained');
      expect(tell(kind, 'learned', { table }), kind).not.toContain('random');
      expect(tell(kind, 'sinusoidal'), kind).not.toContain('random');
    }
  });

  it('reports that the shown binary digits are all 0', async () => {
    const { results } = await figureOf(waves, { encoding: 'binary', dim: 64 });
    expect(new Set(results.waves.data)).toEqual(new Set([0]));
    expect(tell('waves', 'binary')).toContain('always 0');
  });

  it('describes the chain figure from top to bottom', () => {
    expect(tell('chain', 'rope')).toMatch(/^Follow one key from top to bottom/);
  });

  it('mentions no mark that a small picture omits', () => {
    for (const kind of ['requirements', 'bias', 'combine'])
      expect(tell(kind, kind === 'bias' ? 't5' : 'sinusoidal'), kind).not.toMatch(/\bbar\b|lines below|curves|R²|Point at/);
  });

  it('names encodings as nouns', () => {
    expect(tell('bias', 't5')).toContain('with the T5 bias.');
    expect(getEncodingNoun('constructor')).toBe('constructor');
    for (const kind of Object.keys(PLACEMENTS))
      for (const { id } of phasor.encodings) expect(tell(kind, id)).not.toMatch(/T5 buckets|\blearned (adds|\.)/);
  });
});
