import { formatNumber } from '../../../charts/number.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { computeRequirements } from './compute.ts';
import { type Finding, LENGTH_FACTOR, MIN_RELATIVE_DISTANCE, REQUIREMENTS, type Requirement, type Results } from './findings.ts';
import { checkHeads, fields, getQueryPosition, type Spec } from './sources.ts';
import { strings } from './strings.ts';
import { type VerdictRow, type VerdictState, verdictsScene } from './verdicts-scene.ts';

const VERDICT_STATES: { readonly [verdict: number]: VerdictState } = { 1: 'holds', 0: 'fails', [-1]: 'idle' };

const formatValue = (value: number): string => formatNumber(value);

/**
 * Returns value / threshold for 'unique', where larger values are better, otherwise threshold / value. Undefined if
 * nothing was measured.
 */
function computeMargin(name: Requirement, { value, threshold, verdict, rejection }: Finding): number | undefined {
  if (verdict === -1 || rejection !== undefined) return undefined;
  const [good, bad] = name === 'unique' ? [value, threshold] : [threshold, value];
  if (good === bad) return verdict === 1 ? 1 : value === 0 ? 0 : 1;
  return bad === 0 ? Number.POSITIVE_INFINITY : good / bad;
}

const getQuantityLabel = (name: Requirement, length: number): string =>
  ({
    unique: strings.quantityLabels.unique(),
    bounded: strings.quantityLabels.bounded(LENGTH_FACTOR * length),
    length: strings.quantityLabels.length(2 * length),
    smooth: strings.quantityLabels.smooth(),
    relative: strings.quantityLabels.relative(),
  })[name];

function createRow(name: Requirement, results: Results, { length }: Spec): VerdictRow {
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
      ? getQuantityLabel(name, length)
      : rejection === undefined
        ? strings.nothingMeasured
        : strings.rejectedLengthLabel(longerLength),
    valueText: isMeasured ? formatValue(value) : '',
    thresholdText: isMeasured ? strings.thresholdTexts[name](formatValue(threshold)) : '',
    margin: computeMargin(name, finding),
  };
}

function describeRequirement(name: Requirement, results: Results, { length, mask }: Spec): string {
  const { quantity, hasNoEncoding, findings, longestNorm, differingPairs, lineLength, shiftResidual } = results;
  const { value, threshold, verdict, decidingPositions, rejection } = findings[name];
  const [a = 0, b = 0] = decidingPositions;
  const isMet = verdict === 1;
  const valueText = formatValue(value);
  const longerLength = (name === 'bounded' ? LENGTH_FACTOR : 2) * length;
  if (rejection !== undefined)
    return strings.readouts.rejectedLength(strings.names[name], strings.verdicts[verdict], longerLength, rejection);
  if (verdict === -1) return strings.readouts.notApplicable(strings.names[name]);
  switch (name) {
    case 'unique': {
      if (hasNoEncoding) return strings.readouts.noEncoding;
      const query = getQueryPosition(length, mask);
      const queryClause = quantity === 'bias' ? strings.readouts.relativeToQuery(query) : '';
      if (value === 0 && quantity === 'bias' && a < query && query < b) return strings.readouts.equalSides(a, b, queryClause);
      return value === 0
        ? strings.readouts.equalPositions(quantity, a, b, queryClause)
        : strings.readouts.unique(isMet, quantity, a, b, valueText, formatValue(threshold), queryClause);
    }
    case 'bounded':
      return strings.readouts.bounded(
        !isMet ? 'grows' : value > longestNorm * (1 + MIN_RELATIVE_DISTANCE) ? 'slow' : 'same',
        quantity,
        longerLength,
        valueText,
        length,
        formatValue(longestNorm),
      );
    case 'length':
      return strings.readouts.length(isMet, quantity, length, valueText, a);
    case 'smooth':
      return strings.readouts.smooth(isMet, quantity, a, b, valueText, formatValue(threshold));
    case 'relative': {
      if (!isMet && differingPairs) {
        const { first, second, values } = differingPairs;
        const [low, high] = [formatValue(values[0]), formatValue(values[1])];
        return first[0] === first[1]
          ? strings.readouts.notRelativeToItself(quantity, first[0], low, second[0], high)
          : strings.readouts.notRelative(quantity, first, low, second, high);
      }
      const shiftText = shiftResidual === undefined ? '' : strings.readouts.shiftMatrix(formatValue(shiftResidual));
      return `${strings.readouts.relative(quantity, valueText, lineLength < length ? strings.readouts.withinPatchRow(lineLength) : '')}${shiftText}`;
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
    const rows = REQUIREMENTS.map((name) => createRow(name, results, spec));
    const { quantity, hasNoEncoding, hasRandomParams } = results;
    const measured = hasNoEncoding
      ? strings.heading.noEncoding
      : strings.heading[quantity](spec.length, spec.heads, getQueryPosition(spec.length, spec.mask));
    return verdictsScene({
      rows,
      axis: 'requirement',
      heading: `${measured}${hasRandomParams ? strings.heading.randomParams : ''}`,
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
    if (name) return describeRequirement(name, results, spec);
    if (results.hasNoEncoding) return strings.noEncodingSummary;
    const namesWith = (verdict: number): string[] =>
      REQUIREMENTS.filter((candidate) => results.findings[candidate].verdict === verdict).map((candidate) => strings.names[candidate]);
    const failingNames = namesWith(0).map((requirementName) => requirementName.toLowerCase());
    const notApplicableNames = namesWith(-1);
    return strings.summary(failingNames, notApplicableNames.length) + notApplicableNames.map(strings.notApplicableSummary).join('');
  },
  proof: ({ check: { residual, tolerance }, hasNoEncoding }) =>
    makeProof(hasNoEncoding ? strings.noEncodingProof : strings.proof, residual, tolerance),
  tables({ findings }) {
    const data = REQUIREMENTS.flatMap((name) => [findings[name].value, findings[name].threshold, findings[name].verdict]);
    return [
      {
        name: 'requirements',
        title: strings.tableTitle,
        tensor: { shape: [REQUIREMENTS.length, 3], data: Float32Array.from(data) },
        rowTitle: strings.rowTitle,
        columnTitle: strings.columnTitle,
        rows: REQUIREMENTS.map((name) => strings.names[name]),
        columns: strings.columnNames,
      },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});
