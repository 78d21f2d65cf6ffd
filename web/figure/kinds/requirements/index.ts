import { formatNumber } from '../../../charts/number.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { requirementNumbers } from './compute.ts';
import { DIGIT, type Finding, LONGER, type Numbers, REQUIREMENTS, type Requirement } from './findings.ts';
import { checkHeads, fields, type Spec, viewpoint } from './sources.ts';
import { words } from './strings.ts';
import { type Answer, type VerdictRow, verdictsScene } from './verdicts-scene.ts';

const ANSWERS: { readonly [verdict: number]: Answer } = { 1: 'holds', 0: 'fails', [-1]: 'idle' };

const rounded = (value: number): string => formatNumber(value);

/** How many times better than asked: more is asked of the closest distance, less of all others. */
function marginOf(name: Requirement, { value, threshold, verdict, refused }: Finding): number | undefined {
  if (verdict === -1 || refused !== undefined) return undefined;
  const [good, bad] = name === 'unique' ? [value, threshold] : [threshold, value];
  if (good === bad) return verdict === 1 ? 1 : value === 0 ? 0 : 1;
  return bad === 0 ? Number.POSITIVE_INFINITY : good / bad;
}

const measuredOf = (name: Requirement, length: number): string =>
  ({
    unique: words.measured.unique(),
    bounded: words.measured.bounded(LONGER * length),
    length: words.measured.length(2 * length),
    smooth: words.measured.smooth(),
    relative: words.measured.relative(),
  })[name];

function rowOf(name: Requirement, numbers: Numbers, { length }: Spec): VerdictRow {
  const finding = numbers.findings[name];
  const { value, threshold, verdict, refused } = finding;
  const long = (name === 'bounded' ? LONGER : 2) * length;
  const isMeasured = verdict !== -1 && refused === undefined;
  return {
    name: words.names[name],
    question: words.questions[name],
    answer: ANSWERS[verdict] as Answer,
    verdict: words.verdicts[verdict],
    measured: isMeasured ? measuredOf(name, length) : refused === undefined ? words.noPositions : words.refusedShort(long),
    value: isMeasured ? rounded(value) : '',
    asked: isMeasured ? words.asked[name](rounded(threshold)) : '',
    margin: marginOf(name, finding),
  };
}

/** One requirement as a sentence, with the positions that decide. */
function sentence(name: Requirement, numbers: Numbers, { length, mask }: Spec): string {
  const { thing, isNone, findings, longest, apart, line, shiftResidual } = numbers;
  const { value, threshold, verdict, places, refused } = findings[name];
  const [a = 0, b = 0] = places;
  const holds = verdict === 1;
  const digits = rounded(value);
  const long = (name === 'bounded' ? LONGER : 2) * length;
  if (refused !== undefined) return words.row.refused(words.names[name], words.verdicts[verdict], long, refused);
  if (verdict === -1) return words.row.idle(words.names[name]);
  switch (name) {
    case 'unique': {
      if (isNone) return words.row.none;
      const query = viewpoint(length, mask);
      const from = thing === 'bias' ? words.row.seenFrom(query) : '';
      if (value === 0 && thing === 'bias' && a < query && query < b) return words.row.sides(a, b, from);
      return value === 0 ? words.row.same(thing, a, b, from) : words.row.unique(holds, thing, a, b, digits, rounded(threshold), from);
    }
    case 'bounded':
      return words.row.bounded(
        !holds ? 'grows' : value > longest * (1 + DIGIT) ? 'slow' : 'same',
        thing,
        long,
        digits,
        length,
        rounded(longest),
      );
    case 'length':
      return words.row.length(holds, thing, length, digits, a);
    case 'smooth':
      return words.row.smooth(holds, thing, a, b, digits, rounded(threshold));
    case 'relative': {
      if (!holds && apart) {
        const { first, second, values } = apart;
        const [low, high] = [rounded(values[0]), rounded(values[1])];
        return first[0] === first[1]
          ? words.row.notRelativeItself(thing, first[0], low, second[0], high)
          : words.row.notRelative(thing, first, low, second, high);
      }
      const moved = shiftResidual === undefined ? '' : words.row.shift(rounded(shiftResidual));
      return `${words.row.relative(thing, digits, line < length ? words.row.line(line) : '')}${moved}`;
    }
  }
}

export const kind = defineKind({
  id: 'requirements',
  question: words.question,
  instruction: words.instruction,
  caption: words.caption,
  fields,
  aspect: 0.5,
  async compute(spec, { engine }): Promise<Numbers> {
    checkHeads(spec, engine);
    return requirementNumbers(spec, engine);
  },
  scene(numbers, spec, frame) {
    const rows = REQUIREMENTS.map((name) => rowOf(name, numbers, spec));
    const { thing, isNone, isDrawn } = numbers;
    const measured = isNone ? words.heading.none : words.heading[thing](spec.length, spec.heads, viewpoint(spec.length, spec.mask));
    return verdictsScene({
      rows,
      axis: 'requirement',
      heading: `${measured}${isDrawn ? words.heading.drawn : ''}`,
      title: words.question,
      description: words.describe(rows.map(({ name, verdict }) => words.describeRow(name, verdict))),
      trackLabels: words.trackLabels,
      trackNote: words.trackNote,
      width: frame.width,
      maxHeight: frame.maxHeight,
    });
  },
  readout(numbers, spec, { requirement }) {
    const name = requirement === undefined ? undefined : REQUIREMENTS[requirement];
    if (name) return sentence(name, numbers, spec);
    if (numbers.isNone) return words.summaryNone;
    const having = (verdict: number): string[] =>
      REQUIREMENTS.filter((one) => numbers.findings[one].verdict === verdict).map((one) => words.names[one]);
    const failing = having(0).map((one) => one.toLowerCase());
    const idle = having(-1);
    return words.summary(failing, idle.length) + idle.map(words.summaryIdle).join('');
  },
  proof: ({ check: { residual, tolerance }, isNone }) => makeProof(isNone ? words.proofNone : words.proof, residual, tolerance),
  tables({ findings }) {
    const data = REQUIREMENTS.flatMap((name) => [findings[name].value, findings[name].threshold, findings[name].verdict]);
    return [
      {
        name: 'requirements',
        title: words.table,
        tensor: { shape: [REQUIREMENTS.length, 3], data: Float32Array.from(data) },
        rowTitle: words.rowTitle,
        columnTitle: words.columnTitle,
        rows: REQUIREMENTS.map((name) => words.names[name]),
        columns: words.columns,
      },
    ];
  },
  code: () => import('./code.ts'),
});
