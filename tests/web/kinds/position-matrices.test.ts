// Matrices that the user draws, and the positions whose scores differ.
import { describe, expect, it } from 'vitest';
import { kind } from '../../../web/figure/kinds/position-matrices/index.ts';
import { PRESETS } from '../../../web/figure/kinds/position-matrices/presets.ts';
import { layoutDials } from '../../../web/figure/kinds/position-matrices/scene.ts';
import { runPython } from '../python/run.ts';
import { expectAnswering, expectProgram, figureOf, phasor } from './table-figures.ts';

type Matrix = readonly [number, number, number, number];
const IDENTITY: Matrix = [1, 0, 0, 1];
const rotation = (degrees: number, length = 1): Matrix => {
  const [c, s] = [Math.cos, Math.sin].map((trigonometric) => length * trigonometric((degrees * Math.PI) / 180)) as [number, number];
  return [c, -s, s, c];
};
/** (T_i e_query) · (T_j e_key). */
function score([a, b, c, d]: Matrix, query: number, [e, f, g, h]: Matrix, key: number): number {
  const [x, y] = query === 0 ? [a, c] : [b, d];
  const [u, v] = key === 0 ? [e, g] : [f, h];
  return x * u + y * v;
}
/** The largest difference of two scores at equal distance, over all positions and unit vectors. */
function maxAbsEntry(matrices: readonly Matrix[]): number {
  let maximum = 0;
  for (const query of [0, 1])
    for (const key of [0, 1])
      for (let distance = 0; distance < 4; distance++)
        for (let i = 0; i + distance < 4; i++)
          for (let j = 0; j + distance < 4; j++) {
            const scoreAt = (p: number): number => score(matrices[p] as Matrix, query, matrices[p + distance] as Matrix, key);
            maximum = Math.max(maximum, Math.abs(scoreAt(i) - scoreAt(j)));
          }
  return maximum;
}

const matricesFigure = (...matrices: readonly Matrix[]) => figureOf(kind, { matrices: matrices.flat() });

describe('position-matrices figure', () => {
  it.each([
    ['a spiral', [rotation(20, 1.1), rotation(40, 1.21), rotation(60, 1.33)]],
    ['a shear', [[1, 0.5, 0, 1] as Matrix, [1, 1, 0, 1] as Matrix, [1, 1.5, 0, 1] as Matrix]],
    ['squares', [rotation(20), rotation(80), rotation(180)]],
    ['a wrong third', [rotation(30), rotation(60), rotation(91)]],
    ['zeros', [[0, 0, 0, 0] as Matrix, [0, 0, 0, 0] as Matrix, [0, 0, 0, 0] as Matrix]],
  ])('reports the two scores that differ most for %s', async (_, otherMatrices) => {
    const { results, proof, readout } = await matricesFigure(...(otherMatrices as Matrix[]));
    const matrices = [IDENTITY, ...(otherMatrices as Matrix[])];
    expect(results.residual).toBeCloseTo(maxAbsEntry(matrices), 5);
    const { query, key, first, second } = results.differingScores;
    for (const { positions, score: reportedScore } of [first, second])
      expect(reportedScore).toBeCloseTo(score(matrices[positions[0]] as Matrix, query, matrices[positions[1]] as Matrix, key), 5);
    expect(first.positions[1] - first.positions[0]).toBe(second.positions[1] - second.positions[0]);
    expect(first.positions).not.toEqual(second.positions);
    expect(proof().good).toBe(false);
    expect(readout()).toMatch(/^Two scores for the distance \d\. Query \([01], [01]\) and key \([01], [01]\) have the score .+, but .+\.$/);
  });

  it.each([
    [rotation(35), rotation(70), rotation(105), 'One score for each distance. Each step rotates by 35°. You have drawn RoPE.'],
    [rotation(-90), rotation(180), rotation(90), 'One score for each distance. Each step rotates by −90°. You have drawn RoPE.'],
    [[1, 0, 0, -1], IDENTITY, [1, 0, 0, -1], 'One score for each distance. Each step is the same reflection'],
    [IDENTITY, IDENTITY, IDENTITY, 'One score for each distance. Every position has the same matrix'],
  ] as const)('reports one score for each distance for rotations and reflections: case %#', async (a, b, c, sentence) => {
    const { proof, readout, results } = await matricesFigure(a, b, c);
    expect(proof()).toMatchObject({ good: true });
    expect(results.residual).toBeLessThan(1e-6);
    expect(readout().startsWith(sentence), readout()).toBe(true);
  });

  it('has presets, of which only the last two pass', async () => {
    const passed = await Promise.all(
      PRESETS.map(async ({ matrices }) => (await figureOf(kind, { matrices: matrices.join() })).proof().good),
    );
    expect(passed).toEqual([false, false, false, false, true, true]);
    expect((await figureOf(kind)).spec).toEqual({ matrices: PRESETS[0]?.matrices });
  });

  it('prints nearly equal scores with enough digits to tell them apart', async () => {
    const { readout } = await matricesFigure(rotation(30), rotation(60), rotation(90.01));
    expect(readout()).toMatch(/score (\S+) if .+, but (?!\1)\S+ if/);
  });

  it('finds the mark under the pointer and moves with the arrow keys at any width', async () => {
    for (const width of [1440, 700, 560, 390, 300]) {
      const { scene } = await figureOf(kind);
      expectAnswering(scene(width), width);
    }
    const { readout, results } = await figureOf(kind);
    expect(readout({ query: 1, key: 2 })).toMatch(/^Query \(1, 0\) at 1 and key \(1, 0\) at 2: score /);
    expect(readout({ query: 9, key: 2 })).toBe(readout());
    const low = kind.scene(results, { matrices: [] } as never, { width: 700, maxHeight: 330, theme: 'dark' });
    expect(low.picture.height).toBeLessThan(420);
    // The arrows are large enough to drag in the lowest pictures.
    for (const maxHeight of [40, 119, 150, 200])
      expect(Math.min(...layoutDials(800, maxHeight).dials.map(({ width }) => width)), `${maxHeight}`).toBeGreaterThanOrEqual(64);
  });

  it.each([
    [{ matrices: '1,0,0,1' }, 'matrices: has 4 numbers; expected 12, four for each of positions 1, 2 and 3'],
    [{ matrices: `9${',0'.repeat(11)}` }, 'matrices: 9 is out of range; expected −1.75 to 1.75'],
    [{ matrices: 'a,b' }, 'matrices: “a” is not a number'],
    [{ matrices: `1e999${',0'.repeat(11)}` }, 'matrices: “1e999” is too large for a number'],
  ])('rejects %j with one sentence', async (input, sentence) => {
    await expect(figureOf(kind, input)).rejects.toThrow(sentence);
  });

  it('exports programs that compute the same values', async () => {
    const figure = await matricesFigure(rotation(20, 1.1), rotation(47), [1, 0.3, 0.2, 0.7]);
    await expectProgram(figure);
    const { python, data } = (await kind.loadPrograms()).code(figure.spec as never, phasor.encodings, figure.results);
    const [result] = runPython([{ program: python, files: data, want: ['scores'] }]);
    expect(result?.error).toBeUndefined();
    figure.results.scores.data.forEach((value: number, index: number) => {
      expect(result?.arrays.scores?.data[index]).toBeCloseTo(value, 5);
    });
  });
});
