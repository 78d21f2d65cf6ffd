import { isIndex } from '../../../charts/entry-at.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { createModelFileInput } from '../../files/model-drop.ts';
import { computeModelChange, fields, type Results, type Spec, toTensor } from './compute.ts';
import { changeScene } from './scene.ts';
import { strings } from './strings.ts';

/** Tolerance for float32 rounding in log-probabilities, accumulated over all layers. */
const TOLERANCE = 1e-3;

const getLineClauses = ({ lines, change, amount }: Results, { layer, head }: Spec): readonly string[] =>
  lines.map((line) => strings.lineClause(line, change, amount, { layer, head }));

const getProbability = ({ logProbability }: { readonly logProbability: number }): number => Math.exp(logProbability);

function lossSentence(results: Results, spec: Spec, index: number): string {
  const clauses = getLineClauses(results, spec);
  const lossEntries = results.loss.flatMap((row, line) =>
    Number.isFinite(row[index]) ? [[clauses[line] as string, row[index] as number] as const] : [],
  );
  const length = results.lengths[index] as number;
  if (lossEntries.length === 0) return strings.measuringFirstPassage;
  const lossesText = strings.lossReadout(length, lossEntries);
  return [lossesText, results.trainedLength === undefined ? '' : strings.trainedLengthNote(length, results.trainedLength)]
    .filter(Boolean)
    .join(' ');
}

export const kind = defineKind({
  id: 'model-change',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  fields,
  labels: strings.labels,
  help: strings.help,
  mainFields: ['change', 'amount', 'text', 'layer'],
  unlinkedFields: ['text', 'head'],
  showsLanguageModel: true,
  trainable: () => import('../../surface/paced.ts'),
  aspect: 0.75,
  compute: computeModelChange,
  scene: changeScene,
  resolvedFields: ({ amount }) => (amount === undefined ? {} : { amount }),
  choose({ layerCosts, isRunning }, { layer }, cursor) {
    if (isRunning || !isIndex(cursor.layer, layerCosts.length)) return undefined;
    return { change: 'none', amount: 0, layer: layer === cursor.layer + 1 ? 0 : cursor.layer + 1 };
  },
  actions({ isRunning }, spec) {
    if (isRunning) return [];
    return Object.entries(strings.buttons)
      .filter(([change]) => change !== spec.change || spec.layer > 0 || spec.head > 0)
      .map(([change, label]) => ({ label, fields: () => ({ change, amount: 0, layer: 0, head: 0 }) }));
  },
  readout(results, spec, { length, line, guess, layer }) {
    const { lengths, lines, guesses, layerCosts, layerTextLength } = results;
    const clauses = getLineClauses(results, spec);
    if (isIndex(line, lines.length) && isIndex(guess, guesses[line]?.length ?? 0)) {
      const guessAtCursor = guesses[line]?.[guess] as Results['guesses'][number][number];
      return strings.guessReadout(clauses[line] as string, guessAtCursor.text, getProbability(guessAtCursor));
    }
    if (isIndex(length, lengths.length)) return lossSentence(results, spec, length);
    if (isIndex(layer, layerCosts.length)) return strings.layerCostReadout(layer, layerCosts[layer] as number, layerTextLength);
    const nextTokenText = strings.nextTokensReadout(
      guesses.flatMap(([first], index) => (first ? [[clauses[index] as string, first.text, getProbability(first)] as const] : [])),
    );
    const isMeasured = (index: number, rows: Results['loss']): boolean => rows.every((row) => Number.isFinite(row[index]));
    const findLastMeasuredIndex = (rows: Results['loss']): number => lengths.findLastIndex((_, index) => isMeasured(index, rows));
    // Until some length has been measured for all curves, uses the longest length measured for the first curve.
    const lastIndex = Math.max(findLastMeasuredIndex(results.loss), 0) || findLastMeasuredIndex(results.loss.slice(0, 1));
    return `${lossSentence(results, spec, Math.max(0, lastIndex))} ${nextTokenText}`;
  },
  proof: ({ residual, change }) => makeProof({ ...strings.proof, quantity: strings.proof.quantity(change) }, residual, TOLERANCE),
  tables(results, spec) {
    const { loss, lengths, lines, layerCosts, guesses } = results;
    const clauses = getLineClauses(results, spec);
    return [
      {
        name: 'loss',
        title: strings.tables.loss,
        tensor: toTensor(loss),
        rowTitle: strings.tables.line,
        columnTitle: strings.lengthAxis,
        rows: clauses,
        columns: lengths.map(String),
      },
      {
        name: 'cost',
        title: strings.tables.layers,
        tensor: { shape: [layerCosts.length], data: Float32Array.from(layerCosts) },
        rowTitle: strings.tables.layer,
        columnTitle: strings.tables.cost,
        rows: layerCosts.map((_, layer) => String(layer + 1)),
      },
      ...guesses.map((list, index) => ({
        name: `next_${lines[index]}`,
        title: strings.tables.nextTokens(clauses[index] as string),
        tensor: { shape: [list.length], data: Float32Array.from(list, getProbability) },
        rowTitle: strings.tables.token,
        columnTitle: strings.tables.probability,
        rows: list.map((guess) => strings.visibleToken(guess.text)),
      })),
    ];
  },
  files: createModelFileInput(),
  loadPrograms: () => import('./code.ts'),
});
