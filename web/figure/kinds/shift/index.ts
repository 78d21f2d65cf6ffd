import { clocksScene } from '../../../charts/clocks/clocks-scene.ts';
import { arrangeInGrid, stackScenes } from '../../../charts/compose.ts';
import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { matrixScene } from '../../../charts/heatmap/matrix-scene.ts';
import { formatNumber } from '../../../charts/number.ts';
import { shiftError, shiftMatrix } from '../../../engine/analysis.ts';
import { createTableRequest, selectColumns, selectRows } from '../../compute/table-rows.ts';
import { selectPairedSinusoids, splitChannels } from '../../compute/table-waves.ts';
import { count, encoding, number, type SpecOf } from '../../contract/fields.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { toGrid } from '../../contract/tensor.ts';
import { strings } from './strings.ts';

/** Tolerance for sums of two products whose factors are rounded to float32. */
const TOLERANCE = 1e-6;
const MIN_SIDE_BY_SIDE_WIDTH = 540;
/** Height below which the dials are small, px. */
const MIN_FULL_HEIGHT = 340;
const GAP = 24;

const fields = {
  shift: number(7, -255, 255, { whole: true }),
  position: count(3, 0, 1023),
  encoding: encoding('sinusoidal', 'waves'),
  length: count(64, 1, 1024),
  dim: count(8, 1, 128),
};
export type Spec = SpecOf<typeof fields>;

export const kind = defineKind({
  id: 'shift',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  labels: strings.labels,
  help: strings.help,
  fields,
  aspect: 0.5,
  async compute({ shift: k, position, encoding: choice, length, dim }, { engine }) {
    if (Math.abs(k) >= length) throw new SpecError('shift', strings.shiftOutOfRange(k, length));
    const [minPosition, maxPosition] = [Math.max(0, -k), Math.min(length, length - k) - 1];
    if (position < minPosition || position > maxPosition)
      throw new SpecError('position', strings.positionOutOfRange(position, k, minPosition, maxPosition));
    const table = await engine.positionTable(createTableRequest({ encoding: choice, length, dim, positionOffset: 0 }));
    const shiftResult = await shiftMatrix(engine, { encoding: choice, dim, k });
    const { maxAbsDiff } = await shiftError(engine, { table, shift: shiftResult, k });
    const hands = await selectPairedSinusoids({ encoding: choice, dim }, engine);
    return { rows: selectRows(table, [position, position + k]), shift: shiftResult, maxAbsDiff, hands };
  },
  scene({ rows, shift, hands: waves }, { position, shift: k }, frame) {
    const labels = [position, position + k].map(strings.rowLabel);
    const { sine, cosine } = splitChannels(waves);
    const maxPictureHeight = frame.maxHeight ?? 420;
    const isLow = maxPictureHeight < MIN_FULL_HEIGHT;
    const isSideBySide = frame.width >= MIN_SIDE_BY_SIDE_WIDTH;
    const width = isSideBySide ? Math.floor((frame.width - 32) / 2) : frame.width;
    const handsScene = clocksScene({
      title: strings.pair,
      width,
      maxDialSize: isLow ? 34 : 52,
      rowLabels: labels,
      rowTitle: strings.position,
      rowAxis: 'row',
      groups: [
        {
          kind: 'dials',
          heading: strings.pair,
          axis: 'pair',
          columnLabels: sine.map((_, pair) => String(pair)),
          sine: toGrid(selectColumns(rows, sine)),
          cosine: toGrid(selectColumns(rows, cosine)),
        },
      ],
    });
    const valuesScene = matrixScene({
      theme: frame.theme,
      width,
      maxHeight: isLow ? Math.max(100, maxPictureHeight - handsScene.picture.height - GAP) : 160,
      grid: toGrid(rows),
      scale: 'diverging',
      title: strings.rowsTitle,
      quantity: strings.value,
      rowAxis: 'row',
      columnAxis: 'channel',
      rowLabels: labels,
      rowTitle: strings.position,
      columnTitle: strings.channel,
    });
    const matrixPanel = matrixScene({
      theme: frame.theme,
      width,
      maxHeight: maxPictureHeight,
      grid: toGrid(shift),
      scale: 'diverging',
      title: strings.matrixTitle,
      quantity: strings.matrixEntry,
      rowAxis: 'target',
      columnAxis: 'channel',
      rowTitle: strings.targetChannel,
      columnTitle: strings.sourceChannel,
    });
    const rowScenes = stackScenes([handsScene, valuesScene], { title: strings.rowsTitle }, GAP);
    return isSideBySide
      ? arrangeInGrid([rowScenes, matrixPanel], { title: strings.question }, { columns: 2, each: width }, 32)
      : stackScenes([rowScenes, matrixPanel], { title: strings.question }, GAP);
  },
  readout({ rows, shift, hands: { channels } }, { position, shift: k }, { target, channel, row, pair }) {
    const width = entryAt(shift.shape, 0);
    const formatEntry = (tensor: typeof rows, rowIndex: number, columnIndex: number): string =>
      formatNumber(entryAt(tensor.data, rowIndex * width + columnIndex));
    const displayedPosition = row === 1 ? position + k : position;
    if (isIndex(target, width) && isIndex(channel, width)) return strings.cellReadout(target, channel, formatEntry(shift, target, channel));
    if (isIndex(row, 2) && isIndex(channel, width))
      return strings.rowCellReadout(displayedPosition, channel, formatEntry(rows, row, channel));
    if (isIndex(row, 2) && isIndex(pair, channels.length)) {
      const [sineChannel, cosineChannel] = entryAt(channels, pair);
      return strings.handReadout(displayedPosition, pair, formatEntry(rows, row, sineChannel), formatEntry(rows, row, cosineChannel));
    }
    return strings.rangeReadout(k, width, position);
  },
  proof: ({ maxAbsDiff }, { shift: k }) => makeProof({ ...strings.proof, quantity: strings.proof.quantity(k) }, maxAbsDiff, TOLERANCE),
  tables({ rows, shift }, { position, shift: k }) {
    return [
      { name: 'shift', title: strings.matrixTitle, tensor: shift, rowTitle: strings.targetChannel, columnTitle: strings.sourceChannel },
      {
        name: 'rows',
        title: strings.rowsTitle,
        tensor: rows,
        rowTitle: strings.position,
        columnTitle: strings.channel,
        rows: [position, position + k].map(strings.rowLabel),
      },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});
