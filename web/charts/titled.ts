import { composeScenes } from './compose.ts';
import type { Scene } from './scene.ts';
import { shorten } from './text-metrics.ts';

const FONT_SIZE = 13;
export const TITLE_HEIGHT = 24;

export function withHeading(scene: Scene, text: string, width: number): Scene {
  const { title, description } = scene.picture;
  const heading = {
    kind: 'text',
    tone: 'ink',
    bold: true,
    size: FONT_SIZE,
    x: 0,
    y: 8,
    text: shorten(text, width, FONT_SIZE, true),
  } as const;
  return composeScenes([{ scene, x: 0, y: TITLE_HEIGHT }], { title: `${text}: ${title}`, description }, [heading]);
}
