import { formatId, formatGroupedDecimal as grouped, joinWithAnd } from '../../../charts/english.ts';
import type { ConfigLayer } from '../../../engine/index.ts';
import { listAttentionClauses } from '../../compute/position-sentence.ts';

const SCALING_NAMES: { readonly [id: string]: string } = {
  linear: 'linear scaling',
  yarn: 'YaRN',
  llama3: 'Llama 3’s scaling',
  longrope: 'LongRoPE',
};
const ENCODING_LABELS: { readonly [id: string]: string } = { rope: 'RoPE', mrope: 'M-RoPE', none: 'no encoding', alibi: 'ALiBi', t5: 'T5' };

const formatTokenCount = (count: number): string => `${grouped(count)} ${count === 1 ? 'token' : 'tokens'}`;
const formatLayerCount = (count: number): string => `${count} ${count === 1 ? 'layer' : 'layers'}`;

/** Formats a layer's encoding, for example 'RoPE, base 150,000, YaRN with factor 32'. */
function describeEncoding(layer: ConfigLayer): string {
  if (!layer.encoding) return `no attention (${formatId(layer.type)})`;
  const { id, base, scaling, factor, rotary_dim, rotary_offset } = layer.encoding;
  const method = scaling === undefined || scaling === 'none' ? undefined : (SCALING_NAMES[String(scaling)] ?? formatId(String(scaling)));
  return [
    ENCODING_LABELS[id] ?? formatId(id),
    ...(base === undefined ? [] : [`base ${grouped(Number(base))}`]),
    ...(method ? [factor === undefined ? method : `${method} with factor ${grouped(Number(factor))}`] : []),
    ...(rotary_dim === undefined
      ? []
      : [`on ${rotary_offset ? `the last ${rotary_dim} of ${Number(rotary_offset) + Number(rotary_dim)}` : rotary_dim} channels`]),
  ].join(', ');
}

/** Formats the tokens to which a query can attend, for example 'the last 128 tokens'. */
const describeVisibleTokens = ({ encoding, window, windowAhead, chunk }: ConfigLayer, context: number, isOne = true): string =>
  !encoding
    ? 'no tokens'
    : windowAhead !== undefined && window !== undefined
      ? `${formatTokenCount(window - 1)} back and ${windowAhead} ahead`
      : window !== undefined
        ? `the last ${formatTokenCount(window)}`
        : chunk !== undefined
          ? `${isOne ? 'its' : 'their'} own chunk of ${formatTokenCount(chunk)}`
          : `all ${formatTokenCount(context)}`;

const formatClauses = (clauses: readonly string[]): string => (clauses.length > 0 ? ` It has ${joinWithAnd.format(clauses)}.` : '');

export const strings = {
  question: 'How does each layer use position?',
  instruction: 'Point at a layer.',
  caption: 'Each bar is a layer. Its length is the number of tokens that a query can see, its colour the encoding (pale: none).',
  labels: { model: 'model', config: 'config.json', context: 'length of the text' },
  help: {
    model: 'A published model, unless a config.json is provided.',
    config: 'The config.json of a published model (Hugging Face transformers 4 and 5), shown instead of the selected model.',
    context: 'Text length in tokens; 0: the model’s maximum length.',
  },
  notJson: (reason: string) => `is not JSON (${reason})`,
  tooDeep: (max: number) => `is nested too deeply; expected at most ${max} levels`,
  notObject: 'is not a JSON object; expected the contents of a config.json',
  tooLong: 'is too long; expected at most 1,000,000 characters',
  tooManyLayers: (count: number, max: number) => `config: num_hidden_layers is ${grouped(count)}; expected at most ${max}`,
  thisModel: 'this model',
  axisTitle: 'visible tokens per query',
  layerTitle: 'layer',
  propertyTitle: 'property',
  tableTitle: 'Layers of the model',
  dotLabels: {
    sinks: 'sinks',
    softcap: (cap: number) => `cap ${grouped(cap)}`,
    qkNorm: 'q/k norm',
    temperature: 'temp.',
  },
  columnNames: [
    'encoding (1: yes)',
    'base',
    'scaling factor',
    'window',
    'chunk',
    'visible tokens',
    'soft cap',
    'sinks (1: yes)',
    'query/key norm (1: yes)',
    'temperature (1: yes)',
  ],
  encoding: describeEncoding,
  groupLabel: (layer: ConfigLayer, context: number, count: number) =>
    `${formatLayerCount(count)}: ${describeEncoding(layer)}; ${count === 1 ? 'attends' : 'attend'} to ${describeVisibleTokens(layer, context, count === 1)}`,
  otherGroups: (count: number) => `and ${count} other kinds of layers`,
  identicalLayers: (name: string, count: number) => `${name}: all ${formatLayerCount(count)} are alike.`,
  repeatingPattern: (name: string, count: number, period: number) =>
    `${name}: ${formatLayerCount(count)} in a repeating pattern of ${period}.`,
  noPattern: (name: string, count: number, kindCount: number) =>
    `${name}: ${formatLayerCount(count)} of ${kindCount} kinds, with no repeating pattern.`,
  modelSummary: (name: string, sentence: string) => `${name}: ${sentence}`,
  assumedContext: (context: number) => `The file has no max_position_embeddings; assuming ${formatTokenCount(context)}.`,
  configSource: (repository: string) => `From the config.json of ${repository} on Hugging Face.`,
  layerReadout: (index: number, count: number, layer: ConfigLayer, context: number) =>
    `Layer ${index} (0 to ${count - 1}): ${describeEncoding(layer)}; attends to ${describeVisibleTokens(layer, context)}.${formatClauses(listAttentionClauses(layer))}`,
  /** Lists the properties, other than encoding and window, that all layers share. Returns '' if there are none. */
  sharedProperties(layers: readonly ConfigLayer[]): string {
    const [firstClauses = [], ...otherClauses] = layers.map(listAttentionClauses);
    const sharedClauses = firstClauses.filter((clause) => otherClauses.every((clauses) => clauses.includes(clause)));
    return sharedClauses.length === 0 ? '' : `Every layer has ${joinWithAnd.format(sharedClauses)}.`;
  },
  proof: {
    quantity:
      'number of layers whose encoding differs if the layer is resolved on its own, or whose type differs from layer_types in the file',
    toleranceSource: 'No layer may differ.',
    passes:
      'Each layer has the same encoding if it is resolved on its own, and the layer types match layer_types if the file has that key.',
    fails: 'Some layers have a different encoding when read separately, or a type that differs from layer_types.',
  },
} as const;
