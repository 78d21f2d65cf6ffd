// Draws one row per method, with a cell for each distance to the key and a line at the trained length.
import { matrixScene } from '../../../charts/heatmap/matrix-scene.ts';
import type { Mark, Raster } from '../../../charts/picture.ts';
import type { Frame, Scene } from '../../../charts/scene.ts';
import { withNote } from '../../compute/training-source.ts';
import { toGrid } from '../../contract/tensor.ts';
import type { UnseenResults } from './compute.ts';
import { RECORDING, recordedLoss } from './recording.ts';
import { getMethodName, strings } from './strings.ts';

/** Weights divided by uniform weights over the visible keys, as log2. */
const computeLog2Ratios = (results: UnseenResults): Float32Array => results.relativeWeights.data.map((ratio) => Math.log2(ratio));

const LABEL_HEIGHT = 16;

function lossScene({ methods }: UnseenResults, frame: Frame): Scene {
  const { seeds, passages, trained, lengths } = RECORDING;
  return withNote([strings.recordingNote(seeds, passages, trained)], frame, (inner) =>
    matrixScene({
      ...inner,
      title: strings.lossTitle,
      grid: toGrid(recordedLoss(methods)),
      scale: 'sequential',
      quantity: strings.loss,
      unit: strings.nats,
      rowAxis: 'method',
      columnAxis: 'length',
      rowLabels: methods.map(getMethodName),
      columnLabels: lengths.map(String),
      columnTitle: strings.characters,
    }),
  );
}

export type UnseenView = 'rotations' | 'attention' | 'loss';

export function unseenScene(results: UnseenResults, view: UnseenView, trained: number, frame: Frame): Scene {
  if (view === 'loss') return lossScene(results, frame);
  const { methods, length, unseenFractions, unseenMeans } = results;
  const isAttention = view === 'attention';
  const scene = matrixScene({
    ...frame,
    title: isAttention ? strings.attentionTitle : strings.question,
    grid: isAttention ? { ...toGrid(unseenFractions), data: computeLog2Ratios(results) } : toGrid(unseenFractions),
    scale: isAttention ? 'diverging' : 'sequential',
    ...(isAttention ? {} : { range: [0, 1] as const, aside: { label: strings.allLabel, data: unseenMeans.data } }),
    quantity: isAttention ? strings.log2WeightRatio : strings.unseenShare,
    masked: strings.maskedLabel,
    rowAxis: 'method',
    columnAxis: 'distance',
    asideAxis: 'all',
    rowLabels: methods.map(getMethodName),
    columnTitle: strings.distance,
    spaceBelow: LABEL_HEIGHT,
  });
  const { plot, below } = scene.layout;
  const x = plot.x + (plot.width * trained) / length;
  const bottom = plot.y + plot.height;
  const trainedLine: readonly Mark[] = [
    { kind: 'line', tone: 'halo', stroke: 3, x1: x, y1: plot.y, x2: x, y2: bottom },
    { kind: 'line', tone: 'ink', dashed: true, x1: x, y1: plot.y, x2: x, y2: bottom },
    { kind: 'text', tone: 'ink', x: x + 4, y: (below?.y ?? bottom) + LABEL_HEIGHT / 2, text: strings.trainedLabel(trained) },
  ];
  // Each row is a separate raster. Cells narrower than a pixel are then blended within a method but not across methods.
  const rasters = scene.picture.rasters.flatMap((raster): readonly Raster[] => {
    if (raster.key !== 'cells') return [raster];
    const [rowHeight, rowByteCount] = [raster.height / methods.length, 4 * raster.columns];
    return methods.map((id, row) => ({
      ...raster,
      key: id,
      y: raster.y + row * rowHeight,
      height: rowHeight,
      rows: 1,
      rgba: raster.rgba.subarray(row * rowByteCount, (row + 1) * rowByteCount),
    }));
  });
  return { ...scene, picture: { ...scene.picture, rasters, marks: [...scene.picture.marks, ...trainedLine] } };
}
