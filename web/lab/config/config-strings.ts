// The words of pasted configs.
import { MODELS } from '../../figure/kinds/layers/models.ts';

export const CONFIG_WORDS = {
  title: 'Paste a config.json',
  about:
    'From a published model, in the Hugging Face format. You see which positions the model has, what the file says about them and what it leaves to defaults.',
  label: 'config.json',
  placeholder: '{ "model_type": "llama", "rope_theta": 500000, ... }',
  file: 'Choose a file',
  examples: 'or look at one:',
  show: 'Show it in the whole Lab',
  showLayers: 'See what each layer does',
  layers: (count: number, kinds: number) =>
    kinds === 1
      ? `All ${count} layers do the same with position.`
      : `The ${count} layers are of ${kinds} kinds: they differ in what they do with position, or in how far they see.`,
  noLayers: (message: string) => `Layer by layer it cannot be shown (${message}).`,
  close: 'Close',
  tooLong: (length: number, most: number) =>
    `The text has ${length.toLocaleString('en')} characters; a config.json of at most ${most.toLocaleString('en')} is read.`,
  notJson: (reason: string) => `This is not JSON (${reason}).`,
  tooDeep: (most: number) => `This is nested more than ${most} levels deep, the most that is read here.`,
  notObject: 'This is JSON, but not an object, as a config.json is.',
  noModel: 'The key model_type is missing, and no other key says anything about positions.',
  refused: (message: string) => `${message}.`,
  noEngine: 'The WebAssembly engine is still being loaded.',
  asks: {
    stack: 'The two halves of this model differ. Which one?',
    layerType: 'The layers of this model differ. Which ones?',
    layerIdx: 'The layers of this model differ. Which one, from 0 on?',
  },
  understood: 'Understood',
  read: 'Read from the file',
  assumed: 'Assumed: not in the file; the default of this model family',
  guessed: 'Assumed: not in the file, and this model family is not listed',
  nothingAssumed: 'Nothing had to be assumed.',
  beyond: 'Not shown by the sentence',
  unused: (count: number) =>
    count === 1
      ? '1 other key, which does not say how positions are encoded'
      : `${count} other keys, which do not say how positions are encoded`,
  array: (count: number) => `${count} numbers`,
  leftOut: (name: string, why: string) => `${name}: does not fit the sentence (${why})`,
  inReach: 'Reach, Longer context, shows it with all of its parameters.',
  notShown: (why: string) => `The sentence cannot have this encoding (${why})`,
  scale: (scale: string) => `scores are multiplied by ${scale}; here by the encoding’s own scale`,
  padding: (mode: string) => `positions of padded texts are counted as ${mode} counts them; here no text is padded`,
  window: (key: string, value: string) => `${key} ${value}: a sliding window; in the sentence all keys are seen`,
  sizes: (heads: number, width: number | undefined, rotated: number | undefined) =>
    `${heads} heads${width === undefined ? '' : ` of ${width} channels`}${rotated === undefined ? '' : `, which rotate ${rotated} each`}; the sentence keeps its own`,
} as const;

/** Short files to look at, as published, without the keys that are not about positions or sizes. */
export const CONFIG_EXAMPLES: readonly (readonly [string, object])[] = [
  [
    'Llama 3.1 8B',
    {
      model_type: 'llama',
      hidden_size: 4096,
      num_attention_heads: 32,
      max_position_embeddings: 131072,
      rope_theta: 500000,
      rope_scaling: { rope_type: 'llama3', factor: 8, low_freq_factor: 1, high_freq_factor: 4, original_max_position_embeddings: 8192 },
    },
  ],
  ['BLOOM', { model_type: 'bloom', n_head: 112, hidden_size: 14336 }],
  [MODELS.gpt_oss_20b.name, MODELS.gpt_oss_20b.config],
  ['T5 base', { model_type: 't5', num_heads: 12, d_kv: 64, relative_attention_num_buckets: 32 }],
];
