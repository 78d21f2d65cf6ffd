// Diagnoses a port's position encoding from dumped arrays, and draws the errors by token and channel pair.
import type { Explanation, PositionIds } from '../../../engine/doctor/report.ts';
import { parseConfig } from '../../compute/rope-config.ts';
import { choice, count, encoding, FieldError, type SpecOf, tensor, text } from '../../contract/fields.ts';
import { type DataTable, defineKind, makeProof } from '../../contract/kind.ts';
import { createFileInput } from '../../files/drop.ts';
import { computeDiagnosis, DUMP_KINDS } from './compute.ts';
import { readDroppedFields } from './dropped.ts';
import { FAULTS } from './example.ts';
import { reportScene } from './scene.ts';
import { strings } from './strings.ts';

const createArrayField = () =>
  tensor(({ shape }) => {
    if (shape.length < 1 || shape.length > 4 || shape.includes(0)) throw new FieldError(strings.wrongAxisCount(shape));
  });

const fields = {
  fault: choice(...FAULTS),
  encoding: encoding('rope', { ids: ['rope'] }),
  // Not named `before` and `after`, because DOM elements have methods with these names.
  input: createArrayField(),
  output: createArrayField(),
  dump: choice(...DUMP_KINDS),
  config: text('', (value) => {
    if (value.length > 1_000_000) throw new FieldError(strings.tooLong);
    parseConfig(value, strings);
  }),
  layer: count(0, 0, 1023),
  axes: choice('auto', 'tokens,heads,dim', 'heads,tokens,dim'),
  heads: count(0, 0, 1024),
};
export type Spec = SpecOf<typeof fields>;

const formatExplanation = ({ findings }: Explanation): string => findings.map(({ id }) => id).join(' + ') || strings.claimHeading;

const createIdsTables = ({ claimed, dumped }: PositionIds): DataTable[] =>
  Object.entries({ claimed, dumped }).map(([name, axes]) => ({
    name,
    title: strings.idTableTitles[name as 'claimed'],
    tensor: { shape: [axes.length, axes[0]?.length ?? 0], data: Float32Array.from(axes.flat()) },
    rowTitle: strings.axisTitle,
    columnTitle: strings.idChartLabels.token,
  }));

export const kind = defineKind({
  id: 'doctor',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  labels: strings.labels,
  help: strings.help,
  mainFields: ['fault', 'config', 'layer'],
  fields,
  // Not linked to other figures, because these fields describe the dumped arrays.
  unlinkedFields: ['encoding', 'heads', 'layer'],
  aspect: 0.7,
  compute: computeDiagnosis,
  scene: ({ report }, _, frame) => reportScene(report, frame),
  readout({ report, isExample }, _, { token, pair }) {
    const { map, ids, sentence, fix } = report;
    if (ids && token !== undefined && token < (ids.claimed[0]?.length ?? 0))
      return strings.tokenReadout(
        token,
        ids.claimed.map((claimed, axis) => [claimed[token], ids.dumped[axis]?.[token]] as [number, number]),
      );
    const position = token === undefined ? undefined : map?.positions[token];
    if (!map || token === undefined || position === undefined || pair === undefined)
      return [...(isExample ? [strings.exampleNote] : []), sentence, ...(fix ? [strings.fixNote(fix)] : [])].join(' ');
    const values = (['claimed', 'found'] as const).flatMap((name) => {
      const residuals = map[name];
      return residuals && pair < residuals.columns
        ? [strings.residualText[name](residuals.values[token * residuals.columns + pair] as number)]
        : [];
    });
    const column = strings.columnLabel[map.columnAxis](pair, (map.found ?? map.claimed)?.pairs ?? 0);
    return strings.cellReadout(strings.rowLabel[map.columnAxis](position), column, values);
  },
  proof({ report: { ids, residual, rounding, verdict } }) {
    // Position ids are compared exactly, so the residual is 0 or 1.
    if (ids) return makeProof(strings.proof, verdict === 'not_explained' ? 1 : 0, 0);
    return residual === undefined || rounding === undefined ? makeProof(strings.proof, 1, 0) : makeProof(strings.proof, residual, rounding);
  },
  verdicts: strings.verdicts,
  tables({ report }) {
    const { map, ids } = report;
    if (ids) return createIdsTables(ids);
    const rows = map?.positions.map(String) ?? [];
    const { rows: rowTitle, columns: columnTitle } = strings.residualMapLabels[map?.columnAxis ?? 'pair'];
    const residualTables = (['claimed', 'found'] as const).flatMap((name) => {
      const residuals = map?.[name];
      const titles = { claimed: strings.claimedResidualTitle, found: strings.explainedResidualTitle };
      const tensor = residuals && { shape: [rows.length, residuals.columns], data: Float32Array.from(residuals.values) };
      return tensor ? [{ name, title: titles[name], tensor, rowTitle, columnTitle, rows }] : [];
    });
    const { equivalents, next } = report;
    const otherExplanations = [...equivalents, ...next];
    const explanationTable = {
      name: 'explanations',
      title: strings.explanationsTitle,
      tensor: { shape: [otherExplanations.length], data: Float32Array.from(otherExplanations, ({ residual }) => residual) },
      rowTitle: strings.explanationTitle,
      columnTitle: strings.residualTitle,
      rows: otherExplanations.map(formatExplanation),
    };
    return otherExplanations.length > 0 ? [...residualTables, explanationTable] : residualTables;
  },
  loadPrograms: () => import('./code.ts'),
  files: createFileInput(['.npy', '.safetensors', '.json'], { allowsMultiple: true }),
  accept: readDroppedFields,
});
