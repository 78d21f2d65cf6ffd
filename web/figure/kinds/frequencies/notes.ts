// Notes above the charts: parameters of the encoding, keys of a config, and pairs that do not rotate.

import { formatGroupedDecimal } from '../../../charts/english.ts';
import type { EncodingInfo, Params, ParamValue } from '../../../engine/index.ts';
import type { Frequencies } from '../../compute/frequencies.ts';
import type { EncodingSpec } from '../../contract/fields.ts';
import { createParamReader } from '../../contract/parameters.ts';
import type { ModelRotation } from './model-rotation.ts';
import { strings } from './strings.ts';

export function createModelNotes({ sourceKeys, defaults, assumedKeys, layer }: ModelRotation): string[] {
  const formatKeys = (keys: Params): string[] => Object.entries(keys).map(([key, value]) => strings.notes.key(key, formatValue(value)));
  return [
    ...(layer === undefined ? [] : [strings.notes.layerIndex(layer)]),
    strings.notes.sourceKeys(formatKeys(sourceKeys)),
    ...(Object.keys(defaults).length > 0 ? [strings.notes.familyDefaults(formatKeys(defaults))] : []),
    ...(Object.keys(assumedKeys).length > 0 ? [strings.notes.assumedKeys(formatKeys(assumedKeys))] : []),
  ];
}

/** Selects the parameters that the notes list even if they have default values. */
export const selectBasicParams = (encoding: EncodingSpec, info: EncodingInfo): Params =>
  Object.fromEntries(['base', 'layout', 'scaling'].map((name) => [name, createParamReader(encoding, info)(name) as ParamValue]));

function formatValue(value: ParamValue): string {
  if (typeof value === 'object')
    return value.data.length <= 4 ? Array.from(value.data, formatGroupedDecimal).join(' ') : strings.notes.array(value.data.length);
  return typeof value === 'number' ? formatGroupedDecimal(value) : String(value);
}

export function describeParams({ id: _, ...params }: EncodingSpec): string {
  return Object.entries(params as Params)
    .map(([name, value]) => strings.notes.param(name, formatValue(value).replaceAll('_', ' ')))
    .join(', ');
}

export function createUnrotatedPairsNotes({ scaledFrequencies }: Frequencies): string[] {
  const unrotatedPairCount = scaledFrequencies[0]?.invFreq.filter((frequency) => frequency === 0).length ?? 0;
  return unrotatedPairCount > 0 ? [strings.notes.unrotatedPairs(unrotatedPairCount)] : [];
}
