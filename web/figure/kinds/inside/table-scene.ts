// The cosines of rows before training and after it.
import { columnsFor, gridded } from '../../../charts/compose.ts';
import { matrixScene } from '../../../charts/matrix-scene.ts';
import type { Frame, Scene } from '../../../charts/scene.ts';
import { titled } from '../../../charts/titled.ts';
import { gridOf } from '../../contract/tensor.ts';
import { notesHeight, withNotes } from './heads-scene.ts';
import type { Spec } from './index.ts';
import { live } from './strings.ts';
import type { TableNumbers } from './table.ts';
import { tableWords } from './table-strings.ts';
import { stepShown, trackHeight, withTrack } from './training.ts';

/** The least width of a matrix beside another one, px: on a phone too both are seen at once. */
const MIN = 150;
const GAP = 20;

export function tableScene(numbers: TableNumbers, _: Spec, frame: Frame): Scene {
  const { origin, before, after, model } = numbers;
  const isLive = origin === 'live';
  const notes = [isLive ? live(numbers) : tableWords.recorded(model)];
  const room = (frame.maxHeight ?? 600) - notesHeight(notes, frame.width) - trackHeight(numbers);
  const { columns, each } = columnsFor(2, frame.width, MIN, GAP);
  const one = (matrix: typeof after, text: string): Scene =>
    titled(
      matrixScene({
        ...frame,
        width: each,
        maxHeight: room - 24,
        grid: gridOf(matrix),
        scale: 'diverging',
        range: [-1, 1],
        title: tableWords.cosines,
        quantity: tableWords.cosine,
        rowAxis: 'query',
        columnAxis: 'key',
        rowTitle: tableWords.position,
        columnTitle: tableWords.position,
      }),
      text,
      each,
    );
  const title = { title: tableWords.title };
  const both = gridded(
    [one(before, tableWords.beforeTraining), one(after, tableWords.afterSteps(stepShown(numbers)))],
    title,
    { columns, each },
    GAP,
  );
  return withNotes(withTrack(both, numbers, frame.width), notes, frame.width);
}
