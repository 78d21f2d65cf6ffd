import { all, groupedDecimal as grouped, spaced } from '../../../charts/english.ts';
import { formatNumber } from '../../../charts/number.ts';
import type { ModelLayer } from '../../../engine/index.ts';

const SCALINGS: { readonly [id: string]: string } = {
  linear: 'linear scaling',
  yarn: 'YaRN',
  llama3: 'Llama 3’s scaling',
  longrope: 'LongRoPE',
};
const NAMES: { readonly [id: string]: string } = { rope: 'RoPE', mrope: 'M-RoPE', none: 'no encoding', alibi: 'ALiBi', t5: 'T5' };

const tokens = (count: number): string => `${grouped(count)} ${count === 1 ? 'token' : 'tokens'}`;
const layersOf = (count: number): string => `${count} ${count === 1 ? 'layer' : 'layers'}`;

/** 'RoPE, base 150,000, YaRN with factor 32' */
function encoding({ encoding: { id, base, scaling, factor, rotary_width, rotary_offset } }: ModelLayer): string {
  const method = scaling === undefined || scaling === 'none' ? undefined : (SCALINGS[String(scaling)] ?? spaced(String(scaling)));
  return [
    NAMES[id] ?? spaced(id),
    ...(base === undefined ? [] : [`base ${grouped(Number(base))}`]),
    ...(method ? [factor === undefined ? method : `${method} with factor ${grouped(Number(factor))}`] : []),
    ...(rotary_width === undefined
      ? []
      : [`on ${rotary_offset ? `the last ${rotary_width} of ${Number(rotary_offset) + Number(rotary_width)}` : rotary_width} channels`]),
  ].join(', ');
}

/** 'the last 128 tokens' */
const sight = ({ window, chunk }: ModelLayer, context: number, isOne = true): string =>
  window !== undefined
    ? `the last ${tokens(window)}`
    : chunk !== undefined
      ? `${isOne ? 'its' : 'their'} own chunk of ${tokens(chunk)}`
      : `all ${tokens(context)}`;

/** What else the attention of a layer does: clauses. */
function extras({ encoding: { rotary_offset }, sinks, softcap, qkNorm, temperature, scale }: ModelLayer): readonly string[] {
  return [
    // Multi-head latent attention (DeepSeek-V2, 2024, section 2.1).
    ...(rotary_offset ? ['one rotated key for all heads'] : []),
    ...(sinks ? ['a learned sink for each head'] : []),
    ...(softcap === undefined ? [] : [`scores capped softly at ${grouped(softcap)}`]),
    ...(qkNorm
      ? [
          `queries and keys normalised ${qkNorm.over === 'head' ? 'in each head' : 'over all heads'} ${spaced(qkNorm.order).replace('encoding', 'the rotation')}`,
        ]
      : []),
    ...(temperature ? ['queries that grow with the logarithm of the position'] : []),
    ...(scale === undefined ? [] : [`q·k times ${formatNumber(scale)}`]),
  ];
}

const sentence = (clauses: readonly string[]): string => (clauses.length > 0 ? ` It has ${all.format(clauses)}.` : '');

export const words = {
  question: 'What does each layer do with position?',
  instruction: 'Point at a layer.',
  caption:
    'One bar for each layer, the first on top. Its length is how far a query sees, its colour the encoding; pale bars have none. All of it is read from the config.json of a published model.',
  labels: { model: 'model', config: 'config.json', context: 'length of the text' },
  help: {
    model: 'A published model, unless a config.json is given.',
    config: 'From a published model (Hugging Face, versions 4 and 5), to show its layers instead.',
    context: 'Tokens; 0: as the model says.',
  },
  notJson: (reason: string) => `this is not JSON (${reason})`,
  tooDeep: (most: number) => `this is nested more than ${most} levels deep, the most that is read here`,
  notObject: 'this is not a JSON object, such as a config.json is',
  tooLong: 'this has more than 1,000,000 characters, the most that is read here',
  tooMany: (count: number, most: number) => `config: num_hidden_layers is ${grouped(count)}; at most ${most} layers are shown`,
  thisModel: 'this model',
  axis: 'tokens that a query sees at most',
  layer: 'layer',
  what: 'what',
  title: 'What each layer does',
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
    'tokens seen',
    'soft cap',
    'sinks (1: yes)',
    'query/key norm (1: yes)',
    'temperature (1: yes)',
  ],
  encoding,
  /** One kind of layer, in the list above the bars. */
  group: (layer: ModelLayer, context: number, count: number) =>
    `${layersOf(count)}: ${encoding(layer)}; ${count === 1 ? 'sees' : 'see'} ${sight(layer, context, count === 1)}`,
  /** The same, spoken. */
  groups: (clauses: readonly string[]) => `${clauses.join('. ')}.`,
  more: (count: number) => `and ${count} other kinds of layers`,
  alike: (name: string, count: number) => `${name}: all ${layersOf(count)} are alike.`,
  pattern: (name: string, count: number, period: number) => `${name}: ${layersOf(count)} in a pattern of ${period} that repeats.`,
  irregular: (name: string, count: number, kinds: number) => `${name}: ${layersOf(count)} of ${kinds} kinds, in no pattern that repeats.`,
  /** Equal layers that follow each other; `isAlike`: their encoding is that of all layers, and said already. */
  run: (count: number, layer: ModelLayer, context: number, isAlike: boolean) =>
    `${count} ${isAlike ? '' : `with ${encoding(layer)} `}that ${count === 1 ? 'sees' : 'see'} ${sight(layer, context, count === 1)}`,
  runs: (clauses: readonly string[]) => `In order: ${clauses.join(', then ')}.`,
  alikeIn: (layer: ModelLayer) => `Each has ${encoding(layer)}.`,
  alikeAll: (layer: ModelLayer, context: number) => `Each has ${encoding(layer)}, and sees ${sight(layer, context)}.`,
  assumed: (context: number) => `The file does not say how long texts may be (max_position_embeddings); ${tokens(context)} are assumed.`,
  published: (repository: string) => `From the config.json of ${repository} on Hugging Face.`,
  at: (layer: number, count: number, read: ModelLayer, context: number) =>
    `Layer ${layer} (0 to ${count - 1}): ${encoding(read)}; sees ${sight(read, context)}.${sentence(extras(read))}`,
  /** What all layers have in common beside encoding and window; '' where that is nothing. */
  everywhere(kinds: readonly ModelLayer[]): string {
    const [first = [], ...others] = kinds.map(extras);
    const common = first.filter((clause) => others.every((one) => one.includes(clause)));
    return common.length === 0 ? '' : `Every layer has ${all.format(common)}.`;
  },
  proof: {
    what: 'layers that disagree with the core’s answer for that layer alone, or with layer_types of the file',
    source: 'None may.',
    holds:
      'Asked for each layer alone, the core answers the same encoding, and where the file lists the types of its layers, they are these.',
    amber: 'The file, or the core’s answer for one layer alone, says something else of some layers.',
  },
} as const;
