import { isIndex } from '../../../charts/entry-at.ts';
import { formatNumber } from '../../../charts/number.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { createModelFileInput } from '../../files/model-drop.ts';
import { computeAttention, fields, type Results } from './compute.ts';
import { attentionScene } from './scene.ts';
import { strings } from './strings.ts';

/** Tolerance for float32 rounding in dot products over at most a few hundred channels. */
const TOLERANCE = 1e-4;

const argmax = (values: Float32Array): number =>
  values.indexOf(values.reduce((max, value) => Math.max(max, value), Number.NEGATIVE_INFINITY));
const getMinDistance = ({ model, ids }: Results): number => (model.causal ? 0 : 1 - ids.length);

/** Returns the index of the profile's largest weight, among distances of at most half the text length. */
function findPeakIndex(results: Results): number {
  const { profile, ids } = results;
  const minDistance = getMinDistance(results);
  return argmax(profile.map((weight, index) => (Math.abs(index + minDistance) <= ids.length / 2 ? weight : 0)));
}

/** Returns the head that is `offset` heads after the selected head, as layer and head numbers from 1. */
function shiftHead({ layer, head, model: { layers, heads } }: Results, offset: number) {
  const nextIndex = (layer * heads + head + offset + layers * heads) % (layers * heads);
  return { layer: Math.floor(nextIndex / heads) + 1, head: (nextIndex % heads) + 1 };
}

export const kind = defineKind({
  id: 'model-attention',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  fields,
  labels: strings.labels,
  help: strings.help,
  mainFields: ['layer', 'head', 'text'],
  unlinkedFields: ['text', 'head'],
  showsLanguageModel: true,
  aspect: 0.8,
  compute: computeAttention,
  scene: attentionScene,
  resolvedFields: ({ layer, head, token }) => ({ layer: layer + 1, head: head + 1, token: token + 1 }),
  choose({ ids, token }, _, { query, key }) {
    const pointedToken = query !== undefined && query !== token ? query : key;
    return isIndex(pointedToken, ids.length) ? { token: pointedToken + 1 } : undefined;
  },
  actions: (results) => [
    { label: strings.previousHead, keys: ['p'], fields: () => shiftHead(results, -1) },
    { label: strings.nextHead, keys: ['n'], fields: () => shiftHead(results, 1) },
  ],
  detailFigure: ({ layer, head }) => ({
    kind: 'model-change',
    label: strings.removePositions,
    fields: { change: 'none', layer: String(layer + 1), head: String(head + 1) },
  }),
  readout(results, _, { query, key, distance, pair }) {
    const { layer, head, tokenTexts, weights, profile, profileWithoutPositions, pairs } = results;
    const minDistance = getMinDistance(results);
    if (isIndex(query, tokenTexts.length) && isIndex(key, tokenTexts.length)) {
      const weight = weights.data[query * tokenTexts.length + key] as number;
      return strings.weightReadout(tokenTexts[query] as string, tokenTexts[key] as string, formatNumber(weight));
    }
    if (distance !== undefined && isIndex(distance - minDistance, profile.length))
      return strings.distanceReadout(
        distance,
        profile[distance - minDistance] as number,
        profileWithoutPositions?.[distance - minDistance],
      );
    if (pairs && isIndex(pair, pairs.lift.length))
      return strings.pairReadout(pair, pairs.wavelengths[pair] as number, pairs.lift[pair] as number);
    const peakIndex = findPeakIndex(results);
    const bestPair = pairs && argmax(pairs.lift);
    return [
      strings.describeHead(layer, head, peakIndex + minDistance, profile[peakIndex] as number),
      ...(profileWithoutPositions ? [strings.describeHeadWithoutPositions(profileWithoutPositions[peakIndex] as number)] : []),
      ...(pairs && bestPair !== undefined
        ? [strings.strongestPair(bestPair, pairs.wavelengths[bestPair] as number, pairs.lift[bestPair] as number)]
        : []),
    ].join(' ');
  },
  proof: ({ residual, pairs }) => makeProof(pairs ? strings.proof : strings.profileProof, residual, TOLERANCE),
  tables(results) {
    const { weights, tokenTexts, profile, profileWithoutPositions, pairs } = results;
    const lines = [profile, ...(profileWithoutPositions ? [profileWithoutPositions] : [])];
    return [
      {
        name: 'attention',
        title: strings.tables.attention,
        tensor: weights,
        rowTitle: strings.queryTitle,
        columnTitle: strings.keyTitle,
        rows: tokenTexts,
        columns: tokenTexts,
      },
      {
        name: 'profile',
        title: strings.tables.profile,
        tensor: { shape: [lines.length, profile.length], data: Float32Array.from(lines.flatMap((line) => [...line])) },
        rowTitle: strings.tables.line,
        columnTitle: strings.distanceAxis,
        rows: [strings.withPositions, strings.withoutPositions].slice(0, lines.length),
        columns: Array.from(profile, (_, index) => String(index + getMinDistance(results))),
      },
      ...(pairs
        ? [
            {
              name: 'pairs',
              title: strings.tables.pairs,
              tensor: { shape: [pairs.lift.length], data: pairs.lift },
              rowTitle: strings.tables.pair,
              columnTitle: strings.tables.score,
              rows: pairs.wavelengths.map((tokens, pair) => `${pair + 1}: ${formatNumber(tokens)} ${strings.pairsAxis}`),
            },
          ]
        : []),
    ];
  },
  files: createModelFileInput(),
  loadPrograms: () => import('./code.ts'),
});
