// "What changes?": how much the output of each word changed.
import { outputChange } from '../../views/output-change.ts';
import type { Figure } from '../compute.ts';
import { type Frame, type PlaceCursor, placedKeys, placedWords } from './place-cursor.ts';

export function changePicture(figure: Figure, cursor: PlaceCursor, { width }: Frame): ReturnType<typeof outputChange> {
  return outputChange({
    width,
    // Every word of a short text has a labelled row; a long text is scaled to fit.
    maxHeight: figure.words.length <= 36 ? 14 * figure.words.length + 60 : 520,
    words: placedWords(figure),
    keys: placedKeys(figure),
    differences: figure.differences,
    title: 'Change of each word’s output',
    quantity: 'maximum difference in a word’s output',
    // Without a reference value, rounding errors alone would fill the picture.
    ...(figure.isMoved ? { reference: { value: figure.maxAbsOutput, label: 'largest output' } } : {}),
    cursor: cursor.key ?? cursor.query,
  });
}
