// A dump of a port: the fault of its positions, as the doctor names it, and where it shows.
import { residualScene } from '../../../charts/residual-scene.ts';
import type { Explanation } from '../../../engine/doctor/report.ts';
import { configOf } from '../../compute/rope-config.ts';
import { boolean, choice, count, encoding, FieldError, type SpecOf, tensor, text } from '../../contract/fields.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { takesFiles } from '../../files/drop.ts';
import { doctorNumbers } from './compute.ts';
import { droppedFields } from './dropped.ts';
import { FAULTS } from './example.ts';
import { strings } from './strings.ts';

const vectors = () =>
  tensor(({ shape }) => {
    if (shape.length < 2 || shape.length > 4 || shape.includes(0)) throw new FieldError(strings.rank(shape));
  });

const fields = {
  fault: choice(...FAULTS),
  encoding: encoding('rope', { ids: ['rope'] }),
  // Elements have methods before() and after().
  input: vectors(),
  output: vectors(),
  compare: boolean(false),
  config: text('', (value) => {
    if (value.length > 1_000_000) throw new FieldError(strings.tooLong);
    configOf(value, strings);
  }),
  layer: count(0, 0, 1023),
  axes: choice('auto', 'tokens,heads,dim', 'heads,tokens,dim'),
  heads: count(0, 0, 1024),
};
export type Spec = SpecOf<typeof fields>;

const nameOf = ({ findings }: Explanation): string => findings.map(({ id }) => id).join(' + ') || strings.claim;

export const kind = defineKind({
  id: 'doctor',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  labels: strings.labels,
  help: strings.help,
  main: ['fault', 'config', 'layer'],
  fields,
  // The claim is about the dump, not about the encoding of other figures.
  ownFields: ['encoding', 'heads', 'layer'],
  aspect: 0.7,
  compute: doctorNumbers,
  scene({ report, map }, _, frame) {
    return residualScene({
      ...frame,
      grids: [
        ...(map.claimed ? [{ heading: strings.claim, ...map.claimed }] : []),
        ...(map.found ? [{ heading: strings.found(report.verdict), ...map.found }] : []),
      ],
      positions: map.positions,
      title: strings.title,
      strings: strings.axesOf,
    });
  },
  readout({ report, map, isExample }, _, { token, pair }) {
    const position = token === undefined ? undefined : map.positions[token];
    if (token === undefined || position === undefined || pair === undefined) {
      const { sentence, fix } = report;
      return [...(isExample ? [strings.example] : []), sentence, ...(fix ? [strings.fix(fix)] : [])].join(' ');
    }
    const values = (['claimed', 'found'] as const).flatMap((name) => {
      const one = map[name];
      return one && pair < one.columns ? [strings.values[name](one.values[token * one.columns + pair] as number)] : [];
    });
    return strings.cell(position, strings.pairOf(pair, (map.found ?? map.claimed)?.pairs ?? 0), values);
  },
  proof({ report: { residual, rounding } }) {
    return residual === undefined || rounding === undefined ? makeProof(strings.proof, 1, 0) : makeProof(strings.proof, residual, rounding);
  },
  verdicts: strings.verdicts,
  tables({ report, map }) {
    const rows = map.positions.map(String);
    const both = (['claimed', 'found'] as const).flatMap((name) => {
      const one = map[name];
      const titles = { claimed: strings.claimed, found: strings.explained };
      const tensor = one && { shape: [rows.length, one.columns], data: Float32Array.from(one.values) };
      return tensor
        ? [{ name, title: titles[name], tensor, rowTitle: strings.axesOf.position, columnTitle: strings.axesOf.pair, rows }]
        : [];
    });
    const { equivalents, next } = report;
    const others = [...equivalents, ...next];
    const list = {
      name: 'explanations',
      title: strings.explanations,
      tensor: { shape: [others.length], data: Float32Array.from(others, ({ residual }) => residual) },
      rowTitle: strings.explanation,
      columnTitle: strings.residual,
      rows: others.map(nameOf),
    };
    return others.length > 0 ? [...both, list] : both;
  },
  code: () => import('./code.ts'),
  files: takesFiles(['.npy', '.safetensors', '.json'], { several: true }),
  accept: droppedFields,
});
