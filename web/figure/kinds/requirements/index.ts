import { formatNumber } from '../../../charts/number.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { computeRequirements } from './compute.ts';
import { type Finding, LENGTH_FACTOR, MIN_RELATIVE_DISTANCE, REQUIREMENTS, type Requirement, type Results } from './findings.ts';
import { checkHeads, fields, queryPosition, type Spec } from './sources.ts';
import { strings } from './strings.ts';
import { type VerdictRow, type VerdictState, verdictsScene } from './verdicts-scene.ts';

const VERDICT_STATES: { readonly [verdict: number]: VerdictState } = { 1: 'holds', 0: 'fails', [-1]: 'idle' };

const numberText = (value: number): string => formatNumber(value);

/**
 * Returns value / threshold for 'unique', where larger values are better, otherwise threshold / value. Undefined if
 * nothing was measured.
 */
function marginOf(name: Requirement, { value, threshold, verdict, rejection }: Finding): number | undefined {
  if (verdict === -1 || rejection !== undefined) return undefined;
  const [good, bad] = name === 'unique' ? [value, threshold] : [threshold, value];
  if (good === bad) return verdict === 1 ? 1 : value === 0 ? 0 : 1;
  return bad === 0 ? Number.POSITIVE_INFINITY : good / bad;
}

const quantityLabel = (name: Requirement, length: number): string =>
  ({
    unique: strings.measured.unique(),
    bounded: strings.measured.bounded(LENGTH_FACTOR * length),
    length: strings.measured.length(2 * length),
    smooth: strings.measured.smooth(),
    relative: strings.measured.relative(),
  })[name];

function rowOf(name: Requirement, results: Results, { length }: Spec): VerdictRow {
  const finding = results.findings[name];
  const { value, threshold, verdict, rejection } = finding;
  const longerLength = (name === 'bounded' ? LENGTH_FACTOR : 2) * length;
  const isMeasured = verdict !== -1 && rejection === undefined;
  return {
    name: strings.names[name],
    question: strings.questions[name],
    state: VERDICT_STATES[verdict] as VerdictState,
    verdictText: strings.verdicts[verdict],
    quantityLabel: isMeasured
      ? quantityLabel(name, length)
      : rejection === undefined
        ? strings.noPositions
        : strings.rejectedShort(longerLength),
    valueText: isMeasured ? numberText(value) : '',
    thresholdText: isMeasured ? strings.required[name](numberText(threshold)) : '',
    margin: marginOf(name, finding),
  };
}

function requirementText(name: Requirement, results: Results, { length, mask }: Spec): string {
  const { quantity, hasNoEncoding, findings, longestNorm, differingPairs, lineLength, shiftResidual } = results;
  const { value, threshold, verdict, decidingPositions, rejection } = findings[name];
  const [a = 0, b = 0] = decidingPositions;
  const holds = verdict === 1;
  const valueText = numberText(value);
  const longerLength = (name === 'bounded' ? LENGTH_FACTOR : 2) * length;
  if (rejection !== undefined) return strings.row.rejected(strings.names[name], strings.verdicts[verdict], longerLength, rejection);
  if (verdict === -1) return strings.row.idle(strings.names[name]);
  switch (name) {
    case 'unique': {
      if (hasNoEncoding) return strings.row.none;
      const query = queryPosition(length, mask);
      const from = quantity === 'bias' ? strings.row.seenFrom(query) : '';
      if (value === 0 && quantity === 'bias' && a < query && query < b) return strings.row.sides(a, b, from);
      return value === 0
        ? strings.row.same(quantity, a, b, from)
        : strings.row.unique(holds, quantity, a, b, valueText, numberText(threshold), from);
    }
    case 'bounded':
      return strings.row.bounded(
        !holds ? 'grows' : value > longestNorm * (1 + MIN_RELATIVE_DISTANCE) ? 'slow' : 'same',
        quantity,
        longerLength,
        valueText,
        length,
        numberText(longestNorm),
      );
    case 'length':
      return strings.row.length(holds, quantity, length, valueText, a);
    case 'smooth':
      return strings.row.smooth(holds, quantity, a, b, valueText, numberText(threshold));
    case 'relative': {
      if (!holds && differingPairs) {
        const { first, second, values } = differingPairs;
        const [low, high] = [numberText(values[0]), numberText(values[1])];
        return first[0] === first[1]
          ? strings.row.notRelativeItself(quantity, first[0], low, second[0], high)
          : strings.row.notRelative(quantity, first, low, second, high);
      }
      const shiftText = shiftResidual === undefined ? '' : strings.row.shift(numberText(shiftResidual));
      return `${strings.row.relative(quantity, valueText, lineLength < length ? strings.row.line(lineLength) : '')}${shiftText}`;
    }
  }
}

export const kind = defineKind({
  id: 'requirements',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  fields,
  aspect: 0.5,
  async compute(spec, { engine }): Promise<Results> {
    checkHeads(spec, engine);
    return computeRequirements(spec, engine);
  },
  scene(results, spec, frame) {
    const rows = REQUIREMENTS.map((name) => rowOf(name, results, spec));
    const { quantity, hasNoEncoding, hasRandomParams } = results;
    const measured = hasNoEncoding
      ? strings.heading.none
      : strings.heading[quantity](spec.length, spec.heads, queryPosition(spec.length, spec.mask));
    return verdictsScene({
      rows,
      axis: 'requirement',
      heading: `${measured}${hasRandomParams ? strings.heading.random : ''}`,
      title: strings.question,
      description: strings.describe(rows.map(({ name, verdictText }) => strings.describeRow(name, verdictText))),
      trackLabels: strings.trackLabels,
      trackNote: strings.trackNote,
      width: frame.width,
      maxHeight: frame.maxHeight,
    });
  },
  readout(results, spec, { requirement }) {
    const name = requirement === undefined ? undefined : REQUIREMENTS[requirement];
    if (name) return requirementText(name, results, spec);
    if (results.hasNoEncoding) return strings.summaryNone;
    const namesWith = (verdict: number): string[] =>
      REQUIREMENTS.filter((one) => results.findings[one].verdict === verdict).map((one) => strings.names[one]);
    const failingNames = namesWith(0).map((one) => one.toLowerCase());
    const idle = namesWith(-1);
    return strings.summary(failingNames, idle.length) + idle.map(strings.summaryIdle).join('');
  },
  proof: ({ check: { residual, tolerance }, hasNoEncoding }) =>
    makeProof(hasNoEncoding ? strings.proofNone : strings.proof, residual, tolerance),
  tables({ findings }) {
    const data = REQUIREMENTS.flatMap((name) => [findings[name].value, findings[name].threshold, findings[name].verdict]);
    return [
      {
        name: 'requirements',
        title: strings.table,
        tensor: { shape: [REQUIREMENTS.length, 3], data: Float32Array.from(data) },
        rowTitle: strings.rowTitle,
        columnTitle: strings.columnTitle,
        rows: REQUIREMENTS.map((name) => strings.names[name]),
        columns: strings.columns,
      },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});
