// The programs of web/encodings/code say what the core computes: each is run by Python, and compared with the engine's numbers.
import { describe, expect, it } from 'vitest';
import { type Case, casesOf, difference, phasor, TOLERANCE } from './encoding-code-cases.ts';
import { type Result, runPython } from './python/run.ts';

const cases = new Map(phasor.encodings.map((info) => [info.id, casesOf(info)]));
const all = [...cases.values()].flat();

describe.each(['numpy', 'pytorch'] as const)('%s', (language) => {
  // One process for all programs. PyTorch is not installed for a test: its texts run on a stand-in with the functions that they use.
  const results = new Map(
    runPython(
      all.map(({ job }) => job(language)),
      language === 'pytorch',
    ).map((result, index) => [all[index] as Case, result]),
  );

  it.each(phasor.encodings.map(({ id }) => id))('%s', (id) => {
    const wrong = (cases.get(id) ?? []).flatMap((one) => {
      const why = difference(results.get(one) as Result, one.expected, TOLERANCE[language]);
      return why === undefined ? [] : [`${one.name}: ${why}`];
    });
    expect(cases.get(id)?.length).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  });
});

/** One change of each formula. */
const changes: { readonly [id: string]: readonly [string, string] } = {
  alibi: ['np.abs(distance)', 'distance'],
  binary: ['>>', '<<'],
  cope: ['keys <= queries', 'keys < queries'],
  dape: ['hidden < 0', 'hidden > 0'],
  deberta: ['queries[:, None] - keys', 'keys - queries[:, None]'],
  fire: ['log1p', 'sqrt'],
  forgetting: ['sums[:, -len(queries) :, None] - sums', 'sums[:, -len(queries) :, None] - 2 * sums'],
  fourier: ['2 * math.pi', 'math.pi'],
  grape_a: ['-distance', 'distance'],
  index: ['[:, None]', '[:, None] + 1'],
  kerple: ['log1p', 'sqrt'],
  learned: ['dtype=int)', 'dtype=int) + 1'],
  liere: ['upper - upper', 'upper + upper'],
  mrope: ['(-2.0', '(-2.1'],
  multi_frequency: ['1 / np', '2 / np'],
  nerf: ['% 2', '% 1'],
  normalised_index: ['+ 1)', '+ 2)'],
  path: ['along[..., None] * w', '2 * along[..., None] * w'],
  pope: ['(-1.0', '(-1.1'],
  proximal: ['log1p', 'sqrt'],
  relative_bias: ['queries[:, None] - keys', 'keys - queries[:, None]'],
  rope: ['(-2.0', '(-2.1'],
  rope_2d: ['(-4.0', '(-4.1'],
  rope_fourier: ['(-2.0', '(-2.1'],
  rope_mixed: ['column[:, None] * fx', 'column[:, None] * fy'],
  rope_selective: ['** (-', '** (-2 * '],
  sandwich: ['- 1)', '- 2)'],
  shaw: ['keys - queries[:, None]', 'queries[:, None] - keys'],
  sin_cos: ['[np.sin(angles), np.cos(angles)]', '[np.cos(angles), np.sin(angles)]'],
  sine: ['np.sin', 'np.cos'],
  sinusoidal: ['(-2.0', '(-2.1'],
  sinusoidal_grid: ['/ waves', '/ width'],
  t5: ['keys - queries[:, None]', 'queries[:, None] - keys'],
  transformer_xl: ['q + v', 'q - v'],
  xpos: ['else -steps', 'else steps'],
};

it('notices a changed formula', () => {
  const changed = Object.entries(changes).map(([id, [from, to]]) => {
    const [first] = cases.get(id) as Case[];
    const job = (first as Case).job('numpy');
    expect(job.program).toContain(from);
    return { id, first: first as Case, job: { ...job, program: job.program.replace(from, to) } };
  });
  const results = runPython(changed.map(({ job }) => job));
  const unnoticed = changed.filter(
    ({ first }, index) => difference(results[index] as Result, first.expected, TOLERANCE.numpy) === undefined,
  );
  expect(unnoticed.map(({ id }) => id)).toEqual([]);
  expect(Object.keys(changes)).toEqual(phasor.encodings.map(({ id }) => id).filter((id) => id !== 'none'));
});
