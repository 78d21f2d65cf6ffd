import { composeScenes, fitColumns, translateMark } from '../../../charts/compose.ts';
import { formatGroupedDecimal } from '../../../charts/english.ts';
import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { formatCount, formatNumber } from '../../../charts/number.ts';
import type { Tone } from '../../../charts/picture.ts';
import { wrapText } from '../../../charts/wrapped-text.ts';
import { PhasorError } from '../../../engine/errors.ts';
import type { EncodingInfo } from '../../../engine/index.ts';
import { computeFrequencies, type Frequencies, type ScaledFrequencies } from '../../compute/frequencies.ts';
import { findHeadWidth, parseConfig, readPositiveInteger } from '../../compute/rope-config.ts';
import { choice, count, encoding, multiSelect, number, type SpecOf, splitList, text } from '../../contract/fields.ts';
import { defineKind, type Engine, isLowHeight, makeProof } from '../../contract/kind.ts';
import { createParamReader } from '../../contract/parameters.ts';
import { SpecError } from '../../contract/spec.ts';
import { createFileInput } from '../../files/drop.ts';
import { resolveModelRotation } from './model-rotation.ts';
import { createModelNotes, createUnrotatedPairsNotes, describeParams, selectBasicParams } from './notes.ts';
import { findPairAxes } from './pair-axes.ts';
import { strings } from './strings.ts';
import { createTables } from './tables.ts';
import { wavelengthScene } from './wavelength-scene.ts';

const MAX_COMPARED_SCALINGS = 5;
const MAX_TOKENS = 2 ** 31 - 1;
/** Head dimension and text length if neither the user nor a config sets them. */
const DEFAULT_DIM = 128;
const DEFAULT_LENGTH = 16384;
/** The default scaling factor for texts that are not longer than the trained length. */
const DEFAULT_FACTOR = 8;
const CHART_HEIGHT = 330;
const MIN_CHART_HEIGHT = 200;

const fields = {
  encoding: encoding('rope', { ids: ['rope', 'mrope'] }),
  config: text('', (provided) => void parseConfig(provided, strings)),
  layerType: choice('any', 'full_attention', 'sliding_attention'),
  layer: count(0, 0, 1023),
  compare: multiSelect('none, linear, ntk_aware, yarn, llama3', strings.scalingNames, MAX_COMPARED_SCALINGS),
  factor: number(0, 0, 1e6),
  dim: count(0, 0, 1024),
  trained: count(0, 0, MAX_TOKENS),
  length: count(0, 0, MAX_TOKENS),
};
export type Spec = SpecOf<typeof fields>;

export interface Results extends Frequencies {
  readonly notes: readonly string[];
  readonly hasConfig: boolean;
  /** For M-RoPE, the position component of each pair (pair-axes.ts); otherwise undefined. */
  readonly axes: readonly number[] | undefined;
  readonly factor: number;
}

const findEncoding = (engine: Engine, id: string): EncodingInfo => {
  const info = engine.encodings.find((encoding) => encoding.id === id);
  if (!info) throw new SpecError('encoding', `encoding: ${id} is unknown`);
  return info;
};

async function compute(spec: Spec, engine: Engine): Promise<Results> {
  const config = parseConfig(spec.config, strings);
  const configLength = config && readPositiveInteger(config, 'max_position_embeddings');
  const length = spec.length || configLength || DEFAULT_LENGTH;
  const model = config && (await resolveModelRotation(config, spec, length, engine));
  const encoding = model?.encoding ?? spec.encoding;
  const info = findEncoding(engine, encoding.id);
  const defaultTrainedLength = Number(createParamReader({}, info)('original_length'));
  const trainedLength = spec.trained || Number(encoding.original_length ?? 0) || configLength;
  const trained = trainedLength || defaultTrainedLength;
  const headDimEntry = config && findHeadWidth(config, spec.layerType);
  const dim = spec.dim || headDimEntry?.width || DEFAULT_DIM;
  const isDimAssumed = config !== undefined && spec.dim === 0 && headDimEntry === undefined;
  const isExtended = length > trained;
  const factor = Number(encoding.factor ?? (spec.factor || (isExtended ? length / trained : DEFAULT_FACTOR)));
  const request = { encoding, others: splitList(spec.compare), factor, dim, trained, length };
  let results: Frequencies;
  try {
    results = await computeFrequencies(request, engine);
  } catch (thrown) {
    const { code, message } = PhasorError.from(thrown);
    if (!isDimAssumed || code !== 'invalid_argument') throw thrown;
    throw new SpecError('dim', strings.wrongWidth(dim, message));
  }
  const notes = [
    strings.notes.encoding(encoding.id, describeParams({ ...selectBasicParams(encoding, info), ...encoding }), config !== undefined),
    strings.notes.dimAndLengths(dim, trained, length),
    ...(config
      ? [
          isDimAssumed
            ? strings.notes.widthAssumed(dim)
            : headDimEntry && !spec.dim
              ? strings.notes.widthKey(headDimEntry.key)
              : strings.notes.widthGiven,
        ]
      : []),
    ...(config && !trainedLength ? [strings.notes.lengthAssumed(trained)] : []),
    ...(model ? createModelNotes(model) : []),
    ...(results.scaledFrequencies.slice(1).some(({ encoding }) => encoding.factor !== undefined)
      ? [strings.notes.comparisonFactor(formatGroupedDecimal(factor), encoding.factor !== undefined || spec.factor > 0 || !isExtended)]
      : []),
    ...results.scaledFrequencies
      .filter(({ attentionFactor }) => attentionFactor !== 1)
      .map(({ scaling, attentionFactor }) => strings.notes.attentionFactor(strings.scalingName(scaling), formatNumber(attentionFactor))),
    ...createUnrotatedPairsNotes(results),
  ];
  return { ...results, notes, factor, hasConfig: config !== undefined, axes: await findPairAxes(encoding, dim, engine) };
}

/**
 * Formats a token count with three significant digits: '54,400'. Counts below 1,000 and from 10^9 on are formatted by
 * `formatNumber`.
 */
const formatTokenCount = (count: number): string =>
  count >= 1000 && count < 1e9 ? formatGroupedDecimal(Number(count.toPrecision(3))) : formatNumber(count);

const getLineName = ({ scaling }: ScaledFrequencies, index: number, { hasConfig }: Results): string =>
  hasConfig && index === 0 ? strings.modelScalingName(scaling) : strings.scalingName(scaling);

/** Creates one line per scaling: thick for the selected one, dashed for RoPE without scaling as a comparison. */
function createLines(model: Results, property: 'wavelengths' | 'finalAngles') {
  return model.scaledFrequencies.map((scaled, index) => ({
    name: getLineName(scaled, index, model),
    // The short name omits the scaling, because a note above the charts names it.
    shortName: model.hasConfig && index === 0 ? getLineName(scaled, index, model).split(': ').at(-1) : undefined,
    values: scaled[property],
    tone: (scaled.scaling === 'none' && index > 0 ? 'ink' : `series-${index + 1}`) as Tone,
    stroke: index === 0 ? 3 : 1.5,
    dashed: scaled.scaling === 'none' && index > 0,
  }));
}

/** Whether the pair completes a rotation. Beyond that, longer texts produce no new angles. */
const hasFullRotation = (angle: number): boolean => angle >= 2 * Math.PI;

export const kind = defineKind({
  id: 'frequencies',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  labels: strings.labels,
  help: strings.help,
  mainFields: ['base', 'compare', 'length'],
  fields,
  aspect: 1,
  compute: (spec, { engine }) => compute(spec, engine),
  resolvedFields: ({ dim, trained, length, factor }) => ({ dim, trained, length, factor }),
  scene(model, _, { width, maxHeight }) {
    const { trained, length, trainedAngles, notes, axes } = model;
    const grid = fitColumns(2, width, isLowHeight(maxHeight) ? 340 : 360, 28);
    const names = model.scaledFrequencies.map((scaled, index) => getLineName(scaled, index, model));
    const isShort = isLowHeight(maxHeight);
    const height = isShort ? Math.max(MIN_CHART_HEIGHT, maxHeight ?? 0) : CHART_HEIGHT;
    const rows = axes && { names: strings.axisNames, groups: axes };
    const chartOptions = { width: grid.each, height, xTitle: strings.pairAxisTitle, description: strings.chartDescription(names), rows };
    const charts = [
      wavelengthScene({
        ...chartOptions,
        title: strings.wavelengthChart.title,
        yTitle: strings.wavelengthChart.axisTitle,
        lines: createLines(model, 'wavelengths'),
        shade: { upperLimits: trainedAngles.map(() => trained), label: strings.wavelengthChart.shadeLabel },
        rules: [
          { value: trained, label: strings.wavelengthChart.trainedLengthLabel(trained) },
          ...(length === trained ? [] : [{ value: length, label: strings.wavelengthChart.textLengthLabel(length) }]),
        ],
      }),
      wavelengthScene({
        ...chartOptions,
        title: strings.angleChart.title(length),
        yTitle: strings.angleChart.axisTitle,
        lines: createLines(model, 'finalAngles'),
        shade: {
          upperLimits: trainedAngles.map((angle) => (hasFullRotation(angle) ? Number.POSITIVE_INFINITY : angle)),
          label: strings.angleChart.shadeLabel,
        },
        rules: [{ value: 2 * Math.PI, label: strings.angleChart.fullRotationLabel }],
      }),
    ];
    const notesText = wrapText(isShort ? [] : notes, width, 12, 'muted');
    const chartsTop = isShort ? 0 : notesText.height + 18;
    const chartParts = charts.map((scene, index) =>
      grid.columns === 2 ? { scene, x: index * (grid.each + 28), y: chartsTop } : { scene, x: 0, y: chartsTop + index * (height + 24) },
    );
    return composeScenes(
      chartParts,
      { title: strings.question },
      notesText.marks.map((mark) => translateMark(mark, 0, 2)),
    );
  },
  readout(model, _, { pair }) {
    const { scaledFrequencies, trained, length, trainedAngles } = model;
    const [selectedScaling] = scaledFrequencies as [ScaledFrequencies];
    const pairCount = selectedScaling.invFreq.length;
    if (!isIndex(pair, pairCount)) {
      const { min, max } = extent(selectedScaling.wavelengths);
      const slowPairCount = trainedAngles.filter((angle) => !hasFullRotation(angle)).length;
      return strings.rangeReadout(
        formatCount(pairCount, 'pair'),
        strings.wavelengthRange(min === max, formatTokenCount(min), formatTokenCount(max)),
        slowPairCount,
        trained,
      );
    }
    const formatValues = (property: 'wavelengths' | 'finalAngles', format: (value: number) => string): string[] =>
      scaledFrequencies.map((scaled, index) => {
        const value = entryAt(scaled[property], pair);
        return strings.valueOfLine(format(value), getLineName(scaled, index, model));
      });
    const formatRotation = (tokens: number): string =>
      Number.isFinite(tokens) ? strings.rotationInTokens(formatTokenCount(tokens)) : strings.noRotation;
    return strings.pairReadout(
      strings.pairSubject(pair, model.axes?.[pair]),
      formatValues('wavelengths', formatRotation),
      length,
      formatValues('finalAngles', formatNumber),
      formatNumber(entryAt(trainedAngles, pair)),
    );
  },
  proof({ residual, tolerance, startTokens }) {
    const failureText = startTokens > 0 ? strings.proof.startTokensFail(startTokens) : strings.proof.fails;
    return makeProof({ ...strings.proof, fails: failureText }, residual, tolerance);
  },
  tables: createTables,
  loadPrograms: () => import('./code.ts'),
  files: createFileInput(['.json']),
  accept({ json }) {
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
    return { config: JSON.stringify(json) };
  },
});
