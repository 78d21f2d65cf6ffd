// The experiments, the results of prototypes in PyTorch (mean of three seeds unless noted), and the claims, which compare means and never single
// values.

import { beyondTraining } from './experiments-beyond-training.mjs';
import { withinAttention } from './experiments-within-attention.mjs';

/** @import { Scaling } from './stretched.mjs' */
/** @typedef {(run: string, what?: number | string) => number} Of the mean at a length (the first one unless given), or of a metric */
/**
 * @typedef {object} Experiment
 * @property {string} title
 * @property {string} about one paragraph
 * @property {string[]} words of the command, for all runs
 * @property {(number | string)[]} columns lengths, or names of metrics
 * @property {Record<string, { words: string[], expected: (number | null)[], scaling?: Scaling }>} runs expected: by column; with
 * `scaling`, the RoPE model is changed for longer texts (stretched.mjs)
 * @property {[string, (of: Of) => boolean][]} claims a sentence and its test
 * @property {boolean} [quick] whether it is part of the quick subset
 */

/** @param {number} rows */
const learned = (rows) => ['--encoding', 'learned', '--encoding.max_length', String(rows)];
/** @param {string} id @param {...string} more */
const encoding = (id, ...more) => ['--encoding', id, ...more];
const causal = ['--causal', 'true'];
const random = ['--randomized_positions', '128'];

/** @type {Record<string, Experiment>} */
export const experiments = {
  E1: {
    title: 'Order of two tokens',
    about:
      'The task `order` at 16 tokens. An encoder without positions sees a bag of words, a causal mask alone encodes the order, and a symmetric bias cannot distinguish a text from its mirror image.',
    words: ['order'],
    columns: [16],
    runs: {
      none: { words: encoding('none'), expected: [0.493] },
      'alibi (symmetric)': { words: encoding('alibi'), expected: [0.491] },
      learned: { words: encoding('learned'), expected: [1] },
      sinusoidal: { words: encoding('sinusoidal'), expected: [1] },
      t5: { words: encoding('t5'), expected: [1] },
      rope: { words: encoding('rope'), expected: [1] },
      'none, causal': { words: [...encoding('none'), ...causal], expected: [1] },
      'alibi, causal': { words: [...encoding('alibi'), ...causal], expected: [1] },
      'rope, causal': { words: [...encoding('rope'), ...causal], expected: [1] },
    },
    claims: [
      ['an encoder without positions stays at chance', (of) => Math.abs(of('none') - 0.5) < 0.06],
      ['symmetric ALiBi stays at chance too', (of) => Math.abs(of('alibi (symmetric)') - 0.5) < 0.06],
      ['every other encoding solves the task', (of) => ['learned', 'sinusoidal', 't5', 'rope'].every((run) => of(run) > 0.95)],
      ['a causal mask alone solves the task', (of) => of('none, causal') > 0.95],
    ],
    quick: true,
  },
  E1b: {
    title: 'Train at 16, test at 128',
    about:
      'The task `order_long`. The learned table has 128 rows, and rows from 16 on stay untrained. With `randomized_positions`, each step draws its positions from 0 to 127 (Ruoss et al. 2023).',
    words: ['order_long', '--lengths', '16,32,64,128'],
    columns: [16, 32, 64, 128],
    runs: {
      learned: { words: learned(128), expected: [1, 0.627, 0.501, 0.517] },
      'learned, random positions': { words: [...learned(128), ...random], expected: [0.917, 0.888, 0.901, 0.863] },
      sinusoidal: { words: encoding('sinusoidal'), expected: [1, 0.655, 0.447, 0.458] },
      'sinusoidal, random positions': { words: [...encoding('sinusoidal'), ...random], expected: [0.996, 0.994, 0.989, 0.975] },
      rope: { words: encoding('rope'), expected: [1, 0.987, 0.717, 0.68] },
      'rope, random positions': { words: [...encoding('rope'), ...random], expected: [1, 1, 1, 0.993] },
      t5: { words: encoding('t5'), expected: [1, 1, 1, 1] },
    },
    claims: [
      [
        'the learned table and sinusoids fall to chance at 8 times the length',
        (of) => ['learned', 'sinusoidal'].every((run) => of(run, 128) < 0.65),
      ],
      ['the accuracy of RoPE falls less', (of) => of('rope', 128) > Math.max(of('learned', 128), of('sinusoidal', 128))],
      ['the accuracy of T5 does not fall', (of) => of('t5', 128) > 0.95],
      [
        'random positions help the learned table, sinusoids and RoPE',
        (of) => ['learned', 'sinusoidal', 'rope'].every((run) => of(`${run}, random positions`, 128) > of(run, 128) + 0.1),
      ],
    ],
    quick: true,
  },
  E2a: {
    title: 'Three tokens back',
    about: 'The task `copy`, trained at 32 tokens. The learned table has 512 rows.',
    words: ['copy', '--lengths', '32,64,128,256'],
    columns: [32, 64, 128, 256],
    runs: {
      learned: { words: learned(512), expected: [1, 0.514, 0.291, 0.178] },
      sinusoidal: { words: encoding('sinusoidal'), expected: [1, 0.565, 0.322, 0.2] },
      rope: { words: encoding('rope'), expected: [1, 0.994, 0.942, 0.641] },
      't5, bias_table_lr_scale 1': { words: [...encoding('t5'), '--bias_table_lr_scale', '1'], expected: [0.99, 0.895, 0.642, 0.409] },
      t5: { words: encoding('t5'), expected: [1, 0.998, 0.949, 0.758] },
      alibi: { words: encoding('alibi'), expected: [0.275, 0.271, 0.27, 0.268] },
      none: { words: encoding('none'), expected: [0.236, 0.228, 0.195, 0.152] },
    },
    claims: [
      ['ALiBi and models without an encoding fail', (of) => ['alibi', 'none'].every((run) => of(run, 32) < 0.6)],
      [
        'the learned table, sinusoids, RoPE and T5 succeed',
        (of) => ['learned', 'sinusoidal', 'rope', 't5'].every((run) => of(run, 32) > 0.95),
      ],
      [
        'at twice the length RoPE and T5 still succeed, but tables do not',
        (of) => Math.min(of('rope', 64), of('t5', 64)) > Math.max(of('learned', 64), of('sinusoidal', 64)) + 0.2,
      ],
    ],
  },
  E2b: {
    title: 'A novel, trained at 64 characters and read at 512',
    about:
      'The task `text`: nats per character for the last 32 characters of the same 128 passages, with increasing context. The prototypes read the King James Bible (35 symbols) and these models read Pride and Prejudice (50 symbols), so compare the ranking, not the numbers.',
    words: ['text', '--lengths', '32,64,128,256,512'],
    columns: [32, 64, 128, 256, 512],
    runs: {
      t5: { words: encoding('t5'), expected: [1.682, 1.642, 1.657, 1.72, 1.889] },
      rope: { words: encoding('rope'), expected: [1.772, 1.743, 2.018, 3.168, 3.367] },
      alibi: { words: encoding('alibi'), expected: [1.887, 1.861, 1.864, 1.865, 1.865] },
      sinusoidal: { words: encoding('sinusoidal'), expected: [1.96, 1.967, 2.711, 2.671, 2.614] },
      learned: { words: learned(512), expected: [2.134, 2.232, 2.333, 2.344, 2.359] },
      none: { words: encoding('none'), expected: [2.161, 2.251, 2.285, 2.298, 2.306] },
    },
    claims: [
      ['the loss of ALiBi stays flat up to 8 times the length', (of) => Math.abs(of('alibi', 512) - of('alibi', 64)) < 0.05],
      ['the loss of T5 hardly rises at twice the length', (of) => of('t5', 128) < of('t5', 64) + 0.08],
      [
        'sinusoids and RoPE fail in longer texts',
        (of) => of('sinusoidal', 128) > of('sinusoidal', 64) + 0.2 && of('rope', 256) > of('rope', 64) + 0.2,
      ],
    ],
  },
  E3: {
    title: 'A photograph from coordinates',
    about:
      'The task `image`, with the photograph of an astronaut at 64 x 64 pixels: decibels between the trained pixels, and at the trained pixels (train_decibels). `sigma` is the spread of the Fourier frequencies.',
    words: ['image'],
    columns: [1, 'train_decibels'],
    runs: {
      none: { words: encoding('none'), expected: [14.35, 14.56] },
      ...Object.fromEntries(
        [
          [0.5, [17.51, 19.02]],
          [1, [17.96, 24.06]],
          [2, [17.79, 29.3]],
          [4, [17.55, 40.89]],
          [8, [13.77, 44.02]],
          [16, [8.36, 40.97]],
        ].map(([sigma, expected]) => [
          `fourier, sigma ${sigma}`,
          {
            words: encoding('fourier', '--encoding.features', '64', '--encoding.extent', '1', '--encoding.sigma', String(sigma)),
            expected,
          },
        ]),
      ),
    },
    claims: [
      ['without Fourier features the image is blurred', (of) => of('none') < of('fourier, sigma 1') - 2],
      [
        'one spread of frequencies is best between the pixels',
        (of) => of('fourier, sigma 16') < of('none') && of('fourier, sigma 16') < of('fourier, sigma 2'),
      ],
      [
        'higher frequencies fit the trained pixels better',
        (of) => of('fourier, sigma 8', 'train_decibels') > of('fourier, sigma 1', 'train_decibels') + 5,
      ],
    ],
    quick: true,
  },
  E5: {
    title: 'Positions in a model without an encoding',
    about:
      'The task `probe`: mean absolute error, in tokens, of a small network that predicts the position from the output of a layer. The results in brackets are for the King James Bible.',
    words: ['probe'],
    columns: ['probe_chance', 'probe_error_layer_0', 'probe_error_layer_1', 'probe_error_layer_2'],
    runs: {
      'none, causal': { words: encoding('none'), expected: [15.8, 15.78, 3.95, 3.63] },
      'none, causal, untrained': { words: [...encoding('none'), '--steps', '1', '--lr', '0'], expected: [15.8, 15.79, 9.84, 8.02] },
      'none, bidirectional, untrained': {
        words: [...encoding('none'), '--steps', '1', '--lr', '0', '--causal', 'false'],
        expected: [15.8, 15.79, 15.8, 15.79],
      },
    },
    claims: [
      ['the embeddings contain no position', (of) => of('none, causal', 'probe_error_layer_0') > 14],
      ['the output of the first causal layer contains the position', (of) => of('none, causal', 'probe_error_layer_1') < 8],
      [
        'the causal mask reveals the position even in an untrained model',
        (of) => of('none, causal, untrained', 'probe_error_layer_1') < of('none, bidirectional, untrained', 'probe_error_layer_1') - 2,
      ],
    ],
  },
  ...beyondTraining,
  E7: {
    title: 'A masked novel',
    about:
      'The task `masked_text` at 16 characters: perplexity of masked characters. The results in brackets are for the King James Bible, with two seeds.',
    words: ['masked_text'],
    columns: [16],
    runs: {
      none: { words: encoding('none'), expected: [16.2] },
      learned: { words: encoding('learned'), expected: [9.8] },
      sinusoidal: { words: encoding('sinusoidal'), expected: [9.4] },
      t5: { words: encoding('t5'), expected: [5.4] },
      'alibi (symmetric)': { words: encoding('alibi'), expected: [11.2] },
      rope: { words: encoding('rope'), expected: [6] },
    },
    claims: [
      [
        'every encoding has a lower perplexity than none',
        (of) => ['learned', 'sinusoidal', 't5', 'alibi (symmetric)', 'rope'].every((run) => of(run) < of('none') - 0.5),
      ],
      [
        'RoPE and T5 have the lowest perplexity',
        (of) => Math.max(of('rope'), of('t5')) < Math.min(of('learned'), of('sinusoidal'), of('alibi (symmetric)')),
      ],
    ],
  },
  E9: {
    title: 'Texts of all lengths',
    about:
      'The task `variable_lengths` with a learned table of 64 rows after 200 steps: accuracy at 64 tokens, and for the last 15 of them (`last`).',
    words: ['variable_lengths', '--encoding', 'learned', '--steps', '200'],
    columns: [64, 'last'],
    runs: {
      'fixed length': { words: ['--min_sequence_length', '0'], expected: [1, 1] },
      'lengths 8 to 64': { words: [], expected: [null, 0.7] },
    },
    claims: [['the last rows are learned later if lengths vary', (of) => of('lengths 8 to 64', 'last') < of('fixed length', 'last') - 0.1]],
  },
  E11: {
    title: 'A learned table finds the geometry of its data',
    about:
      'The tasks `geometry_1d` and `geometry_2d`: mean cosine between rows of the centred table, at each distance (Manhattan distance in the grid). Walks on the line take steps of -1, 0 or 1. An earlier version had only steps of -1 and 1, and the rows mainly learned the parity of positions: cosine 1 was -0.004, cosine 2 was 0.719 and cosine 16 was 0.308.',
    words: ['--encoding', 'learned'],
    columns: ['cosine_1', 'cosine_2', 'cosine_4', 'cosine_8', 'cosine_16'],
    runs: {
      'a line': { words: ['geometry_1d'], expected: [0.73, 0.7, 0.63, null, -0.18] },
      'a grid of 8 x 8': { words: ['geometry_2d'], expected: [0.51, 0.27, -0.06, -0.16, null] },
    },
    claims: [
      [
        'on a line, rows of near positions are similar and rows of distant positions are not',
        (of) => of('a line', 'cosine_1') > 0.3 && of('a line', 'cosine_16') < 0.1,
      ],
      [
        'the same in a grid, although its shape is not an input',
        (of) => of('a grid of 8 x 8', 'cosine_1') > 0.2 && of('a grid of 8 x 8', 'cosine_8') < 0,
      ],
    ],
    quick: true,
  },
  E13: {
    title: 'What is position for? Induction',
    about:
      'The task `induction`, trained at 64 tokens: blocks of 2 to 13 symbols out of 26, each written twice. Only second copies count. `previous token` is the mean weight on the previous token in the best head of the first layer. `prefix matching` is the mean weight on the token after the last occurrence of the same token, in the best head of the second layer. The learned table has 512 rows. An earlier version included all tokens in the loss and trained for 2,500 steps. Fewer encodings learned the task, because nine tenths of the loss came from tokens that nothing determines.',
    words: ['induction', '--lengths', '64,128,256,512'],
    columns: [64, 128, 256, 512, 'previous_token', 'prefix_matching'],
    runs: Object.fromEntries(
      ['rope', 't5', 'alibi', 'learned', 'sinusoidal', 'none'].map((id) => [
        id,
        { words: id === 'learned' ? learned(512) : encoding(id), expected: [null, null, null, null, null, null] },
      ]),
    ),
    claims: [
      ['RoPE, T5 and the learned table copy', (of) => ['rope', 't5', 'learned'].every((run) => of(run) > 0.95)],
      ['a model without positions fails', (of) => of('none') < 0.5],
      [
        'with RoPE a head of the first layer looks one token back, and a head of the second layer finds the token that came next',
        (of) => of('rope', 'previous_token') > 0.8 && of('rope', 'prefix_matching') > 0.8,
      ],
      ['without positions no head does this', (of) => of('none', 'previous_token') < 0.3 && of('none', 'prefix_matching') < 0.4],
    ],
  },
  ...withinAttention,
};
