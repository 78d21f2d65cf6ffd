// What to look for in a large figure: two sentences made from the state.
import type { EncodingInfo } from '../engine/index.ts';
import { isIdentity } from '../sentence/order.ts';
import { nounOf } from './nouns.ts';
import type { LabState } from './state.ts';

/** Words that are true wherever a figure leaves out what supports its main picture: on a phone, and when it is presented. */
type Tell = (noun: string, encoding: EncodingInfo, state: LabState) => string;

const isRandom = ({ id }: EncodingInfo, { params }: LabState): boolean => id === 'learned' && params.table === undefined;
const SINUSOIDAL = ['sinusoidal', 'sinusoidal_grid'];
const SEVERAL_FREQUENCIES = [...SINUSOIDAL, 'multi_frequency', 'nerf'];

function waves(encoding: EncodingInfo, state: LabState): string {
  if (encoding.id === 'binary') return 'Digits of large positions stay 0 in a short text; “shown channels”, under Change, has the others.';
  if (isRandom(encoding, state)) return 'The numbers are random until they are trained, so neighbours have nothing in common.';
  if (SEVERAL_FREQUENCIES.includes(encoding.id)) return 'Fast channels tell neighbours apart, slow ones tell the beginning from the end.';
  return 'Where two positions have the same value in every channel, they cannot be told apart.';
}

const GROWS = 'In this form the bias grows with the position of the key: another query would draw other lines.';
/** Forms of biases that are no functions of the distance. */
const FORMS: { readonly [form: string]: string } = {
  row_shifted: GROWS,
  mpt: GROWS,
  weighted_power: 'In this form scores are weighted before the bias, so it depends on the words too: another query would draw other lines.',
};

function curve({ id, injection, relative }: EncodingInfo, { params }: LabState): string {
  if (id === 'fire') return 'Up to position init_l the bias depends on the distance alone; beyond it, on the position of the query too.';
  if (injection !== 'score')
    return 'The bias depends on the query too, and not on the distance alone: another query would draw other lines.';
  const special = FORMS[String(params.form)];
  if (special) return special;
  return relative ? 'The bias depends on the distance alone, so one line is the whole matrix.' : 'It depends on more than the distance.';
}

const LINES: { readonly [kind: string]: Tell } = {
  table: (noun) => `Each row is the vector that is added to the word at that position: ${noun}. No two rows should be the same.`,
  waves: (noun, encoding, state) => `Each curve is one channel of ${noun} along the sentence. ${waves(encoding, state)}`,
  clocks: () => 'Each pair of channels is the hand of a clock. Read from fast to slow they count positions, as binary digits do.',
  similarity: () => 'Bright cells are positions whose vectors are alike. If only the distance counts, every diagonal has one colour.',
  distance: (_, encoding, state) => {
    if (isRandom(encoding, state))
      return 'The vectors are random until they are trained: a position is like itself, and no distance differs from any other.';
    return SINUSOIDAL.includes(encoding.id)
      ? 'The curve falls as positions move apart and then oscillates. Where it is nearly flat, distances are hard to tell apart.'
      : 'Where the curve is nearly flat, distances are hard to tell apart. A wide band means that it matters where the two positions stand.';
  },
  plane: (_, encoding, state) =>
    isRandom(encoding, state)
      ? 'The vectors are random until they are trained, so the path jumps: neighbours are no more alike than distant positions.'
      : 'The path joins positions in their order. Where it is smooth, a small step changes little; where it jumps, neighbours are far apart.',
  shift: () =>
    'One matrix moves every position by k, because it rotates each pair by the same angle everywhere. That is why relative positions can be learned.',
  requirements: (_, { injection }) =>
    injection === 'none'
      ? 'Without an encoding no position gets anything, so none of the five can hold. Choose an encoding to see which do.'
      : 'Each line compares one measured number with what is asked of it. No encoding has to meet all five.',
  rotation: () =>
    'Each pair of channels is rotated by its position times its frequency. The dot product depends only on the angle between query and key, and so on the distance.',
  bias: (noun) => `Each cell is what is added to one score before the softmax: ${noun}. Cells of one colour get the same.`,
  curve: (noun, encoding, state) => `Each line is one head with ${noun}. ${curve(encoding, state)}`,
  chain: () => 'Follow one key from top to bottom: its score, what is added, the mask, and its weight. The weights of all keys sum to 1.',
  attention: (noun, { injection }, { mask }) =>
    `Each row is one query: how its attention is distributed over the words. ${
      mask === 'causal'
        ? 'With the causal mask the upper right is empty.'
        : injection === 'none'
          ? 'Without positions, moving a word only moves its row and its column.'
          : `With ${noun}, moving a word changes other rows too.`
    }`,
  change: (_, __, { order }) =>
    isIdentity(order) || order.length === 0
      ? 'Drag a word of the sentence: each bar is how much the output of that word changes. Without positions every bar stays at rounding error.'
      : 'Each bar is how much the output of that word has changed by the new order. At rounding error, attention has not noticed.',
  compare: () =>
    'A, B and their difference have the same axes and the same colours. A difference of zero everywhere means that the two agree.',
  combine: () =>
    'Adding saves channels, concatenating keeps words and positions apart. Bright cells are positions whose results are alike.',
  frequencies: () =>
    'Lines beyond the shaded range are angles never seen in training. Each scaling method brings them back in its own way.',
  long: () => 'Each pixel is the mean of many weights; zoom in for the exact ones. Look for the diagonal, and for how far it reaches.',
  patches: () => 'Shuffle the patches: without positions attention does not notice. An encoding of rows and columns makes it notice.',
  points: () =>
    'A set has no order, so nothing should depend on it. With an encoding for sequences the same points get different outputs in another order.',
};

export const whatToSee = (kind: string, encoding: EncodingInfo, state: LabState): string =>
  LINES[kind]?.(nounOf(encoding.id), encoding, state) ?? '';

/** The kinds that have such sentences. */
export const TOLD: readonly string[] = Object.keys(LINES);
