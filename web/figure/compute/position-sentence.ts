// Describes in a sentence how a published model encodes positions, based on the core's list of its layers.

import { formatId, formatGroupedDecimal as grouped, joinWithAnd } from '../../charts/english.ts';
import { capitalize } from '../../charts/number.ts';
import type { ConfigEncoding, ConfigLayer } from '../../engine/index.ts';
import { getEncodingName, listEncodingClauses } from './encoding-clauses.ts';

const formatTokenCount = (count: number): string => `${grouped(count)} ${count === 1 ? 'token' : 'tokens'}`;

/**
 * Clauses for each type of layer without queries and keys: for one such layer, for several, and for a model that consists only of such
 * layers.
 */
const NO_ATTENTION_CLAUSES: { readonly [type: string]: readonly [one: string, many: string, alone: string] } = {
  linear_attention: [
    'has no softmax attention',
    'have no softmax attention',
    'no softmax attention (linear attention or a state space), no positions',
  ],
  recurrent: ['is recurrent', 'are recurrent', 'recurrent, no positions'],
  conv: ['is a convolution', 'are convolutions', 'convolutions, no positions'],
  none: ['has no attention', 'have no attention', 'no attention, no positions'],
};
const describeNoAttention = (type: string): readonly [string, string, string] =>
  NO_ATTENTION_CLAUSES[type] ?? [`is ${formatId(type)}`, `are ${formatId(type)}`, formatId(type)];

/** Layer types that the sentence does not name, because it already describes which keys are visible. */
const IMPLIED_TYPES = ['full_attention', 'sliding_attention', 'chunked_attention'];

type LayerList = readonly ConfigLayer[];

/** Layers with the same positional encoding and visible keys. They need not be adjacent. */
interface LayerGroup {
  readonly layer: ConfigLayer;
  readonly clauses: readonly string[];
  /** In ascending order. */
  readonly layerIndices: readonly number[];
}

const hasNoPositions = ({ layer }: LayerGroup): boolean => layer.encoding?.id === 'none';
const hasPositions = (group: LayerGroup): boolean => group.layer.encoding !== undefined && !hasNoPositions(group);

function describeVisibleKeys({ type, window, windowAhead, chunk, causal }: ConfigLayer, isSingular: boolean): string {
  const typeText = IMPLIED_TYPES.includes(type) ? '' : ` (${formatId(type)})`;
  if (windowAhead !== undefined && window !== undefined) {
    const [backText, aheadText] = [formatTokenCount(window - 1), grouped(windowAhead)];
    return window - 1 === windowAhead ? `${backText} either way${typeText}` : `${backText} back and ${aheadText} ahead${typeText}`;
  }
  if (window !== undefined) return `the last ${formatTokenCount(window)}${typeText}`;
  if (chunk !== undefined) return `${isSingular ? 'its' : 'their'} own chunk of ${formatTokenCount(chunk)}${typeText}`;
  return `${causal === false ? 'all tokens' : 'all earlier tokens'}${typeText}`;
}

const isLimited = ({ type, window, chunk }: ConfigLayer): boolean =>
  window !== undefined || chunk !== undefined || !IMPLIED_TYPES.includes(type);

function groupLayers(layers: LayerList): readonly LayerGroup[] {
  const groups = new Map<string, { layer: ConfigLayer; clauses: readonly string[]; layerIndices: number[] }>();
  layers.forEach((layer, index) => {
    const clauses = layer.encoding ? listEncodingClauses(layer.encoding) : [];
    const groupKey = JSON.stringify(layer.encoding ? [describeVisibleKeys(layer, true), layer.encoding] : layer.type);
    const group = groups.get(groupKey);
    if (group) group.layerIndices.push(index);
    else groups.set(groupKey, { layer, clauses, layerIndices: [index] });
  });
  return [...groups.values()].map((group, _, allGroups) => ({
    ...group,
    clauses: [...group.clauses, ...listDistinguishingParams(group, allGroups)],
  }));
}

/** Lists the parameters that distinguish this group from other groups with the same clauses. */
function listDistinguishingParams({ layer: { encoding }, clauses }: LayerGroup, groups: readonly LayerGroup[]): readonly string[] {
  const similarEncodings = groups.filter((group) => group.clauses.join() === clauses.join()).map(({ layer }) => layer.encoding);
  return Object.entries(encoding ?? {}).flatMap(([name, value]) => {
    const valueJson = JSON.stringify(value);
    if (similarEncodings.every((other) => JSON.stringify(other?.[name]) === valueJson)) return [];
    return [`${formatId(name)} ${typeof value === 'object' ? 'of its own' : String(value)}`];
  });
}

/** Returns the smallest period that occurs at least twice in a list, or 0 if there is none. */
export function findPeriod(values: readonly unknown[]): number {
  for (let period = 1; 2 * period <= values.length; period++)
    if (values.every((value, index) => value === values[index % period])) return period;
  return 0;
}

const formatOrdinal = (count: number): string => {
  const isTeen = count % 100 > 10 && count % 100 < 14;
  return `${count}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][count % 10]) ?? 'th'}`;
};

/** Returns the subject of a clause, such as 'every 6th layer', '5 of 6 layers' or 'the others', and whether it is singular. */
function describeSubject(
  group: LayerGroup,
  groupIndex: number,
  groups: readonly LayerGroup[],
  layerCount: number,
  period: number,
): readonly [string, boolean] {
  const [firstLayer = 0] = group.layerIndices;
  const layerWord = groupIndex === 0 ? ' layer' : '';
  const countPerPeriod = group.layerIndices.filter((index) => index < period).length;
  if (period > 2 && countPerPeriod === 1 && firstLayer === period - 1) return [`every ${formatOrdinal(period)}${layerWord}`, true];
  if (groupIndex > 0 && groupIndex === groups.length - 1)
    return group.layerIndices.length === 1 ? [`layer ${firstLayer}`, true] : ['the others', false];
  if (period === 2) return ['every other layer', true];
  if (period > 0) return [`${countPerPeriod} of ${period}${layerWord && ' layers'}`, countPerPeriod === 1];
  return group.layerIndices.length === 1
    ? [`layer ${firstLayer}`, true]
    : [`${group.layerIndices.length} of ${layerCount}${layerWord && ' layers'}`, false];
}

interface WordingOptions {
  /** Whether the number of layers is arbitrary. If so, the sentence omits it. */
  readonly isExample?: boolean;
}

/** Describes the layers of an encoder or a decoder in a clause that begins with a lower-case letter. */
function describeStack(layers: LayerList, { isExample = false }: WordingOptions): string {
  const unsortedGroups = groupLayers(layers);
  const layerCount = layers.length;
  const [onlyGroup] = unsortedGroups;
  if (unsortedGroups.length < 2 && onlyGroup) {
    const { layer, clauses } = onlyGroup;
    const layersText =
      layerCount === 1
        ? 'the only layer:'
        : `${layerCount === 2 && !isExample ? 'both' : ['all', ...(isExample ? [] : [layerCount])].join(' ')} layers do the same:`;
    if (!layer.encoding) return `${layersText} ${describeNoAttention(layer.type)[2]}`;
    const visibilityClauses = isLimited(layer) ? [`each token sees ${describeVisibleKeys(layer, true)}`] : [];
    // The encoder of an encoder-decoder model is always bidirectional, so the sentence does not mention it.
    const directionClauses = layer.causal === false && !layer.stack && visibilityClauses.length === 0 ? ['attention is bidirectional'] : [];
    return `${layersText} ${[...clauses, ...visibilityClauses, ...directionClauses].join(', ')}`;
  }
  const groupIndices = layers.map((_, index) => unsortedGroups.findIndex(({ layerIndices }) => layerIndices.includes(index)));
  const period = findPeriod(groupIndices);
  const groups = [...unsortedGroups].sort((a, b) => (period === 2 ? 0 : b.layerIndices.length - a.layerIndices.length));
  const encodedGroups = groups.filter(hasPositions);
  const sharedClauses = (encodedGroups[0]?.clauses ?? []).filter((clause) =>
    encodedGroups.every(({ clauses }) => clauses.includes(clause)),
  );
  const attentionGroups = groups.filter(({ layer }) => layer.encoding);
  const hasUniformVisibility =
    attentionGroups.length > 1 && new Set(attentionGroups.map(({ layer }) => describeVisibleKeys(layer, true))).size === 1;
  const groupClauses = groups.map((group, groupIndex) => {
    const [subjectText, isSingular] = describeSubject(group, groupIndex, groups, layerCount, period);
    const { layer, clauses } = group;
    if (!layer.encoding) return `${subjectText} ${describeNoAttention(layer.type)[isSingular ? 0 : 1]}`;
    const specificClauses = clauses.filter((clause) => !sharedClauses.includes(clause));
    const parenthesis = hasPositions(group) && specificClauses.length > 0 ? ` (${specificClauses.join(', ')})` : '';
    if (hasUniformVisibility)
      return `${subjectText} ${isSingular ? 'has' : 'have'} ${hasNoPositions(group) ? 'no positions' : `${getEncodingName(layer.encoding)}${parenthesis}`}`;
    return `${subjectText} ${isSingular ? 'sees' : 'see'} ${describeVisibleKeys(layer, isSingular)}${hasNoPositions(group) ? ' without positions' : parenthesis}`;
  });
  return [joinWithAnd.format(groupClauses), ...(sharedClauses.length > 0 ? [sharedClauses.join(', ')] : [])].join('; ');
}

/**
 * Returns a sentence such as 'All 32 layers do the same: RoPE with half-split pairs, base 500,000, low frequencies divided by 8, original
 * length 8,192 tokens.'
 */
export function writeLayersSentence(layers: LayerList, wording: WordingOptions = {}): string {
  const stacks = ['encoder', 'decoder'].map((stackName) => layers.filter(({ stack }) => stack === stackName));
  if (stacks.some(({ length }) => length === 0)) return `${capitalize(describeStack(layers, wording))}.`;
  const [firstClause, secondClause] = stacks.map((stack) => describeStack(stack, wording));
  return firstClause === secondClause ? `Encoder and decoder: ${firstClause}.` : `Encoder: ${firstClause}. Decoder: ${secondClause}.`;
}

/**
 * Describes a model whose layers the core cannot list, such as an image encoder or an unknown family. The sentence does not mention which
 * keys are visible.
 * @param layerCount the number of layers, if the config specifies it
 */
export function writeEncodingSentence({ encoding, added, assumed }: ConfigEncoding, layerCount: number | undefined): string {
  const clauses = [...listEncodingClauses(encoding), ...(added ? listEncodingClauses(added) : [])];
  const caveat = assumed ? ', as far as the config specifies' : '';
  return `All ${layerCount === undefined ? '' : `${layerCount} `}layers use the same positional encoding${caveat}: ${clauses.join(', ')}.`;
}

export function listAttentionClauses({ encoding, sinks, softcap, qkNorm, temperature, scale }: ConfigLayer): readonly string[] {
  return [
    // In multi-head latent attention, all heads share a rotated key (DeepSeek-V2, 2024, section 2.1).
    ...(encoding?.rotary_offset ? ['one rotated key shared by all heads'] : []),
    ...(sinks ? ['a learned sink for each head'] : []),
    ...(softcap === undefined ? [] : [`scores soft-capped at ${grouped(softcap)}`]),
    ...(qkNorm
      ? [
          `queries and keys normalised ${qkNorm.over === 'head' ? 'in each head' : 'over all heads'} ${formatId(qkNorm.order).replace('encoding', 'the rotation')}`,
        ]
      : []),
    ...(temperature ? ['queries scaled logarithmically with position'] : []),
    ...(scale === undefined ? [] : [`q·k times ${Number(scale.toPrecision(3))}`]),
  ];
}
