// Models with RoPE that read longer texts than they were trained on, by another formula of their positions (E6) or without them (E14).

/** @import { Experiment } from './experiment-list.mjs' */

const words = ['--encoding', 'rope'];
const unknown = [null, null, null, null];

/** @type {Record<string, Experiment>} */
export const beyondTraining = {
  E6: {
    title: 'RoPE stretched, without further training',
    about:
      'The RoPE models of E2b, whose heads have 8 pairs, read texts of n characters with slower rotations and unchanged weights. The factor is n / 64, so nothing changes at 64 characters. “By parts” blends two frequencies according to the number of turns in 64 characters: between 1 and 4 turns as in Llama 3.1, or between 1 and 32, the limits in the YaRN paper. `yarn` has these limits too, with the ramp of its authors’ code. The fastest pair makes 10 turns, so no pair keeps its frequency with the ramp in the paper. The models of the last four rows keep their frequencies and compute scores at remapped distances (scripts/train/remapped.mjs), with the proportions of the papers: a quarter of the 64 characters is near, and chunks have 48 characters.',
    words: ['text', '--lengths', '64,128,256,512'],
    columns: [64, 128, 256, 512],
    runs: {
      'as trained': { words, expected: [1.743, 1.97, 3.24, 3.35], scaling: {} },
      linear: { words, expected: [1.743, 2.38, 3.12, 3.37], scaling: { scaling: 'linear' } },
      ntk_aware: { words, expected: [1.743, 1.75, 2.16, 3.43], scaling: { scaling: 'ntk_aware' } },
      'ntk_aware, factor n / 32': {
        words,
        expected: [1.743, 1.78, 1.94, 3.03],
        scaling: { scaling: 'ntk_aware', times: 2 },
      },
      'by parts, 1 to 4 turns': {
        words,
        expected: [1.743, 1.79, 2.16, 2.58],
        scaling: { scaling: 'llama3', low_freq_factor: 1, high_freq_factor: 4 },
      },
      'by parts, 1 to 32 turns': {
        words,
        expected: [1.743, 2.12, 2.65, 2.98],
        scaling: { scaling: 'llama3', low_freq_factor: 1, high_freq_factor: 32 },
      },
      'by_parts, the authors’ ramp': { words, expected: unknown, scaling: { scaling: 'by_parts' } },
      yarn: { words, expected: unknown, scaling: { scaling: 'yarn' } },
      ...Object.fromEntries(
        ['self_extend', 'rerope', 'lm_infinite', 'dual_chunk'].map((method) => [method, { words, expected: unknown, scaling: { method } }]),
      ),
    },
    claims: [
      ['at twice the length linear interpolation is no better than no scaling', (of) => of('linear', 128) > of('as trained', 128)],
      ['NTK-aware scaling loses at most a tenth of a nat at twice the length', (of) => of('ntk_aware', 128) < of('as trained', 64) + 0.1],
      [
        'YaRN is the best scaling at 8 times the length',
        (of) => ['as trained', 'linear', 'ntk_aware', 'by parts, 1 to 32 turns'].every((run) => of(run, 512) > of('yarn', 512) + 0.2),
      ],
      [
        'at 4 times the trained length remapped distances lose at most a tenth of a nat, and YaRN loses more',
        (of) =>
          ['self_extend', 'rerope', 'lm_infinite', 'dual_chunk'].every(
            (run) => of(run, 256) < of(run, 64) + 0.1 && of(run, 256) < of('yarn', 256),
          ),
      ],
      [
        'no remapping benefits from the longer text',
        (of) => ['self_extend', 'rerope', 'lm_infinite', 'dual_chunk'].every((run) => of(run, 512) > of(run, 64)),
      ],
    ],
  },
  E14: {
    title: 'RoPE as a scaffold: taken away after training',
    about:
      'The RoPE models of E2b, trained for 500 steps, continue training without positions for 10 to 100 steps, on batches they have not seen and with the schedule of learning rates started again (DroPE, Gelberg et al. 2025, arXiv 2512.12167, where a model keeps what it learned and reads longer texts). They are compared with models that keep RoPE, models with RoPE stretched by YaRN, and models that never had positions. The claims below were derived from these runs, not predicted. Other tasks, with one seed, agree. `copy`: the accuracy at 32 tokens is 0.178 after 300 steps with and 15 without positions, and 0.233 for a model that never had positions. `induction`: the accuracy at 64 tokens is 0.075 after 1,000 and 50 steps, and 0.302 without positions throughout. The novel with four layers: the loss at 64 characters is 2.35 after 1,500 and 75 steps, and 1.60 without positions throughout.',
    words: ['text', '--lengths', '64,128,256,512'],
    columns: [64, 128, 256, 512],
    runs: {
      'RoPE kept': { words, expected: unknown, scaling: {} },
      'RoPE stretched by YaRN': { words, expected: unknown, scaling: { scaling: 'yarn' } },
      ...Object.fromEntries(
        [10, 25, 50, 100].map((steps) => [
          `removed, then ${steps} steps`,
          { words, expected: unknown, scaling: { recalibration: { steps, warmupSteps: 5 } } },
        ]),
      ),
      'never positions': { words: ['--encoding', 'none'], expected: unknown },
    },
    claims: [
      [
        'after 25 steps without positions the loss at 8 times the length is at most a twentieth of a nat above the loss at the trained length',
        (of) => of('removed, then 25 steps', 512) < of('removed, then 25 steps', 64) + 0.05,
      ],
      [
        'at 8 times the length this loss is lower than the loss of models that keep RoPE',
        (of) => of('removed, then 25 steps', 512) < of('RoPE kept', 512) - 0.5,
      ],
      ['YaRN is better without any further step', (of) => of('RoPE stretched by YaRN', 512) < of('removed, then 25 steps', 512)],
      [
        'at this size no benefit of RoPE remains: the models are no better than models that never had positions',
        (of) => [10, 25, 50, 100].every((steps) => of(`removed, then ${steps} steps`, 64) > of('never positions', 64) - 0.03),
      ],
    ],
  },
};
