// What changes? How far the output of each word moved.
import { movement } from '../../views/movement.ts';
import type { Figure } from '../compute.ts';
import { type Frame, type PlaceCursor, placedKeys, placedWords } from './place-cursor.ts';

export function changePicture(figure: Figure, cursor: PlaceCursor, { width }: Frame): ReturnType<typeof movement> {
  return movement({
    width,
    // Every word of a short text has its line; those of a long one share the room.
    maxHeight: figure.words.length <= 36 ? 14 * figure.words.length + 60 : 520,
    words: placedWords(figure),
    keys: placedKeys(figure),
    distances: figure.distances,
    title: 'How far each word’s output moved',
    quantity: 'largest difference in a word’s output',
    // Rounding errors are drawn beside a number of ordinary size, or they would fill the picture.
    ...(figure.isMoved ? { reference: { value: figure.size, label: 'largest output' } } : {}),
    cursor: cursor.key ?? cursor.query,
  });
}
