// Strings for the report on how a language model encodes position.
import { countWithNoun, wholeNumber } from '../../charts/english.ts';
import { formatNumber } from '../../charts/number.ts';
import type { ModelInfo } from '../../engine/types/model-files.ts';
import type { LayerRotation } from './report-numbers.ts';

const percent = (share: number): string => `${formatNumber(100 * share)}%`;

/** Formats layers, counted from 1, as text: 'layers 1 to 3 and 5'. */
function formatLayers(layers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const layer of layers) {
    const lastRun = runs.at(-1);
    if (lastRun && lastRun[1] === layer - 1) lastRun[1] = layer;
    else runs.push([layer, layer]);
  }
  const rangeTexts = runs.map(([begin, end]) => (begin === end ? `${begin + 1}` : `${begin + 1} to ${end + 1}`));
  return `${layers.length === 1 ? 'layer' : 'layers'} ${rangeTexts.length < 2 ? rangeTexts.join() : `${rangeTexts.slice(0, -1).join(', ')} and ${rangeTexts.at(-1)}`}`;
}

export const REPORT_STRINGS = {
  title: (name: string) => `How ${name} encodes position`,
  about: ({ modelType, layers, heads, parameters }: ModelInfo) =>
    `${modelType}: ${countWithNoun(layers, 'layer')} of ${countWithNoun(heads, 'head')}, ${wholeNumber.format(parameters)} parameters.`,
  noSentence: (isGguf: boolean) =>
    isGguf
      ? 'A GGUF file has no config.json; its keys for position encoding are listed below.'
      : 'Phasor does not support the position encoding in this config.json.',
  configTitle: (isGguf: boolean) => (isGguf ? 'Keys of the GGUF file' : 'Keys of config.json'),
  defaults: 'Keys that the file omits, with their defaults in transformers.',
  key: 'key',
  value: 'value',
  layersTitle: 'Layers',
  anglesTitle: 'Angles beyond training',
  turns: ({ layers, pairCount, incompletePairCount }: LayerRotation, trained: number, isOnly: boolean) => {
    const layersText = isOnly ? 'all layers' : formatLayers(layers);
    return incompletePairCount === 0
      ? `In ${layersText}, each of the ${pairCount} channel pairs completes a rotation within ${countWithNoun(trained, 'token')}. Longer texts produce no new angles.`
      : `In ${layersText}, ${incompletePairCount} of ${pairCount} channel pairs do not complete a rotation within ${countWithNoun(trained, 'token')}, the maximum length in the configuration. A text of ${countWithNoun(trained + 1, 'token')} already produces new angles in these pairs.`;
  },
  headsTitle: 'Heads',
  text: (text: string, tokens: number) => `On the text “${text.replaceAll('\n', ' ')}” (${countWithNoun(tokens, 'token')}):`,
  sinks: (mean: number) => `Mean weight on the first token over all heads: ${percent(mean)}. The heads with the largest weights:`,
  head: 'head',
  headName: (layer: number, head: number) => `layer ${layer + 1}, head ${head + 1}`,
  first: 'weight on the first token',
  previous: 'weight on the previous token',
  percent,
  pairsTitle: 'Contribution of channel pairs to scores',
  pairsHint: 'Mean over the heads of a layer, for each rotated pair. Pair 0 rotates fastest.',
  layer: 'layer',
  pair: 'pair',
  share: 'share',
  programs: 'Code for this figure',
  python: 'Python',
  javascript: 'JavaScript',
  source: (version: string) => `Computed on this device by Phasor ${version}; this page does not contain the model’s weights.`,
  settings: 'Open Phasor with these settings.',
} as const;
