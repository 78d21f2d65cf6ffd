import type { Mark, Tone } from './picture.ts';
import { shorten, textWidth } from './text-metrics.ts';

export interface Paragraph {
  readonly marks: readonly Mark[];
  readonly height: number;
}

/** Lays out paragraphs from top to bottom. Words wider than `width` are truncated. */
export function wrapText(texts: readonly string[], width: number, size: number, tone: Tone): Paragraph {
  const lineHeight = Math.round(size * 1.45);
  const marks: Mark[] = [];
  let y = 0;
  for (const text of texts) {
    let line = '';
    const endLine = (): void => {
      marks.push({ kind: 'text', tone, size, x: 0, y: y + lineHeight / 2, text: shorten(line, width, size) });
      y += lineHeight;
    };
    for (const word of text.split(' ')) {
      const extendedLine = line === '' ? word : `${line} ${word}`;
      if (line !== '' && textWidth(extendedLine, size) > width) {
        endLine();
        line = word;
      } else line = extendedLine;
    }
    endLine();
    y += 3;
  }
  return { marks, height: y };
}
