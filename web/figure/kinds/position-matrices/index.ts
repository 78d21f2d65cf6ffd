// Lets the user draw matrices for three positions, with the aim that scores depend only on the distance.
import { isIndex } from '../../../charts/entry-at.ts';
import { formatNumber } from '../../../charts/number.ts';
import { FieldError, formatValue, numbers as list, type SpecOf } from '../../contract/fields.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { computeMatrixScores, computeTolerance, ENTRIES_PER_MATRIX, getScore, POSITION_COUNT } from './compute.ts';
import { SPIRAL } from './presets.ts';
import { MAX_ENTRY, matricesScene, verdictTexts } from './scene.ts';
import { strings } from './strings.ts';
import { matricesSurface } from './surface.ts';

function checkMatrices(entries: readonly number[]): void {
  if (entries.length !== ENTRIES_PER_MATRIX * (POSITION_COUNT - 1)) throw new FieldError(strings.wrongCount(entries.length));
  const outOfRange = entries.find((value) => Math.abs(value) > MAX_ENTRY);
  if (outOfRange !== undefined) throw new FieldError(strings.outOfRange(formatValue(outOfRange), MAX_ENTRY));
}

export const fields = {
  matrices: { ...list(SPIRAL, checkMatrices), control: { kind: 'text', long: true } as const },
};
export type Spec = SpecOf<typeof fields>;

export const kind = defineKind({
  id: 'position-matrices',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  labels: strings.labels,
  help: strings.help,
  fields,
  aspect: 0.8,
  compute: ({ matrices }, { engine }) => computeMatrixScores(matrices, engine),
  scene: (results, _, frame) => matricesScene(results, frame),
  surface: matricesSurface,
  hasOwnReadout: true,
  readout(results, _, { query, key }) {
    if (!isIndex(query, POSITION_COUNT) || !isIndex(key, POSITION_COUNT)) return verdictTexts(results).join('. ');
    const { differingScores, scores } = results;
    const score = getScore(scores, [query, differingScores.query], [key, differingScores.key]);
    return strings.scoreReadout(differingScores.query, differingScores.key, query, key, formatNumber(score));
  },
  proof: (results) => makeProof(strings.proof, results.residual, computeTolerance(results)),
  verdicts: strings.verdicts,
  tables({ vectors, scores }) {
    const rows = Array.from({ length: 2 * POSITION_COUNT }, (_, row) => strings.vectorLabel(Math.floor(row / 2), row % 2));
    return [
      {
        name: 'vectors',
        title: strings.titles.vectors,
        tensor: vectors,
        rowTitle: strings.arrowTitle,
        columnTitle: strings.arrowTitle,
        rows,
        columns: strings.coordinates,
      },
      {
        name: 'scores',
        title: strings.titles.scores,
        tensor: scores,
        rowTitle: strings.arrowTitle,
        columnTitle: strings.arrowTitle,
        rows,
        columns: rows,
      },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});
