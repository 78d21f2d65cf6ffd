import { MODELS } from '../../figure/kinds/layers/models.ts';

export const CONFIG_STRINGS = {
  title: 'Paste a config.json',
  description: 'Shows how a published model encodes position, and which keys of its config.json (Hugging Face format) determine it.',
  textLabel: 'config.json',
  placeholder: '{ "model_type": "llama", "rope_theta": 500000, ... }',
  chooseFile: 'Choose a file',
  examplesLabel: 'Examples:',
  showInLab: 'Show in the Lab',
  showLayers: 'Show layers',
  cannotShowLayers: (message: string) => `Cannot show layers (${message}).`,
  close: 'Close',
  tooLong: (length: number, limit: number) =>
    `The text has ${length.toLocaleString('en')} characters; at most ${limit.toLocaleString('en')} are supported.`,
  notJson: (reason: string) => `This is not JSON (${reason}).`,
  tooDeep: (limit: number) => `The JSON is nested too deeply; at most ${limit} levels are supported.`,
  notObject: 'This is JSON but not an object; expected the contents of a config.json.',
  missingModelType: 'The key model_type is missing, and no other key concerns positions.',
  rejected: (message: string) => `${message}.`,
  engineLoading: 'The WebAssembly engine is still loading.',
  choicePrompts: {
    stack: 'Choose encoder or decoder.',
    layerType: 'Choose a layer type.',
    layerIdx: 'Choose a layer, counted from 0.',
  },
  reportTitle: (title: string) => `Encoding: ${title}, and the keys that specify it`,
  sourceKeysHeading: 'Read from the file',
  defaultsHeading: 'Not in the file; assumed from the defaults of this model family',
  assumedHeading: 'Not in the file; assumed, because this model family is unknown',
  noAssumptions: 'No assumptions were necessary.',
  ignoredHeading: 'Ignored by the sentence view',
  unusedKeys: (count: number) => (count === 1 ? '1 other key, unrelated to positions' : `${count} other keys, unrelated to positions`),
  numberCount: (count: number) => `${count} numbers`,
  unsupportedParam: (name: string, reason: string) => `${name}: not supported for this sentence (${reason})`,
  longerContextHint: 'The Longer context view, under Reach, shows all parameters of the encoding.',
  unsupportedEncoding: (reason: string) => `Encoding not supported here (${reason})`,
  scoreScale: (scale: string) => `scores are multiplied by ${scale}; the Lab uses the encoding’s default scale`,
  paddingConvention: (mode: string) => `position ids of padded text follow the convention of ${mode}; the Lab does not pad text`,
  slidingWindow: (key: string, value: string) => `${key} ${value}: the sentence view has no sliding window`,
  headSizes: (headCount: number, width: number | undefined, rotatedCount: number | undefined) =>
    `${headCount} heads${width === undefined ? '' : ` of ${width} channels`}${rotatedCount === undefined ? '' : `, ${rotatedCount} rotated in each`}; not applied to the sentence`,
} as const;

/** Published config files, reduced to the keys for positions and sizes. */
export const CONFIG_EXAMPLES: readonly (readonly [string, object])[] = [
  [
    'Llama 3.1 8B',
    {
      model_type: 'llama',
      hidden_size: 4096,
      num_attention_heads: 32,
      num_hidden_layers: 32,
      max_position_embeddings: 131072,
      rope_theta: 500000,
      rope_scaling: { rope_type: 'llama3', factor: 8, low_freq_factor: 1, high_freq_factor: 4, original_max_position_embeddings: 8192 },
    },
  ],
  ['BLOOM', { model_type: 'bloom', n_head: 112, hidden_size: 14336 }],
  [MODELS.gpt_oss_20b.name, MODELS.gpt_oss_20b.config],
  ['T5 base', { model_type: 't5', num_heads: 12, d_kv: 64, relative_attention_num_buckets: 32 }],
];
