import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { formatCount, formatNumber } from '../../../charts/number.ts';
import { createPositionLabels } from '../../compute/table-rows.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { computeSpiral, type Spiral } from './compute.ts';
import { fields } from './fields.ts';
import { describePairs, formatRotationPeriod, spiralScene } from './scene.ts';
import { strings } from './strings.ts';

function describeNearest({ similarity }: Spiral, pairsClause: string, position: number, offset: number): string | undefined {
  const count = entryAt(similarity.shape, 0);
  const getCosine = (other: number): number => entryAt(similarity.data, position * count + other);
  const [firstOther, ...others] = Array.from({ length: count }, (_, other) => other).filter((candidate) => candidate !== position);
  if (firstOther === undefined) return undefined;
  const mostSimilarPosition = others.reduce((best, other) => (getCosine(other) > getCosine(best) ? other : best), firstOther);
  return strings.nearestReadout(pairsClause, position + offset, mostSimilarPosition + offset, formatNumber(getCosine(mostSimilarPosition)));
}

export const kind = defineKind({
  id: 'spiral',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  labels: strings.labels,
  help: strings.help,
  mainFields: ['show', 'pair', 'base', 'length'],
  fields,
  aspect: 0.8,
  compute: (spec, { engine }) => computeSpiral(spec, engine),
  playback: { axis: 'query', count: (_, { length }) => length },
  resolvedFields: ({ pair }) => ({ pair }),
  scene: spiralScene,
  actions({ angles }, { show, pair: chosenPair }) {
    const pairCount = entryAt(angles.shape, 1);
    return show === 'one_pair'
      ? [{ label: strings.showAllPairs(pairCount), keys: ['a'], fields: () => ({ show: 'all_pairs' }) }]
      : [{ label: strings.showOnePair, keys: ['a'], fields: ({ pair = chosenPair }) => ({ show: 'one_pair', pair }) }];
  },
  readout(results, spec, { query, pair }) {
    const { angles, invFreq } = results;
    const { length, positionOffset, show } = spec;
    const pairCount = entryAt(angles.shape, 1);
    const hasPair = show === 'all_pairs' && isIndex(pair, pairCount);
    const hasPosition = isIndex(query, length);
    if (hasPair && hasPosition)
      return strings.angleReadout(positionOffset + query, pair, formatNumber(entryAt(angles.data, query * pairCount + pair)));
    if (hasPair) return strings.pairReadout(pair, formatNumber(entryAt(invFreq, pair)), formatRotationPeriod(entryAt(invFreq, pair)));
    const shownPairsText = describePairs(pairCount, results, spec);
    return (
      describeNearest(results, shownPairsText, hasPosition ? query : 0, positionOffset) ??
      strings.description(positionOffset, positionOffset + length - 1, shownPairsText)
    );
  },
  proof({ residual, tolerance, startTokens }) {
    const failureText = startTokens > 0 ? strings.proof.failsForStartTokens(formatCount(startTokens, 'token')) : strings.proof.fails;
    return makeProof({ ...strings.proof, fails: failureText }, residual, tolerance);
  },
  tables({ angles, similarity }, { length, positionOffset, show }) {
    const rows = createPositionLabels(length, positionOffset);
    return [
      { name: 'angles', title: strings.anglesTitle, tensor: angles, rowTitle: strings.position, columnTitle: strings.pair, rows },
      {
        name: 'similarity',
        title: strings.similarityTitle(show === 'one_pair'),
        tensor: similarity,
        rowTitle: strings.position,
        columnTitle: strings.position,
        rows,
        columns: rows,
      },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});
