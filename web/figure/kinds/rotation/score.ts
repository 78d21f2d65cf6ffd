// The score, large, and what became of it: the same as before, or what it was.
import { movedMark } from '../../../charts/compose.ts';
import type { Mark } from '../../../charts/picture.ts';
import { shorten, textWidth } from '../../../charts/text-metrics.ts';
import { wrappedText } from '../../../charts/wrapped-text.ts';
import type { RotationLayout } from './layout.ts';

export interface ScoreSpec {
  readonly label: string;
  readonly score: string;
  /** Undefined while nothing has moved. */
  readonly isSame: boolean | undefined;
  /** What became of it: 'Same score. Both turned by 54°.' */
  readonly says: string;
}

/** Digits of the font of prose are narrower than widths are estimated for. */
const DIGITS = 0.92;

export function scoreMarks({ score: place }: RotationLayout, { label, score, isSame, says }: ScoreSpec): Mark[] {
  const { x, y, width, status } = place;
  const size = Math.min(place.number, (place.number * width) / (textWidth(score, place.number) * DIGITS));
  const { x: left, y: top, width: room, isStacked } = place.says;
  const line = Math.round(status * 1.45);
  const sign = (text: string, tone: Mark['tone']): Mark => ({
    ...{ kind: 'text', tone, bold: true, size: status * 1.3 },
    ...{ x: left, y: top + line / 2, text },
  });
  const signs = isSame === undefined ? [] : isSame ? [sign('=', 'accent')] : [sign('≠', 'changed')];
  const indent = signs.length > 0 ? status * 1.45 : 0;
  const words = isStacked ? says : shorten(says, room - indent, status);
  const lines = wrappedText([words], room - indent, status, isSame === undefined ? 'muted' : 'ink').marks;
  return [
    {
      ...{ kind: 'text', tone: 'muted', serif: true, size: place.label },
      ...{ x, y: y + place.label * 0.7, text: shorten(label, Math.max(width, room), place.label) },
    },
    {
      ...{ kind: 'text', tone: 'ink', bold: true, serif: true, size },
      ...{ x, y: y + place.label * 1.4 + place.number * 0.645, text: score },
    },
    ...signs,
    ...lines.map((mark) => ({ ...movedMark(mark, left + indent, top), serif: true }) as Mark),
  ];
}
