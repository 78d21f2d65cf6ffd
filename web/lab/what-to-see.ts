// What to look for in a large figure: two sentences made from the state.
import type { EncodingInfo } from '../engine/index.ts';
import { isIdentity } from '../sentence/order.ts';
import { titleOf } from './descriptions.ts';
import type { LabState } from './state.ts';

type Tell = (title: string, encoding: EncodingInfo, state: LabState) => string;

const LINES: { readonly [kind: string]: Tell } = {
  table: (title) => `Each row is what ${title} adds to the word at that position. No two rows should be the same.`,
  waves: (title) =>
    `Each curve is one channel of ${title} along the sentence. Fast channels tell neighbours apart, slow ones tell the beginning from the end.`,
  clocks: () => 'Each pair of channels is the hand of a clock. Read from fast to slow they count positions, as binary digits do.',
  similarity: (title) =>
    `Bright cells are positions that ${title} makes alike. If only the distance counts, every diagonal has one colour.`,
  distance: () => 'The curve falls as positions move apart and then oscillates. Where it is nearly flat, distances are hard to tell apart.',
  plane: (title) =>
    `Positions that are close together get similar vectors from ${title}. A smooth path means that a small step changes little.`,
  shift: () =>
    'One matrix moves every position by k, because it rotates each pair by the same angle everywhere. That is why relative positions can be learned.',
  requirements: (title, { injection }) =>
    injection === 'none'
      ? 'Without an encoding no position gets anything, so none of the five can hold. Choose an encoding to see which do.'
      : `A bar to the right says by how much ${title} does better than asked, one to the left by how much worse. No encoding has to meet all five.`,
  rotation: () =>
    'Each pair of channels is rotated by its position times its frequency. The dot product depends only on the angle between query and key, and so on the distance.',
  bias: (title) => `${title} is added to every score before the softmax. The lines below follow one cell from its distance to its bias.`,
  curve: (title, { relative }) =>
    `Each line is one head of ${title}. ${relative ? 'The bias depends on the distance alone, so one line is the whole matrix.' : 'It depends on more than the distance.'}`,
  chain: () => 'Follow one row from left to right: scores, what is added, the mask, and the weights. The weights sum to 1.',
  attention: (title, { injection }, { mask }) =>
    `Each row is one query: how its attention is distributed over the words. ${
      mask === 'causal'
        ? 'With the causal mask the upper right is empty.'
        : injection === 'none'
          ? 'Without positions, moving a word only moves its row and its column.'
          : `With ${title}, moving a word changes other rows too.`
    }`,
  change: (_, __, { order }) =>
    isIdentity(order) || order.length === 0
      ? 'Drag a word of the sentence: each bar is how much the output of that word changes. Without positions every bar stays at rounding error.'
      : 'Each bar is how much the output of that word has changed by the new order. At rounding error, attention has not noticed.',
  compare: () =>
    'A, B and their difference have the same axes and the same colours. A difference of zero everywhere means that the two agree.',
  combine: () =>
    'Adding saves channels, concatenating keeps words and positions apart. The curves show how much of each can still be read.',
  frequencies: () =>
    'Lines beyond the shaded range are angles never seen in training. Each scaling method brings them back in its own way.',
  long: () => 'Each pixel is the mean of many weights; zoom in for the exact ones. Look for the diagonal, and for how far it reaches.',
  patches: () => 'Shuffle the patches: without positions attention does not notice. An encoding of rows and columns makes it notice.',
  points: () =>
    'A set has no order, so nothing should depend on it. With an encoding for sequences the same points get different outputs in another order.',
};

export const whatToSee = (kind: string, encoding: EncodingInfo, state: LabState): string =>
  LINES[kind]?.(titleOf(encoding.id), encoding, state) ?? '';

/** The kinds that have such sentences. */
export const TOLD: readonly string[] = Object.keys(LINES);
