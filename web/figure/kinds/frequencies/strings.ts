import { all, groupedDecimal, spaced } from '../../../charts/english.ts';

const tokens = (count: number): string => `${groupedDecimal(count)} ${count === 1 ? 'token' : 'tokens'}`;

const SCALINGS: { readonly [id: string]: string } = {
  none: 'no scaling',
  linear: 'linear',
  ntk_aware: 'NTK-aware',
  dynamic_ntk: 'dynamic NTK',
  by_parts: 'NTK by parts',
  yarn: 'YaRN',
  longrope: 'LongRoPE',
  llama3: 'Llama 3',
  part_ntk: 'part NTK',
};
const scaling = (id: string): string => SCALINGS[id] ?? id;
const encodings: { readonly [id: string]: string } = { rope: 'RoPE', mrope: 'M-RoPE' };

/** What other models have instead of rotation. */
const others: { readonly [id: string]: string } = {
  none: 'no positions',
  alibi: 'ALiBi',
  learned: 'a learned table of positions',
  sinusoidal: 'a table of sinusoids',
  t5: 'the relative biases of T5',
  deberta: 'the relative positions of DeBERTa',
  shaw: 'relative positions in its keys',
  transformer_xl: 'the relative positions of Transformer-XL',
};

/** The positions of a token of M-RoPE. */
const AXES = ['time', 'row', 'column'] as const;

export const words = {
  question: 'What happens to rotary positions beyond the trained length?',
  instruction: 'Follow a curve past the shaded part: there, nothing was trained.',
  caption:
    'Each pair of channels rotates at its own speed. Scaling slows pairs down, so that a longer text stays within angles seen in training.',
  labels: {
    config: 'config.json',
    layerType: 'layers',
    layer: 'layer',
    compare: 'compared with',
    factor: 'factor',
    width: 'channels',
    trained: 'trained length',
    length: 'this text',
  },
  help: {
    config: 'From a published model (Hugging Face, versions 4 and 5), to show its own positions instead of those chosen above.',
    layerType: 'Which layers of a model whose layers differ.',
    layer: 'The number of the layer, counted from 0, in a model whose layers differ.',
    compare: 'Other ways to scale frequencies, at most five.',
    factor:
      'How many times longer the context becomes with the other scalings; 0: as the encoding says, else this text over the trained length.',
    width: 'Channels of a head that rotate; 0: as the model says.',
    trained: 'Length of the training texts in tokens; 0: as the model or the encoding says.',
    length: 'Length of the text in tokens; 0: as the model says.',
  },
  notJson: (reason: string) => `this is not JSON (${reason})`,
  tooDeep: (most: number) => `this is nested more than ${most} levels deep, the most that is read here`,
  notObject: 'this is not a JSON object, such as a config.json is',
  scaling,
  scalings: Object.entries(SCALINGS),
  thisModel: (id: string) => `${scaling(id)}: this model`,
  wavelengths: {
    title: 'Tokens for one rotation of each pair',
    axis: 'wavelength (tokens)',
    shade: 'full rotation in training',
    trained: (count: number) => `trained on ${tokens(count)}`,
    length: (count: number) => `this text: ${tokens(count)}`,
  },
  reached: {
    title: (count: number) => `Angle of each pair after ${tokens(count)}`,
    axis: 'angle (rad)',
    shade: 'angles seen in training',
    rotation: 'one rotation: 2π',
  },
  pair: 'pair of channels',
  axes: AXES,
  pairs: 'pair of channels, fast to slow',
  method: 'scaling',
  tables: {
    inv_freq: 'Frequencies (rad per token)',
    wavelengths: 'Wavelengths (tokens)',
    reached: 'Angles at the end of the text (rad)',
    trained: 'Angles at the end of training, without scaling (rad)',
    axis: 'The position that each pair reads: 0 time, 1 row, 2 column',
  },
  value: 'value',
  notes: {
    encoding: (id: string, params: string, isModel: boolean) =>
      `${isModel ? 'From the config: ' : ''}${encodings[id] ?? id}${params === '' ? '' : `, ${params}`}.`,
    param: (name: string, value: string) => `${spaced(name)} ${value}`,
    array: (count: number) => `(${count} numbers)`,
    lengths: (width: number, trained: number, length: number) =>
      `Heads of ${groupedDecimal(width)} channels, trained on ${tokens(trained)}, shown for a text of ${tokens(length)}.`,
    widthKey: (key: string) => `The width is that of ${key}.`,
    widthGiven: 'The width is the one chosen here.',
    widthAssumed: (width: number) => `The size of a head is not in the config, so ${width} channels are assumed.`,
    lengthAssumed: (count: number) => `The trained length is not in the config, so ${tokens(count)} are assumed.`,
    key: (key: string, value: string) => `${key} ${value}`,
    because: (keys: readonly string[]) => `The config says so in ${all.format(keys)}; its other keys do not concern rotation.`,
    defaults: (keys: readonly string[]) => `Not in the config; assumed, as in models of its family: ${all.format(keys)}.`,
    assumed: (keys: readonly string[]) => `Assumed, because this model family is not listed: ${all.format(keys)}.`,
    compared: (factor: string, isGiven: boolean) =>
      `The other scalings are shown with factor ${factor}${isGiven ? '' : ', the length of this text over the trained length'}.`,
    layer: (layer: number) => `Layers differ; this is layer ${groupedDecimal(layer)}, counted from 0.`,
    factor: (name: string, factor: string) => `${name} multiplies cosines and sines by ${factor}.`,
    still: (count: number) => `${count === 1 ? 'One pair does' : `${count} pairs do`} not rotate.`,
  },
  widthWrong: (width: number, reason: string) =>
    `width: heads of ${width} channels do not fit this config, which does not say how large they are; set the width (${reason})`,
  notRotary: (model: string | undefined, id: string) =>
    `config: ${model ? `a model of type ${model}` : 'this model'} has ${others[id] ?? `the positions of ${id}`} and rotates nothing, so there are no frequencies to show`,
  notInLayer: (model: string | undefined, layer: number) =>
    `config: layer ${layer} of ${model ? `a model of type ${model}` : 'this model'} has no positions, so there are no frequencies to show; choose another layer`,
  notInType: (model: string | undefined, layerType: string) =>
    `config: ${spaced(layerType)} layers of ${model ? `a model of type ${model}` : 'this model'} have no positions, so there are no frequencies to show; choose other layers`,
  range: (pairs: string, range: string, slow: number, trained: number) =>
    `${pairs}: one rotation takes ${range}. ${slow === 0 ? 'All pairs make' : slow === 1 ? 'One pair does not make' : `${slow} pairs do not make`} a full rotation within the trained ${tokens(trained)}, without scaling.`,
  /** `axis`: the position that it reads, where there are three. */
  reads: (pair: number, axis: number | undefined) =>
    `Pair ${pair}${axis === undefined || axis < 0 ? '' : `, which reads the ${AXES[axis]},`}`,
  at: (pair: string, wavelengths: readonly string[], length: number, angles: readonly string[], trained: string) =>
    `${pair} makes one rotation ${all.format(wavelengths)}. After ${tokens(length)} it is at ${all.format(angles)} rad; training reached ${trained} rad.`,
  of: (value: string, name: string) => `${value} (${name})`,
  wavelengthRange: (isOne: boolean, min: string, max: string) => (isOne ? `${min} tokens` : `between ${min} and ${max} tokens`),
  once: (tokens: string) => `in ${tokens} tokens`,
  still: 'at no length',
  description: (names: readonly string[]) => `One line each for ${all.format(names)}.`,
  proof: {
    what: 'largest difference between a score and that of the same vectors moved so that the query is at 0',
    source: 'Rounding of float32 in rotated vectors: 10⁻⁶ of the squared length of the longest.',
    holds: 'With these frequencies, too, a score depends only on how far apart query and key are.',
    start: (count: number) =>
      `The first ${tokens(count)} rotate at their original speeds, so scores between them and the rest depend on where they are.`,
    amber: 'Scores depend on where query and key are, not only on how far apart they are.',
  },
} as const;
