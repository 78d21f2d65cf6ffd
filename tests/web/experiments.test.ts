// Small versions of the experiments, trained here from one seed in seconds: they check the claims of docs/experiments.md. `npm run
// train:experiments` runs all of them, natively and at full size.

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { experiments } from '../../scripts/train/experiment-list.mjs';
import { createTrainer, type DynamicId, type Evaluation, type TrainConfig } from '../../web/engine/train.node.ts';
import { PHOTOGRAPH_SIDE, PhotographFile, SHADE_COUNT } from '../../web/figure/runtime/photographs.ts';
import './relaxed-simd.ts';

type Of = (run: string, label?: number | string) => number;
interface Small {
  /** Overrides that make it smaller. */
  readonly fields: Partial<TrainConfig>;
  readonly runs: readonly string[];
  /** Claims of the experiment; default: all. */
  readonly claims?: readonly string[];
  readonly more?: readonly [string, (of: Of) => boolean][];
}

const small: Readonly<Record<string, Small>> = {
  E1: {
    fields: { embedDim: 16, heads: 2, sequenceLength: 8, batchSize: 32, lr: 0.01, steps: 150 },
    runs: ['none', 'alibi (symmetric)', 'learned', 'sinusoidal', 't5', 'rope', 'none, causal'],
  },
  E1b: {
    fields: { embedDim: 16, heads: 2, batchSize: 32, lr: 0.01, steps: 300 },
    runs: ['learned', 'sinusoidal', 'sinusoidal, random positions', 'rope', 'rope, random positions', 't5'],
    // A table of 128 rows needs more steps to train each row.
    claims: [
      'the learned table and sinusoids fall to chance at 8 times the length',
      'the accuracy of RoPE falls less',
      'the accuracy of T5 does not fall',
    ],
    more: [
      [
        'random positions help sinusoids and RoPE',
        (of) => ['sinusoidal', 'rope'].every((run) => of(`${run}, random positions`, 128) > of(run, 128) + 0.2),
      ],
    ],
  },
  E2a: {
    fields: { embedDim: 32, batchSize: 16, lr: 0.006, steps: 200 },
    runs: ['learned', 't5', 'alibi', 'none'],
    claims: ['ALiBi and models without an encoding fail'],
    more: [
      ['a learned table and T5 succeed', (of) => Math.min(of('learned', 32), of('t5', 32)) > 0.95],
      ['at twice the length T5 still succeeds, but the table does not', (of) => of('t5', 64) > of('learned', 64) + 0.3],
    ],
  },
  E3: {
    fields: { steps: 150 },
    runs: ['none', 'fourier, sigma 1', 'fourier, sigma 2', 'fourier, sigma 8', 'fourier, sigma 16'],
  },
};

/** `--encoding.max_length 128` as a field of the encoding, `--randomized_positions 128` as randomizedPositions. */
function specOf(words: readonly string[]): { spec: TrainConfig; lengths: number[] | undefined } {
  const value = (word: string) => (/^(true|false)$/.test(word) ? word === 'true' : Number.isNaN(Number(word)) ? word : Number(word));
  const [task, ...options] = words;
  const provided = options.flatMap((word, at) => (word.startsWith('--') ? [[word.slice(2), options[at + 1] ?? ''] as const] : []));
  const fields = provided.filter(([name]) => !/^(encoding(\..*)?|lengths)$/.test(name));
  const params = provided.filter(([name]) => name.startsWith('encoding.'));
  const encoding = {
    id: (provided.find(([name]) => name === 'encoding')?.[1] ?? 'none') as DynamicId,
    ...Object.fromEntries(params.map(([name, word]) => [name.slice(9), value(word)])),
  };
  const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return {
    spec: { task: task ?? '', encoding, ...Object.fromEntries(fields.map(([name, word]) => [camelCase(name), value(word)])) },
    lengths: provided
      .find(([name]) => name === 'lengths')?.[1]
      .split(',')
      .map(Number),
  };
}

const file = async () => new Response(readFileSync('public/data/photographs.json'));
const shades = await new PhotographFile('photographs.json', file).shades('astronaut');
const image = { shape: [PHOTOGRAPH_SIDE, PHOTOGRAPH_SIDE, 3], data: Float32Array.from(shades, (shade) => shade / (SHADE_COUNT - 1)) };

async function trained(words: readonly string[], fields: Small['fields']): Promise<Evaluation> {
  const { spec, lengths } = specOf(words);
  const trainer = await createTrainer({ ...spec, ...fields, ...(spec.task === 'image' ? { image } : {}) });
  await trainer.step(trainer.config.steps);
  const evaluation = await trainer.evaluate({ lengths, ...(spec.task === 'image' ? {} : { numSamples: 256 }) });
  trainer.dispose();
  return evaluation;
}

describe.each(Object.entries(small))('%s', (id, { fields, runs, claims, more = [] }) => {
  const experiment = experiments[id]!;
  const evaluations: Record<string, Evaluation> = {};
  const of: Of = (run, what = experiment.columns[0]) => {
    const { lengths, metrics } = evaluations[run]!;
    return typeof what === 'string' ? metrics[what]! : (lengths.find(({ length }) => length === what) ?? lengths[0])!.score;
  };
  beforeAll(async () => {
    for (const run of runs) evaluations[run] = await trained([...experiment.words, ...experiment.runs[run]!.words], fields);
  });

  const known = experiment.claims.filter(([sentence]) => !claims || claims.includes(sentence));
  it('makes claims', () => expect(known).toHaveLength(claims?.length ?? experiment.claims.length));
  it.each([...known, ...more])('%s', (_, holds) => {
    const scores = Object.entries(evaluations).map(
      ([run, { lengths }]) => `${run}: ${lengths.map(({ score }) => score.toFixed(3)).join(' ')}`,
    );
    expect(holds(of), scores.join('\n')).toBe(true);
  });
});
