import { writeLayersSentence } from '../../compute/position-sentence.ts';
import type { LayerResults } from './compute.ts';
import { strings } from './strings.ts';

/** Formats the headline, for example 'gpt-oss-20b: 24 layers in a repeating pattern of 2.' */
export function formatHeadline({ name, layers, groups, period }: LayerResults): string {
  if (groups.length === 1) return strings.identicalLayers(name, layers.length);
  return period > 0 ? strings.repeatingPattern(name, layers.length, period) : strings.noPattern(name, layers.length, groups.length);
}

export function summarizeLayers({ name, layers, groups }: LayerResults): string {
  return [strings.modelSummary(name, writeLayersSentence(layers)), strings.sharedProperties(groups.map(({ layer }) => layer))]
    .filter(Boolean)
    .join(' ');
}
