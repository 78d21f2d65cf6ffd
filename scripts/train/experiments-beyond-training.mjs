// Models with RoPE that read longer texts than they were trained on, by another formula of their positions (E6) or without them (E14).

/** @import { Experiment } from './experiment-list.mjs' */

const words = ['--encoding', 'rope'];
const unknown = [null, null, null, null];

/** @type {Record<string, Experiment>} */
export const beyondTraining = {
  E6: {
    title: 'RoPE stretched, without further training',
    about:
      'The RoPE models of E2b, whose heads have 8 pairs, read texts of n characters with slower pairs and unchanged weights: the factor is n / 64, and at 64 characters nothing changes. “By parts” blends by the number of turns in 64 characters, between 1 and 4, as in Llama 3.1, or between 1 and 32, the limits of the YaRN paper; `yarn` has these limits too, and the ramp of its authors’ code. The fastest pair makes 10 turns, so by the ramp of the paper no pair keeps its frequency. The last four rows keep the pairs and compute scores at remapped distances, with the sizes of their papers (a quarter of 64 characters is near, chunks have 48), by scripts/train/remapped.mjs.',
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
      ['interpolation is no better than no scaling at twice the length', (of) => of('linear', 128) > of('as trained', 128)],
      ['NTK-aware is as good at twice the length as at the trained one', (of) => of('ntk_aware', 128) < of('as trained', 64) + 0.1],
      [
        'at 8 times the length YaRN is the best scaling',
        (of) => ['as trained', 'linear', 'ntk_aware', 'by parts, 1 to 32 turns'].every((run) => of(run, 512) > of('yarn', 512) + 0.2),
      ],
      [
        'remapped distances lose at most a tenth of a nat at 4 times the trained length, and YaRN loses more',
        (of) =>
          ['self_extend', 'rerope', 'lm_infinite', 'dual_chunk'].every(
            (run) => of(run, 256) < of(run, 64) + 0.1 && of(run, 256) < of('yarn', 256),
          ),
      ],
      [
        'none of them gains from the longer text',
        (of) => ['self_extend', 'rerope', 'lm_infinite', 'dual_chunk'].every((run) => of(run, 512) > of(run, 64)),
      ],
    ],
  },
  E14: {
    title: 'RoPE as a scaffold: taken away after training',
    about:
      'The RoPE models of E2b go on without positions for some of their 500 steps (DroPE, Gelberg et al. 2025, arXiv 2512.12167: there a model keeps what it learned and reads longer texts), with the same schedule of learning rates from its beginning, on batches it has not seen. Beside them: RoPE kept, stretched by YaRN, and a model that never had positions. The claims below were derived from these runs, not predicted. The same was seen, with one seed, in the tasks `copy` (accuracy at 32 tokens after 15 steps of 300: 0.178; never positions: 0.233) and `induction` (at 64 after 50 of 1,000: 0.075; never: 0.302), and of the novel with four layers and 1,500 steps (loss at 64 after 75 more: 2.35; never: 1.60).',
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
        'after 25 steps without positions the loss at 8 times the length is that at the trained length, within a twentieth of a nat',
        (of) => of('removed, then 25 steps', 512) < of('removed, then 25 steps', 64) + 0.05,
      ],
      ['at 8 times the length it is below RoPE kept', (of) => of('removed, then 25 steps', 512) < of('RoPE kept', 512) - 0.5],
      ['YaRN is better without any step', (of) => of('RoPE stretched by YaRN', 512) < of('removed, then 25 steps', 512)],
      [
        'at this size nothing of RoPE remains: the model is no better than one that never had positions',
        (of) => [10, 25, 50, 100].every((steps) => of(`removed, then ${steps} steps`, 64) > of('never positions', 64) - 0.03),
      ],
    ],
  },
};
