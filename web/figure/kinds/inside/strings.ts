import { all, whole } from '../../../charts/english.ts';
import type { ShippedModel } from '../../runtime/shipped-models.ts';
import { stepShown, type Training } from './model.ts';

/** How far a training here has come. */
export const live = (training: Training, novel = ''): string => {
  const { spec, steps, isHidden } = training;
  return `Live, trained here${novel}, one seed (${spec.seed}): step ${whole.format(steps.at(-1) ?? 0)} of ${whole.format(spec.steps)}${isHidden ? '. Paused while the page is hidden' : ''}`;
};
const novelOf = ({ text }: ShippedModel): string => (text ? `“${text.title}” (${text.author}, ${text.year})` : 'its task');
const own = (hasOtherParams: boolean): string => (hasOtherParams ? ', with parameters of its own instead of those chosen here' : '');
/** '21 characters', '1 character'. */
export const counted = (count: number): string => `${whole.format(count)} character${count === 1 ? '' : 's'}`;
/** The character so far before another. */
export const distanceBack = (distance: number): string =>
  distance === 0 ? 'the character itself' : distance === 1 ? 'the character before' : `the one ${counted(distance)} back`;

export const words = {
  question: 'What did the model learn?',
  instruction: 'Point anywhere to read the numbers; where there are small maps, click one to see it large.',
  caption:
    'A small trained transformer, looked into: how each character of your sentence shares its attention among those before it, which frequencies its heads use, or what its learned positions have become.',
  labels: {
    show: 'show',
    layer: 'layer',
    task: 'data of the table',
    run: 'training',
    snapshot: 'snapshot',
  },
  help: {
    show: 'heads: attention on your sentence. table: what was learned about position, where the encoding has learned numbers (a learned table, T5 and other biases). frequencies: how much each head uses each pair of channels, where the encoding rotates them (RoPE, XPos).',
    layer: 'Which layer the large map is from; the first reads the characters, the next reads what the first has made of them.',
    task: 'What the learned table is trained on: geometry_1d, walks along a line; geometry_2d, pictures of 8 by 8 squares, row after row.',
    run: 'recorded, or trained here, live.',
    snapshot: 'How far a model that is trained here is shown: 0 is before training, 20 the end. It trains up to there.',
  },
  query: 'attends',
  key: 'is attended to',
  weight: 'weight',
  masked: 'comes later',
  head: 'head',
  heads: 'All heads: choose one',
  space: 'the space',
  layer: (layer: number) => `Layer ${layer}`,
  place: (layer: number, head: number) => `layer ${layer}, head ${head}`,
  title: (layer: number, head: number) => `Attention of layer ${layer}, head ${head}`,
  headName: (head: number) => `head ${head}`,
  previousHead: 'Previous head',
  nextHead: 'Next head',
  toTable: 'What it learned about position',
  toFrequencies: 'Which frequencies its heads use',
  toHeads: 'Attention on the sentence',
  inHead: (layer: number, head: number, sentence: string) => `Layer ${layer}, head ${head}: ${sentence}`,
  character: (name: string, at: number) => `${name} (character ${at + 1})`,
  cell: (from: string, to: string, value: string) => `${from} attends to ${to}: weight ${value}`,
  row: (from: string, to: string, value: string) => `${from} attends most to ${to}: weight ${value}`,
  later: (from: string, to: string) => `${from} cannot attend to ${to}, which comes later`,
  mostly: (distance: number, value: string, first: string) =>
    `on average most attention goes to ${distanceBack(distance)}: ${value}; the first character gets ${first}`,
  charactersBack: 'characters back',
  firstCharacter: 'first character',
  reads: (read: string, unknown: readonly string[], cut: readonly [read: number, total: number] | undefined) =>
    [
      `The model reads: ${read}${read.endsWith('.') ? '' : '.'}`,
      unknown.length > 0 ? `Left out, because its novel does not have them: ${all.format(unknown)}.` : '',
      cut
        ? `It was trained on ${whole.format(cut[0])} characters at a time, so the first ${whole.format(cut[0])} of ${whole.format(cut[1])} are read.`
        : '',
    ]
      .filter(Boolean)
      .join(' '),
  trained: (training: Training, hasOtherParams: boolean) => {
    const { origin, model } = training;
    return origin === 'recorded'
      ? `Trained beforehand on ${novelOf(model)}: ${whole.format(model.steps)} steps, one seed (${model.spec.seed})${own(hasOtherParams)}.`
      : `${live(training, ` on ${novelOf(model)}${own(hasOtherParams)}`)}. What is shown is the model after ${whole.format(stepShown(training))}.`;
  },
  nothingKnown: 'it has no character that the model knows; letters, digits and common punctuation are known',
  noModels: 'this page has no trained models; the website and the package phasor-models have all, and the book in one file has some',
  tables: {
    weights: 'weights of the chosen head',
    back: 'mean weight by distance',
    first: 'mean weight on the first character',
    maps: 'weights of all heads',
  },
  headProof: (isCompared: boolean) => ({
    what: `largest difference of a row’s sum from 1, weight on a later character${isCompared ? ', or change of a weight when only the first half is read' : ''}`,
    holds: `Each row shares out exactly 1, and nothing goes to later characters${isCompared ? ': the first half alone gives the same weights' : ''}.`,
    amber: 'A row does not share out 1, or later characters make a difference.',
  }),
  weightsFrom: (training: Training) => {
    const { origin, model, spec, isHashed } = training;
    return origin === 'recorded'
      ? `Rounding of float32. The weights are those of ${model.file}, ${isHashed ? 'checked against' : 'not checked on this page against'} its SHA-256, from ${model.command}.`
      : `Rounding of float32. The weights are those that training here has found after ${whole.format(stepShown(training))} steps, with the seed ${spec.seed}.`;
  },
  snapshotAt: (step: number) => `The model after ${whole.format(step)} steps: choose it to see it`,
  train: 'Train it here',
  notRecorded: (seed: number) => `only seed ${seed} was recorded; every seed can be trained here`,
  cannotTrain: 'live: this page has nothing that trains; the website does',
  lacksNovel: 'live: this page does not have the novel that these models read; the website does',
} as const;
