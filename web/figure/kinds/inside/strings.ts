import { joinWithAnd, wholeNumber } from '../../../charts/english.ts';
import type { ShippedModel } from '../../runtime/shipped-models.ts';
import { getDisplayedStep, type Training } from './model.ts';

export const describeLiveTraining = (training: Training, novel = ''): string => {
  const { config, steps, isPageHidden } = training;
  return `Live, trained here${novel}, one seed (${config.seed}): step ${wholeNumber.format(steps.at(-1) ?? 0)} of ${wholeNumber.format(config.steps)}${isPageHidden ? '. Paused while the page is hidden' : ''}`;
};
const describeTrainingData = ({ text }: ShippedModel): string => (text ? `“${text.title}” (${text.author}, ${text.year})` : 'its task');
const formatParamsNote = (hasOtherParams: boolean): string =>
  hasOtherParams ? ', with its own parameters instead of the selected ones' : '';
export const formatCharacterCount = (count: number): string => `${wholeNumber.format(count)} character${count === 1 ? '' : 's'}`;
export const describeDistance = (distance: number): string =>
  distance === 0 ? 'the character itself' : distance === 1 ? 'the character before' : `the one ${formatCharacterCount(distance)} back`;

export const strings = {
  question: 'What did the model learn?',
  instruction: 'Point at a cell to read its value; click a small map to enlarge it.',
  caption:
    'Inside a small trained transformer: the attention of each character of your sentence to earlier ones, the frequencies that its heads use, or its learned positions.',
  labels: {
    show: 'show',
    layer: 'layer',
    task: 'table data',
    run: 'training',
    snapshot: 'snapshot',
  },
  help: {
    show: 'heads: attention on your sentence; table: learned positions, for encodings that learn a table or a bias; frequencies: how much each head uses each pair of channels, for encodings that rotate them.',
    layer: 'Layer shown. Layer 1 reads characters; later layers read its output.',
    task: 'Training data of the learned table. geometry_1d: walks along a line; geometry_2d: images of 8 by 8 squares, read row by row.',
    run: 'recorded: a model trained beforehand; live: a model trained on this page.',
    snapshot: 'Snapshot of the model trained on this page, from 0 (before training) to 20 (the end). Training stops at this snapshot.',
  },
  query: 'query',
  key: 'key',
  weight: 'weight',
  masked: 'masked',
  head: 'head',
  headMapsTitle: 'All heads: choose one',
  spaceName: 'the space',
  layerName: (layer: number) => `Layer ${layer}`,
  headLocation: (layer: number, head: number) => `layer ${layer}, head ${head}`,
  mapTitle: (layer: number, head: number) => `Attention of layer ${layer}, head ${head}`,
  headName: (head: number) => `head ${head}`,
  previousHead: 'Previous head',
  nextHead: 'Next head',
  showTable: 'Show learned positions',
  showFrequencies: 'Show head frequencies',
  showHeads: 'Show attention',
  headReadout: (layer: number, head: number, readout: string) => `Layer ${layer}, head ${head}: ${readout}`,
  numberedCharacter: (name: string, index: number) => `${name} (character ${index + 1})`,
  cellReadout: (query: string, key: string, value: string) => `${query} attends to ${key}: weight ${value}`,
  rowReadout: (query: string, key: string, value: string) => `${query} attends most to ${key}: weight ${value}`,
  maskedReadout: (query: string, key: string) => `${query} cannot attend to ${key}, which comes later`,
  mainDistance: (distance: number, weight: string, weightOnFirst: string) =>
    `on average, most attention goes to ${describeDistance(distance)}: ${weight}; the first character gets ${weightOnFirst}`,
  charactersBack: 'characters back',
  firstCharacter: 'first character',
  inputNote: (inputText: string, unknownCharacters: readonly string[], truncation: readonly [read: number, total: number] | undefined) =>
    [
      `Model input: ${inputText}${inputText.endsWith('.') ? '' : '.'}`,
      unknownCharacters.length > 0
        ? `Omitted, because the model’s training novel does not contain them: ${joinWithAnd.format(unknownCharacters)}.`
        : '',
      truncation
        ? `The model was trained on ${wholeNumber.format(truncation[0])} characters at a time, so it reads the first ${wholeNumber.format(truncation[0])} of ${wholeNumber.format(truncation[1])}.`
        : '',
    ]
      .filter(Boolean)
      .join(' '),
  trainingNote: (training: Training, hasOtherParams: boolean) => {
    const { origin, model } = training;
    return origin === 'recorded'
      ? `Trained beforehand on ${describeTrainingData(model)}: ${wholeNumber.format(model.steps)} steps, one seed (${model.spec.seed})${formatParamsNote(hasOtherParams)}.`
      : `${describeLiveTraining(training, ` on ${describeTrainingData(model)}${formatParamsNote(hasOtherParams)}`)}. The model is shown after step ${wholeNumber.format(getDisplayedStep(training))}.`;
  },
  noKnownCharacters: 'contains no character of the model’s vocabulary; expected letters, digits or common punctuation',
  noModels:
    'this page includes no trained models; the website and the package phasor-models include all models, the single-file book only some',
  tables: {
    weights: 'weights of the selected head',
    back: 'mean weight by distance',
    first: 'mean weight on the first character',
    maps: 'weights of all heads',
  },
  headProof: (isCompared: boolean) => ({
    quantity: `largest difference between a row’s sum and 1, weight on a later character${isCompared ? ', or change in a weight when only the first half is read' : ''}`,
    passes: `Each row sums to 1, and later characters have no weight${isCompared ? '; reading only the first half gives the same weights' : ''}.`,
    fails: `A row does not sum to 1, or a later character has weight${isCompared ? ', or a weight changes when only the first half is read' : ''}.`,
  }),
  weightsSource: (training: Training) => {
    const { origin, model, config, isHashVerified } = training;
    return origin === 'recorded'
      ? `Float32 rounding. The weights are from ${model.file}, ${isHashVerified ? 'checked against' : 'not checked on this page against'} its SHA-256. Command: ${model.command}.`
      : `Float32 rounding. The weights are from training on this page after ${wholeNumber.format(getDisplayedStep(training))} steps, with seed ${config.seed}.`;
  },
  snapshotReadout: (step: number) => `Show the model after ${wholeNumber.format(step)} steps`,
  train: 'Train',
  notRecorded: (seed: number) => `only seed ${seed} was recorded; any seed can be trained here`,
  cannotTrain: 'live: training is unavailable on this page; use the website',
  noNovel: 'live: this page does not include the novel that these models were trained on; use the website',
} as const;
