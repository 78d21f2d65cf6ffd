// Adds a line of text above a scene, for scenes side by side.
import { placed } from './compose.ts';
import type { Scene } from './scene.ts';
import { shorten } from './text-metrics.ts';

const SIZE = 13;
/** Height of the line of text, px. */
export const TITLE = 24;

export function titled(scene: Scene, text: string, width: number): Scene {
  const { title, description } = scene.picture;
  const heading = { kind: 'text', tone: 'ink', bold: true, size: SIZE, x: 0, y: 8, text: shorten(text, width, SIZE, true) } as const;
  return placed([{ scene, x: 0, y: TITLE }], { title: `${text}: ${title}`, description }, [heading]);
}
