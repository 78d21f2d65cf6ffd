// Creates a bar chart of the change in each word's output. The cursor selects a word.

import type { Mark } from '../../../charts/picture.ts';
import { type Scene, stepIndex } from '../../../charts/scene.ts';
import { textWidth } from '../../../charts/text-metrics.ts';
import { createOutputChangePicture, findBarIndex, type OutputChangeSpec } from './output-change.ts';

export interface ChangeSceneSpec extends Omit<OutputChangeSpec, 'cursor'> {
  readonly wordAxis: string;
}

export function changeScene({ wordAxis, ...spec }: ChangeSceneSpec): Scene {
  const picture = createOutputChangePicture(spec);
  const count = spec.words.length;
  /**
   * Returns the highlighted marks of a word, without keys, because the picture already contains marks with these keys.
   */
  const highlightMarks = (word: number): Mark[] => {
    const key = spec.keys?.[word] ?? String(word);
    const markKeys = new Set(['bar', 'word', 'patch', 'number'].map((name) => `${name}-${key}`));
    return createOutputChangePicture({ ...spec, cursor: word }).marks.flatMap(({ key: markKey, ...mark }): Mark[] => {
      if (markKey === undefined || !markKeys.has(markKey)) return [];
      if (mark.kind !== 'text' || mark.anchor !== 'end') return [mark];
      const width = textWidth(mark.text, mark.size, true);
      return [{ kind: 'rect', tone: 'halo', x: mark.x - width - 2, y: mark.y - 8, width: width + 4, height: 16 }, mark];
    });
  };
  return {
    picture,
    overlay(cursor) {
      const word = cursor[wordAxis];
      return word === undefined || word < 0 || word >= count ? [] : highlightMarks(word);
    },
    hit(_, y) {
      const word = findBarIndex(picture.layout, y);
      return word === undefined ? undefined : { [wordAxis]: word };
    },
    step: (cursor, _, down) => (count === 0 ? cursor : { ...cursor, [wordAxis]: stepIndex(cursor[wordAxis], down, count) }),
  };
}
