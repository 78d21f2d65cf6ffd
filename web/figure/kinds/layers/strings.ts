import { formatId, formatGroupedDecimal as grouped, joinWithAnd } from '../../../charts/english.ts';
import type { ConfigLayer } from '../../../engine/index.ts';
import { listAttentionClauses } from '../../compute/position-sentence.ts';

const SCALINGS: { readonly [id: string]: string } = {
  linear: 'linear scaling',
  yarn: 'YaRN',
  llama3: 'Llama 3’s scaling',
  longrope: 'LongRoPE',
};
const ENCODING_LABELS: { readonly [id: string]: string } = { rope: 'RoPE', mrope: 'M-RoPE', none: 'no encoding', alibi: 'ALiBi', t5: 'T5' };

const tokensText = (count: number): string => `${grouped(count)} ${count === 1 ? 'token' : 'tokens'}`;
const layersText = (count: number): string => `${count} ${count === 1 ? 'layer' : 'layers'}`;

/** Formats a layer's encoding, for example 'RoPE, base 150,000, YaRN with factor 32'. */
function encodingText(layer: ConfigLayer): string {
  if (!layer.encoding) return `no attention (${formatId(layer.type)})`;
  const { id, base, scaling, factor, rotary_dim, rotary_offset } = layer.encoding;
  const method = scaling === undefined || scaling === 'none' ? undefined : (SCALINGS[String(scaling)] ?? formatId(String(scaling)));
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
const visibleTokensText = ({ encoding: hasAttention, window, windowAhead, chunk }: ConfigLayer, context: number, isOne = true): string =>
  !hasAttention
    ? 'no tokens'
    : windowAhead !== undefined && window !== undefined
      ? `${tokensText(window - 1)} back and ${windowAhead} ahead`
      : window !== undefined
        ? `the last ${tokensText(window)}`
        : chunk !== undefined
          ? `${isOne ? 'its' : 'their'} own chunk of ${tokensText(chunk)}`
          : `all ${tokensText(context)}`;

const clausesSentence = (clauses: readonly string[]): string => (clauses.length > 0 ? ` It has ${joinWithAnd.format(clauses)}.` : '');

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
  tooMany: (count: number, max: number) => `config: num_hidden_layers is ${grouped(count)}; expected at most ${max}`,
  thisModel: 'this model',
  axis: 'visible tokens per query',
  layer: 'layer',
  what: 'property',
  title: 'Layers of the model',
  marks: {
    sinks: 'sinks',
    softcap: (cap: number) => `cap ${grouped(cap)}`,
    qkNorm: 'q/k norm',
    temperature: 'temp.',
  },
  columns: [
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
  encoding: encodingText,
  group: (layer: ConfigLayer, context: number, count: number) =>
    `${layersText(count)}: ${encodingText(layer)}; ${count === 1 ? 'attends' : 'attend'} to ${visibleTokensText(layer, context, count === 1)}`,
  more: (count: number) => `and ${count} other kinds of layers`,
  alike: (name: string, count: number) => `${name}: all ${layersText(count)} are alike.`,
  pattern: (name: string, count: number, period: number) => `${name}: ${layersText(count)} in a repeating pattern of ${period}.`,
  irregular: (name: string, count: number, kinds: number) => `${name}: ${layersText(count)} of ${kinds} kinds, with no repeating pattern.`,
  named: (name: string, sentence: string) => `${name}: ${sentence}`,
  assumed: (context: number) => `The file has no max_position_embeddings; assuming ${tokensText(context)}.`,
  published: (repository: string) => `From the config.json of ${repository} on Hugging Face.`,
  at: (layer: number, count: number, read: ConfigLayer, context: number) =>
    `Layer ${layer} (0 to ${count - 1}): ${encodingText(read)}; attends to ${visibleTokensText(read, context)}.${clausesSentence(listAttentionClauses(read))}`,
  /** Lists the properties, other than encoding and window, that all layers share. Returns '' if there are none. */
  everywhere(kinds: readonly ConfigLayer[]): string {
    const [firstClauses = [], ...otherClauses] = kinds.map(listAttentionClauses);
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
