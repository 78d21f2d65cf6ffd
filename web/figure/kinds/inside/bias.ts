// A line chart of the bias that a model has learned for each distance, with one curve per head.
import { curveScene } from '../../../charts/curve/curve-scene.ts';
import { entryAt } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { formatNumber } from '../../../charts/number.ts';
import type { Frame, Scene } from '../../../charts/scene.ts';
import { distanceProfile } from '../../../engine/analysis.ts';
import type { Params, Tensor } from '../../../engine/index.ts';
import type { EncodingSpec } from '../../contract/fields.ts';
import { type Cursor, type DataTable, type KindContext, makeProof, type Proof } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { hasTable } from './heads.ts';
import { notesHeight, withNotes } from './heads-scene.ts';
import type { Spec } from './index.ts';
import type { LazyView } from './later-view.ts';
import { getCursorSnapshot, requireModels, type Training, trackHeight, withTrack } from './model.ts';
import { evaluateModel } from './shown.ts';
import { describeDistance, formatCharacterCount, strings } from './strings.ts';

export const biasStrings = {
  biasTitle: 'bias',
  entryTitle: 'entry',
  learnedTensorTitle: (name: string) => `${name}, learned`,
  title: 'The learned bias by distance',
  largestBiasReadout: (heads: string) => `Largest bias: ${heads}`,
  largestBiasOfHead: (head: number, character: string, value: string) => `head ${head} for ${character} (${value})`,
  distanceReadout: (distance: number, values: string) =>
    `${distance === 0 ? 'The character itself' : `${formatCharacterCount(distance)} back`}: ${values}`,
  biasOfHead: (head: number, value: string) => `head ${head} ${value}`,
  noLearnedBias: (id: string) => `${id} has no learned table or bias; expected 'heads'`,
  proof: {
    quantity: 'largest difference between two learned biases at the same distance',
    passes: 'The learned bias depends only on the distance.',
    fails: 'The learned bias depends on more than the distance.',
  },
} as const;

/** Tolerance for float32 rounding, relative to the largest bias. */
const TOLERANCE = 1e-5;

export interface BiasResults extends Training {
  readonly show: 'bias';
  readonly view: LazyView<BiasResults>;
  /** Includes the learned tensors as parameters. */
  readonly encoding: EncodingSpec;
  readonly learnedTensors: readonly (readonly [name: string, values: Tensor])[];
  /** [heads, distances]: each head's bias for the last query, by distance back, at the training length. */
  readonly curves: Tensor;
  /** The largest difference between two biases at the same distance. */
  readonly spread: number;
}

const getCurve = ({ curves }: BiasResults, head: number): Float32Array => {
  const [, length = 1] = curves.shape;
  return curves.data.subarray(head * length, (head + 1) * length);
};

const listHeadIndices = ({ curves }: BiasResults): number[] => Array.from({ length: curves.shape[0] ?? 1 }, (_, head) => head);

function scene(results: BiasResults, _: Spec, frame: Frame): Scene {
  const notes = [strings.trainingNote(results, false)];
  const notesAndTrackHeight = notesHeight(notes, frame.width) + trackHeight(results);
  const curves = curveScene({
    ...frame,
    maxHeight: frame.maxHeight === undefined ? undefined : frame.maxHeight - notesAndTrackHeight,
    height: Math.max(220, Math.min(400, frame.width * 0.55)),
    x: Array.from({ length: results.curves.shape[1] ?? 1 }, (_, distance) => distance),
    axis: 'back',
    seriesAxis: 'head',
    series: listHeadIndices(results).map((head) => ({ name: strings.headName(head + 1), id: head, y: getCurve(results, head) })),
    title: biasStrings.title,
    xTitle: strings.charactersBack,
    yTitle: biasStrings.biasTitle,
  });
  return withNotes(withTrack(curves, results, frame.width), notes, frame.width);
}

function readout(results: BiasResults, _: Spec, { back, head, snapshot }: Cursor): string {
  const cursorSnapshot = getCursorSnapshot(results, snapshot);
  if (cursorSnapshot !== undefined) return strings.snapshotReadout(entryAt(results.steps, cursorSnapshot));
  const heads = listHeadIndices(results);
  const [, length = 1] = results.curves.shape;
  if (back === undefined || !Number.isInteger(back) || back < 0 || back >= length) {
    const largestBiases = heads.map((headIndex) => {
      const { max, argmax } = extent(getCurve(results, headIndex));
      return biasStrings.largestBiasOfHead(headIndex + 1, describeDistance(argmax), formatNumber(max));
    });
    return biasStrings.largestBiasReadout(largestBiases.join(', '));
  }
  const shownHeads = head !== undefined && heads.includes(head) ? [head] : heads;
  return biasStrings.distanceReadout(
    back,
    shownHeads.map((index) => biasStrings.biasOfHead(index + 1, formatNumber(entryAt(getCurve(results, index), back)))).join(', '),
  );
}

function proof(results: BiasResults): Proof {
  const { spread, curves } = results;
  const { min, max } = extent(curves.data);
  return makeProof(
    { ...biasStrings.proof, toleranceSource: strings.weightsSource(results) },
    spread,
    TOLERANCE * Math.max(1, Math.abs(min), Math.abs(max)),
  );
}

const tables = (results: BiasResults): readonly DataTable[] => [
  {
    name: 'curves',
    title: biasStrings.biasTitle,
    tensor: results.curves,
    rowTitle: strings.head,
    columnTitle: strings.charactersBack,
    rows: listHeadIndices(results).map((head) => strings.headName(head + 1)),
    columns: Array.from({ length: results.curves.shape[1] ?? 1 }, (_, distance) => String(distance)),
  },
  // Exported programs read long arrays from files with these names.
  ...results.learnedTensors.map(([name, tensor]) => ({
    name,
    title: biasStrings.learnedTensorTitle(name),
    tensor,
    rowTitle: biasStrings.entryTitle,
    columnTitle: strings.head,
  })),
];

export const view: LazyView<BiasResults> = { scene, readout, proof, tables };

export async function computeBiasResults(spec: Spec, context: KindContext): Promise<BiasResults> {
  const { engine } = context;
  const { id } = spec.encoding;
  const info = engine.encodings.find((encoding) => encoding.id === id);
  if (!info || !hasTable(info)) throw new SpecError('show', `show: ${biasStrings.noLearnedBias(id)}`);
  const models = await requireModels(context);
  const model = await models.find(`text-${id}`);
  return evaluateModel(model, spec, context, async (trainer) => {
    const weights = await trainer.weights();
    const learnedTensors = info.params.flatMap(({ name }) => {
      const values = weights[`encoding.${name}`];
      return values ? [[name, values] as const] : [];
    });
    const { heads, sequenceLength } = trainer.config;
    const encoding = { ...trainer.config.encoding, ...Object.fromEntries(learnedTensors) } as EncodingSpec & Params;
    const bias = await engine.attentionBias({ encoding, heads, queries: sequenceLength, keys: sequenceLength });
    const curves = new Float32Array(heads * sequenceLength);
    let spread = 0;
    for (let head = 0; head < heads; head++) {
      const data = bias.data.slice(head * sequenceLength ** 2, (head + 1) * sequenceLength ** 2);
      const lastQueryBiases = data.subarray((sequenceLength - 1) * sequenceLength);
      for (let distance = 0; distance < sequenceLength; distance++)
        curves[head * sequenceLength + distance] = entryAt(lastQueryBiases, sequenceLength - 1 - distance);
      spread = Math.max(spread, (await distanceProfile(engine, { matrix: { shape: [sequenceLength, sequenceLength], data } })).spread);
    }
    return {
      show: 'bias' as const,
      view,
      encoding,
      learnedTensors,
      curves: { shape: [heads, sequenceLength], data: curves },
      spread,
    };
  });
}
