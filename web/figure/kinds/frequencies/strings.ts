import { formatGroupedDecimal, formatId, joinWithAnd } from '../../../charts/english.ts';

const tokensText = (count: number): string => `${formatGroupedDecimal(count)} ${count === 1 ? 'token' : 'tokens'}`;

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
const getScalingName = (id: string): string => SCALINGS[id] ?? id;
const ENCODING_NAMES: { readonly [id: string]: string } = { rope: 'RoPE', mrope: 'M-RoPE' };

const OTHER_ENCODINGS: { readonly [id: string]: string } = {
  none: 'no positions',
  alibi: 'ALiBi',
  learned: 'a learned position table',
  sinusoidal: 'a table of sinusoids',
  t5: 'the relative biases of T5',
  deberta: 'the relative positions of DeBERTa',
  shaw: 'relative positions in its keys',
  transformer_xl: 'the relative positions of Transformer-XL',
};

const AXES = ['time', 'row', 'column'] as const;

export const strings = {
  question: 'What happens to rotary positions beyond the trained length?',
  instruction: 'Follow a curve beyond the shaded training range.',
  caption:
    'Each pair of channels rotates at its own speed. Scaling slows pairs down, so that the angles of a longer text stay within the range seen in training.',
  labels: {
    config: 'config.json',
    layerType: 'layers',
    layer: 'layer',
    compare: 'other scalings',
    factor: 'factor',
    dim: 'channels',
    trained: 'trained length',
    length: 'text length',
  },
  help: {
    config: 'The config.json of a published model (Hugging Face transformers 4 and 5), used instead of the selected encoding.',
    layerType: 'The layer type, if the model’s layers differ.',
    layer: 'The index of the layer, from 0, if the model’s layers differ.',
    compare: 'Up to five other ways to scale frequencies.',
    factor: 'Context extension factor of the other scalings; 0: the encoding’s factor, or text length / trained length if it has none.',
    dim: 'Rotated channels per head; 0: the model’s head dimension.',
    trained: 'Length of the training texts in tokens; 0: the length from config.json or from the encoding.',
    length: 'Length of the text in tokens; 0: the model’s maximum length, or 16,384.',
  },
  notJson: (reason: string) => `is not JSON (${reason})`,
  tooDeep: (max: number) => `is nested too deeply; expected at most ${max} levels`,
  notObject: 'is not a JSON object; expected the contents of a config.json',
  scalingName: getScalingName,
  scalingNames: Object.entries(SCALINGS),
  modelScalingName: (id: string) => `${getScalingName(id)}: this model`,
  wavelengthChart: {
    title: 'Tokens for one rotation of each pair',
    axisTitle: 'wavelength (tokens)',
    shadeLabel: 'full rotation in training',
    trainedLengthLabel: (count: number) => `trained: ${tokensText(count)}`,
    textLengthLabel: (count: number) => `this text: ${tokensText(count)}`,
  },
  angleChart: {
    title: (count: number) => `Angle of each pair after ${tokensText(count)}`,
    axisTitle: 'angle (rad)',
    shadeLabel: 'angles seen in training',
    fullRotationLabel: 'one rotation: 2π',
  },
  pairTitle: 'pair of channels',
  axisNames: AXES,
  pairAxisTitle: 'channel pair, fast to slow',
  scalingTitle: 'scaling',
  tables: {
    inv_freq: 'Frequencies (rad per token)',
    wavelengths: 'Wavelengths (tokens)',
    reached: 'Angles at the end of the text (rad)',
    trained: 'Angles at the end of training, without scaling (rad)',
    axis: 'Position component that each pair encodes: 0 time, 1 row, 2 column',
  },
  valueTitle: 'value',
  notes: {
    encoding: (id: string, params: string, isModel: boolean) =>
      `${isModel ? 'From the config: ' : ''}${ENCODING_NAMES[id] ?? id}${params === '' ? '' : `, ${params}`}.`,
    param: (name: string, value: string) => `${formatId(name)} ${value}`,
    array: (count: number) => `(${count} values)`,
    dimAndLengths: (width: number, trained: number, length: number) =>
      `Head dimension ${formatGroupedDecimal(width)}, trained length ${tokensText(trained)}, text length ${tokensText(length)}.`,
    widthKey: (key: string) => `Head dimension from ${key}.`,
    widthGiven: 'Head dimension set manually.',
    widthAssumed: (width: number) => `The head dimension is not in the config, so ${width} channels are assumed.`,
    lengthAssumed: (count: number) => `The trained length is not in the config, so ${tokensText(count)} are assumed.`,
    key: (key: string, value: string) => `${key} ${value}`,
    sourceKeys: (keys: readonly string[]) => `Read from ${joinWithAnd.format(keys)}; other keys are unrelated to RoPE.`,
    familyDefaults: (keys: readonly string[]) => `Not in the config; defaults of the model family: ${joinWithAnd.format(keys)}.`,
    assumedKeys: (keys: readonly string[]) => `Assumed, because this model family is unknown: ${joinWithAnd.format(keys)}.`,
    comparisonFactor: (factor: string, isGiven: boolean) =>
      `The other scalings use factor ${factor}${isGiven ? '' : ', text length / trained length'}.`,
    layerIndex: (layer: number) => `Layers differ; this is layer ${formatGroupedDecimal(layer)}, counted from 0.`,
    attentionFactor: (name: string, factor: string) => `${name} multiplies cosines and sines by ${factor}.`,
    unrotatedPairs: (count: number) => `${count === 1 ? 'One pair does' : `${count} pairs do`} not rotate.`,
  },
  wrongWidth: (width: number, reason: string) =>
    `dim: ${width} channels per head do not fit this config; expected the model’s head dimension (${reason})`,
  notRotary: (model: string | undefined, id: string) =>
    `config: ${model ? `a model of type ${model}` : 'this model'} has ${OTHER_ENCODINGS[id] ?? `the positions of ${id}`} and no rotation, so there are no frequencies to show`,
  notInLayer: (model: string | undefined, layer: number) =>
    `config: layer ${layer} of ${model ? `a model of type ${model}` : 'this model'} has no position encoding, so there are no frequencies to show; choose another layer`,
  notInType: (model: string | undefined, layerType: string) =>
    `config: ${formatId(layerType)} layers of ${model ? `a model of type ${model}` : 'this model'} have no position encoding, so there are no frequencies to show; choose other layers`,
  rangeReadout: (pairs: string, range: string, slowPairCount: number, trainedLength: number) =>
    `${pairs}: one rotation takes ${range}. ${slowPairCount === 0 ? 'All pairs make' : slowPairCount === 1 ? 'One pair does not make' : `${slowPairCount} pairs do not make`} a full rotation within the trained length of ${tokensText(trainedLength)}, without scaling.`,
  /**
   * @param axis index in AXES of the position component that an M-RoPE pair encodes; −1 for none; undefined for other
   * encodings
   */
  pairSubject: (pair: number, axis: number | undefined) =>
    `Pair ${pair}${axis === undefined || axis < 0 ? '' : `, which encodes the ${AXES[axis]},`}`,
  pairReadout: (pair: string, wavelengths: readonly string[], length: number, angles: readonly string[], trainedAngle: string) =>
    `${pair} makes one rotation ${joinWithAnd.format(wavelengths)}. After ${tokensText(length)} it is at ${joinWithAnd.format(angles)} rad; training reached ${trainedAngle} rad.`,
  valueOfLine: (value: string, name: string) => `${value} (${name})`,
  wavelengthRange: (isOne: boolean, min: string, max: string) => (isOne ? `${min} tokens` : `between ${min} and ${max} tokens`),
  rotationInTokens: (tokens: string) => `in ${tokens} tokens`,
  noRotation: 'at no length',
  chartDescription: (names: readonly string[]) => `One line per scaling: ${joinWithAnd.format(names)}.`,
  proof: {
    quantity: 'largest change in a score when both positions are shifted so that the query is at position 0',
    toleranceSource: 'Float32 rounding in rotated vectors: 10⁻⁶ of the squared length of the longest vector.',
    passes: 'With these frequencies, a score still depends only on the distance between query and key.',
    startTokensFail: (count: number) =>
      `The first ${tokensText(count)} rotate at their original speeds, so scores between these and later tokens depend on absolute position.`,
    fails: 'Scores depend on absolute position, not only on the distance between query and key.',
  },
} as const;
