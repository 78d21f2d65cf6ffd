// The convention comparisons, in display order.
import type { Preset } from './presets.ts';

const LAYOUT_GROUP = 'Channel order';
const FREQUENCY_GROUP = 'Frequencies and odd widths';
const COUNTING_GROUP = 'First position and direction';
const SCALE_GROUP = 'Scale of a bias';
const SIDE_GROUP = 'Side of a penalty';
const OTHER_GROUP = 'Encoding and injection';

const TWO_LAYOUTS = { group: LAYOUT_GROUP, encoding: 'sinusoidal', params: { layout: 'interleaved' } } as const;
/** The same layouts, labelled with the order of sines and cosines. */
const CHECKPOINT_LAYOUTS = { ...TWO_LAYOUTS, a: 'sin, cos, sin, cos …', b: 'all sines, then all cosines' } as const;
/** Few channels, so that individual channels can be distinguished. */
const FEW_CHANNELS = { dim: 16, heads: 1 } as const;

const ODD_WIDTH = { group: FREQUENCY_GROUP, encoding: 'sinusoidal', params: { odd_width: 'formula' }, dim: 9, heads: 1 } as const;
const INDEX_TABLE = {
  group: COUNTING_GROUP,
  encoding: 'normalised_index',
  params: { convention: 'over_n' },
  dim: 1,
  heads: 1,
} as const;
const SYMMETRIC_ALIBI = { encoding: 'alibi', params: { form: 'symmetric' } } as const;

/** A table with one bias per distance, from -2 to 2. */
const BIAS_TABLE = { clip: 2, values: false, table_k: { shape: [5, 1], data: Float32Array.of(0.75, 0.5, 0, -0.25, -1) } };

export const PRESETS: readonly Preset[] = [
  {
    id: 'rope_layout',
    group: LAYOUT_GROUP,
    name: 'RoPE: weights of one layout, code for the other',
    a: 'pairs 2t and 2t + 1',
    b: 'pairs t and t + d/2',
    result:
      'Interleaved code rotates neighbouring channels; half-split code rotates channel t with channel t + d/2. With the same queries and keys in both, the scores are wrong and no error is raised.',
    expected: 'different',
    encoding: 'rope',
    params: { layout: 'interleaved' },
    figure: { show: 'scores', other: 'rope layout=half_split' },
  },
  {
    id: 'rope_permuted',
    group: LAYOUT_GROUP,
    name: 'RoPE: q and k permuted together',
    a: 'pairs 2t and 2t + 1',
    b: 't and t + d/2, permuted',
    result:
      'B receives the channels of q and k in the order that half-split code expects: first even channels, then odd channels. Both are permuted in the same way, so every dot product is unchanged.',
    expected: 'same',
    encoding: 'rope',
    params: { layout: 'interleaved' },
    figure: { show: 'scores', other: 'rope layout=half_split', reordered: 'true' },
  },
  {
    id: 'sinusoidal_layout',
    ...CHECKPOINT_LAYOUTS,
    name: 'Sinusoids: interleaved or concatenated',
    result:
      'The same sinusoids in a different channel order: the two tables differ almost everywhere. A model trained with one table reads wrong positions from the other.',
    expected: 'different',
    figure: { show: 'table', other: 'sinusoidal layout=concatenated' },
    ...FEW_CHANNELS,
  },
  {
    id: 'sinusoidal_permuted',
    ...TWO_LAYOUTS,
    name: 'Sinusoids: columns permuted',
    a: 'sin, cos, sin, cos …',
    b: 'concatenated, permuted',
    result:
      'With its columns permuted to the order of A, the concatenated table equals the interleaved table. Only the order of channels differs.',
    expected: 'same',
    figure: { show: 'table', other: 'sinusoidal layout=concatenated', reordered: 'true' },
    ...FEW_CHANNELS,
  },
  {
    id: 'sinusoidal_mixed',
    ...CHECKPOINT_LAYOUTS,
    name: 'Sinusoids: embeddings of one layout, code for the other',
    result: 'The embeddings are the same, but each channel receives another channel’s sinusoid. The attention weights are silently wrong.',
    expected: 'different',
    figure: { show: 'weights', other: 'sinusoidal layout=concatenated' },
    heads: 1,
  },
  {
    id: 'sinusoidal_similarity',
    ...CHECKPOINT_LAYOUTS,
    name: 'Sinusoids: similarity and channel order',
    result:
      'A dot product sums over channels in any order, so the similarity of two positions is the same in both layouts. It cannot reveal the layout of a file.',
    expected: 'same',
    figure: { show: 'similarity', other: 'sinusoidal layout=concatenated' },
  },
  {
    id: 'sinusoidal_frequencies',
    group: FREQUENCY_GROUP,
    name: 'Sinusoids: paper or tensor2tensor',
    a: 'exponent 2t/d',
    b: 'exponent t/(d/2 − 1)',
    result:
      'In the authors’ code the last wavelength reaches the maximum; in the paper’s formula it is one step shorter. The first and fastest sinusoid is the same; the others differ.',
    expected: 'different',
    encoding: 'sinusoidal',
    params: { frequencies: 'paper' },
    figure: { show: 'table', other: 'sinusoidal frequencies=tensor2tensor' },
    ...FEW_CHANNELS,
  },
  {
    id: 'odd_width',
    ...ODD_WIDTH,
    name: 'Odd width: sine or zero in the last channel',
    a: 'the last channel is a sine',
    b: 'the last channel is 0',
    result:
      'With nine channels, the last has no partner: in the formula, it is the sine of the lowest frequency; in some implementations, it is 0. The difference is small near the start and grows with the position.',
    expected: 'different',
    figure: { show: 'table', other: 'sinusoidal odd_width=zero_padded', length: '128' },
  },
  {
    id: 'odd_width_rounded',
    ...ODD_WIDTH,
    name: 'Odd width: exponent 2t/d or 2t/(d + 1)',
    a: 'exponent 2t/9',
    b: 'exponent 2t/10',
    result:
      'Some implementations compute the table for the next even width and drop the last column. This changes every frequency except the first.',
    expected: 'different',
    figure: { show: 'table', other: 'sinusoidal odd_width=rounded_up' },
  },
  {
    id: 'index_from_one',
    ...INDEX_TABLE,
    name: 'Normalised index: i/n or (i + 1)/n',
    a: 'i/n, i from 0',
    b: 'i/n, i from 1',
    result:
      'If i starts at 0, the first value is 0 and the last is below 1. If i starts at 1, the last value is 1, and every value is larger by 1/n.',
    expected: 'different',
    figure: { show: 'table', other: 'normalised_index convention=over_n_from_one', length: '9' },
  },
  {
    id: 'index_linspace',
    ...INDEX_TABLE,
    name: 'Normalised index: i/n or i/(n − 1)',
    a: 'i/n, ends below 1',
    b: 'i/(n − 1), ends at 1',
    result:
      'Division by n − 1 gives values from exactly 0 to exactly 1, and the middle of an odd length is exactly 1/2. The difference from i/n is 0 at the first position and grows to 1/n at the last.',
    expected: 'different',
    figure: { show: 'table', other: 'normalised_index convention=linspace', length: '9' },
  },
  {
    id: 'odd_middle',
    group: COUNTING_GROUP,
    name: 'xPos: the middle of an odd length',
    a: 'middle of 5: 3 (rounded up)',
    b: 'middle of 5: 2 (rounded down)',
    result:
      'torchscale rounds half an odd length up; other implementations round it down, so their scales are centred on different positions. The query and key factors cancel, so the scores are the same.',
    expected: 'same',
    encoding: 'xpos',
    params: { length: 5, center: 'torchscale' },
    figure: { show: 'scores', other: 'xpos length=5 center=lucidrains' },
    mask: 'causal',
  },
  {
    id: 'sign_of_distance',
    group: COUNTING_GROUP,
    name: 'Shaw: the sign of a distance',
    a: 'key − query, right positive',
    b: 'query − key, left positive',
    result:
      'Both index the same table, one by key minus query, the other by query minus key. Left and right are swapped: only the diagonal of the scores (distance 0) is unchanged.',
    expected: 'different',
    encoding: 'shaw',
    params: { direction: 'right_positive' },
    figure: { show: 'scores', other: 'shaw direction=left_positive' },
  },
  {
    id: 'sign_mirrored',
    group: COUNTING_GROUP,
    name: 'Shaw: opposite sign, table mirrored',
    a: 'key − query',
    b: 'query − key, table mirrored',
    result:
      'A table trained with one sign works with code that uses the other if its rows are reversed: the row for −2 becomes the row for 2. Every distance then has its trained vector, so the scores are the same.',
    expected: 'same',
    encoding: 'shaw',
    params: { direction: 'right_positive', ...BIAS_TABLE },
    // BIAS_TABLE in reverse order.
    figure: { show: 'scores', other: 'shaw direction=left_positive clip=2 values=false table_k=5x1:-1,-0.25,0,0.5,0.75' },
    dim: 4,
  },
  {
    id: 't5_scale',
    group: SCALE_GROUP,
    name: 'T5: scores without 1/√d',
    a: 'q · k + bias, as in T5',
    b: 'q · k/√d + bias',
    result:
      'T5 does not divide by √d; its initial weights are smaller instead. If the scores are divided by √16 = 4, the same queries and keys give far more uniform attention.',
    expected: 'different',
    encoding: 't5',
    // Makes the biases as small relative to the scores as in a trained model.
    params: { init_std: 0.1 },
    // 1/sqrt(16), the default scale for 64 channels in four heads.
    figure: { show: 'weights', other: 't5 init_std=0.1', scale: '0.25' },
  },
  {
    id: 'bias_placement',
    group: SCALE_GROUP,
    name: 'Bias outside or inside the scaling',
    a: 'q · k/√d + bias',
    b: '(q · k + bias)/√d',
    result:
      'Inside the brackets, the bias is also divided by √d, which is 4 for 16 channels. Swin adds it outside; some lecture notes write it inside.',
    expected: 'different',
    encoding: 'relative_bias',
    params: { placement: 'outside' },
    figure: { show: 'weights', other: 'relative_bias placement=inside' },
  },
  {
    id: 'alibi_heads',
    group: SCALE_GROUP,
    name: 'ALiBi: slopes of six heads',
    a: 'slopes in the authors’ code',
    b: 'the plain formula, 2^(−8h/6)',
    result:
      'Six is not a power of two, so the authors use the slopes for 4 heads and then every second slope for 8 heads. Head 5 has the slope 1/2 in their code and 0.0098 in the plain formula.',
    expected: 'different',
    ...SYMMETRIC_ALIBI,
    // The slopes are 2^(-8h/6) for h = 1 to 6, rounded to float32.
    figure: { show: 'bias', other: 'alibi slopes=0.39685026,0.15749013,0.0625,0.024803141,0.0098431332,0.00390625', length: '12' },
    dim: 60,
    heads: 6,
    head: 4,
  },
  {
    id: 'alibi_form',
    group: SIDE_GROUP,
    name: 'ALiBi: symmetric or causal, under a causal mask',
    a: 'penalty on both sides',
    b: 'penalty on the left',
    result: 'A causal mask hides all keys to the right of a query. The two forms differ only there, so the weights are the same.',
    expected: 'same',
    ...SYMMETRIC_ALIBI,
    figure: { show: 'weights', other: 'alibi form=causal' },
    mask: 'causal',
  },
  {
    id: 'alibi_both',
    group: SIDE_GROUP,
    name: 'ALiBi: symmetric or causal, without a mask',
    a: 'penalty on both sides',
    b: 'penalty on the left',
    result: 'Without a mask the two forms differ. The causal form does not penalise keys to the right.',
    expected: 'different',
    ...SYMMETRIC_ALIBI,
    figure: { show: 'bias', other: 'alibi form=causal' },
  },
  {
    id: 'alibi_row_shifted',
    group: SIDE_GROUP,
    name: 'ALiBi: by distance or by the key’s position',
    a: 'minus slope × distance',
    b: 'slope × position of the key',
    result:
      'BLOOM adds the slope times the key’s position. Under a causal mask, this shifts each row by a constant, so the softmax does not change.',
    expected: 'same',
    ...SYMMETRIC_ALIBI,
    figure: { show: 'weights', other: 'alibi form=row_shifted' },
    mask: 'causal',
  },
  {
    id: 'add_or_concatenate',
    group: OTHER_GROUP,
    name: 'Add or concatenate',
    result:
      'Addition keeps the width, but every dot product has cross terms between words and positions. After concatenation, a dot product is the sum of a word product and a position product, without cross terms.',
    expected: 'same',
    encoding: 'sinusoidal',
    view: 'combine',
  },
  {
    id: 'rotate_or_bias',
    group: OTHER_GROUP,
    name: 'RoPE or ALiBi',
    a: 'RoPE rotates q and k',
    b: 'ALiBi adds a penalty',
    result:
      'RoPE rotates queries and keys; ALiBi subtracts a penalty from the scores. Both effects depend only on the distance, but the weights differ.',
    expected: 'different',
    encoding: 'rope',
    figure: { show: 'weights', other: 'alibi' },
  },
];
