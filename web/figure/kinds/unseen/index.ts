import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { formatNumber } from '../../../charts/number.ts';
import { choice, count, FieldError, multiSelect, type SpecOf, splitList } from '../../contract/fields.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { computeUnseenRotations, type UnseenResults } from './compute.ts';
import { METHODS, type MethodId } from './methods.ts';
import { RECORDING, recordedLoss } from './recording.ts';
import { unseenScene } from './scene.ts';
import { getMethodName, strings } from './strings.ts';

const fields = {
  methods: multiSelect(METHODS.map(([id]) => id).join(', '), METHODS, METHODS.length),
  show: choice('rotations', 'attention', 'loss'),
  trained: count(64, 8, 128),
  factor: count(8, 2, 16),
  dim: count(16, 4, 256),
};
export type Spec = SpecOf<typeof fields>;

const formatPercent = (fraction: number): string => `${formatNumber(100 * fraction, { short: true })}%`;

function describeKey(
  { methods, length, unseenFractions, usedDistances, relativeWeights }: UnseenResults,
  method: number,
  distance: number,
  pairCount: number,
): string {
  const cellIndex = method * length + distance;
  const name = getMethodName(methods[method] as MethodId);
  const usedDistance = entryAt(usedDistances.data, cellIndex);
  if (Number.isNaN(usedDistance)) return strings.maskedReadout(name, distance);
  const unseenPairs = Math.round(entryAt(unseenFractions.data, cellIndex) * pairCount);
  return strings.keyReadout(
    name,
    distance,
    usedDistance === distance ? '' : strings.remappedClause(usedDistance),
    unseenPairs,
    pairCount,
    formatNumber(entryAt(relativeWeights.data, cellIndex)),
  );
}

function describeLoss({ methods }: UnseenResults, method: number | undefined, column: number | undefined): string {
  const { lengths, trained, loss, deviation } = RECORDING;
  const lengthIndex = isIndex(column, lengths.length) ? column : lengths.length - 1;
  const isSingleCell = isIndex(method, methods.length) && isIndex(column, lengths.length);
  const shownMethods = isSingleCell ? [methods[method] as MethodId] : methods;
  const formatMeanLoss = (id: MethodId): string => formatNumber(entryAt(loss[id], lengthIndex));
  const values = shownMethods.map((id) =>
    strings.methodValue(
      getMethodName(id),
      isSingleCell ? strings.meanWithDeviation(formatMeanLoss(id), formatNumber(entryAt(deviation[id], lengthIndex))) : formatMeanLoss(id),
    ),
  );
  return strings.lossReadout(entryAt(lengths, lengthIndex), entryAt(lengths, lengthIndex) / trained, values);
}

export const kind = defineKind({
  id: 'unseen',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  labels: strings.labels,
  help: strings.help,
  fields,
  aspect: 0.6,
  compute({ methods, trained, factor, dim }, { engine }) {
    const chosenMethods = splitList(methods) as MethodId[];
    if (chosenMethods.length < 1) throw new FieldError(strings.noMethods);
    if (dim % 2 > 0) throw new SpecError('dim', `dim: ${strings.oddDim(dim)}`);
    return computeUnseenRotations({ methods: chosenMethods, trained, factor, dim }, engine);
  },
  scene: (results, { show, trained }, frame) => unseenScene(results, show, trained, frame),
  readout(results, { factor, dim, show }, { method, distance, all, length: column }) {
    if (show === 'loss') return describeLoss(results, method, column);
    const { methods, length, unseenMeans } = results;
    const formatUnseenMean = (row: number): string => formatPercent(entryAt(unseenMeans.data, row));
    if (isIndex(method, methods.length)) {
      if (isIndex(distance, length)) return describeKey(results, method, distance, dim / 2);
      if (all === 0) return strings.methodReadout(getMethodName(methods[method] as MethodId), formatUnseenMean(method));
    }
    return strings.summary(
      factor,
      methods.map((id, row) => strings.methodValue(getMethodName(id), formatUnseenMean(row))),
    );
  },
  proof: ({ residual }, { trained, factor }) => makeProof(strings.proof, residual, 1e-6 + trained * factor * 2 ** -23),
  tables({ methods, length, unseenFractions, unseenMeans, usedDistances, weights }) {
    const rows = methods.map(getMethodName);
    const headers = {
      rowTitle: strings.method,
      columnTitle: strings.distance,
      rows,
      columns: Array.from({ length }, (_, distance) => String(distance)),
    };
    return [
      { name: 'unseen', title: strings.tables.unseen, tensor: unseenFractions, ...headers },
      {
        name: 'shares',
        title: strings.tables.shares,
        tensor: unseenMeans,
        rowTitle: strings.method,
        columnTitle: strings.allLabel,
        rows,
        columns: [strings.allLabel],
      },
      { name: 'taken', title: strings.tables.taken, tensor: usedDistances, ...headers },
      { name: 'weights', title: strings.tables.weights, tensor: weights, ...headers },
      {
        name: 'loss',
        title: strings.tables.loss,
        tensor: recordedLoss(methods),
        rowTitle: strings.method,
        columnTitle: strings.characters,
        rows,
        columns: RECORDING.lengths.map(String),
      },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});
