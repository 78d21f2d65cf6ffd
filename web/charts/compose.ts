// Combines scenes side by side or stacked. All scenes share one cursor; each shows only the axes that it has.
import type { Mark, Picture } from './picture.ts';
import type { Cursor, Scene } from './scene.ts';

export function translateMark(mark: Mark, x: number, y: number): Mark {
  const rotation = mark.rotation && { ...mark.rotation, x: mark.rotation.x + x, y: mark.rotation.y + y };
  const rotationField = rotation ? { rotation } : {};
  switch (mark.kind) {
    case 'line':
      return { ...mark, ...rotationField, x1: mark.x1 + x, y1: mark.y1 + y, x2: mark.x2 + x, y2: mark.y2 + y };
    case 'circle':
      return { ...mark, ...rotationField, cx: mark.cx + x, cy: mark.cy + y };
    case 'path':
      return { ...mark, ...rotationField, by: { x: (mark.by?.x ?? 0) + x, y: (mark.by?.y ?? 0) + y } };
    case 'text':
    case 'rect':
      return { ...mark, ...rotationField, x: mark.x + x, y: mark.y + y };
  }
}

const withUniqueKey = <T extends { readonly key?: string }>(part: T, index: number): T =>
  part.key === undefined ? part : { ...part, key: `${index}-${part.key}` };

interface PlacedScene {
  readonly scene: Scene;
  readonly x: number;
  readonly y: number;
}

export interface Heading {
  readonly title: string;
  readonly description?: string;
}

/** Combines scenes at the given positions in one picture. Arrow keys move the cursor of the scene that was last under the pointer. */
export function composeScenes(placedScenes: readonly PlacedScene[], { title, description }: Heading, marks: readonly Mark[] = []): Scene {
  let lastHitIndex = 0;
  const translateMarks = ({ x, y }: PlacedScene, sceneMarks: readonly Mark[], index: number): Mark[] =>
    sceneMarks.map((mark) => withUniqueKey(translateMark(mark, x, y), index));
  const picture: Picture = {
    width: Math.max(1, ...placedScenes.map(({ scene, x }) => x + scene.picture.width)),
    height: Math.max(1, ...placedScenes.map(({ scene, y }) => y + scene.picture.height)),
    title,
    description: description ?? placedScenes.map(({ scene: { picture } }) => `${picture.title}: ${picture.description}`).join(' '),
    rasters: placedScenes.flatMap(({ scene, x, y }, index) =>
      scene.picture.rasters.map((raster) => withUniqueKey({ ...raster, x: raster.x + x, y: raster.y + y }, index)),
    ),
    marks: [...marks, ...placedScenes.flatMap((part, index) => translateMarks(part, part.scene.picture.marks, index))],
  };
  return {
    picture,
    overlay: (cursor) => placedScenes.flatMap((part, index) => translateMarks(part, part.scene.overlay(cursor), index)),
    hit(x, y) {
      for (const [index, part] of placedScenes.entries()) {
        const { width, height } = part.scene.picture;
        if (x < part.x || y < part.y || x >= part.x + width || y >= part.y + height) continue;
        const cursor = part.scene.hit(x - part.x, y - part.y);
        if (!cursor) continue;
        lastHitIndex = index;
        return cursor;
      }
      return undefined;
    },
    step: (cursor: Cursor, columns, rows) => placedScenes[lastHitIndex]?.scene.step(cursor, columns, rows) ?? cursor,
  };
}

export function stackScenes(scenes: readonly Scene[], heading: Heading, gap = 20): Scene {
  let y = 0;
  const parts = scenes.map((scene) => {
    const part = { scene, x: 0, y };
    y += scene.picture.height + gap;
    return part;
  });
  return composeScenes(parts, heading);
}

/** The number of columns of at least `minWidth` px that fit side by side, and the width of each. */
export function fitColumns(count: number, width: number, minWidth: number, gap = 24): { readonly columns: number; readonly each: number } {
  const columns = Math.max(1, Math.min(count, Math.floor((width + gap) / (minWidth + gap))));
  return { columns, each: Math.floor((width - gap * (columns - 1)) / columns) };
}

export function arrangeInGrid(
  scenes: readonly Scene[],
  heading: Heading,
  { columns, each }: { readonly columns: number; readonly each: number },
  gap = 24,
): Scene {
  const parts: PlacedScene[] = [];
  let y = 0;
  for (let firstIndex = 0; firstIndex < scenes.length; firstIndex += columns) {
    const row = scenes.slice(firstIndex, firstIndex + columns);
    row.forEach((scene, column) => {
      parts.push({ scene, x: column * (each + gap), y });
    });
    y += Math.max(...row.map(({ picture }) => picture.height)) + gap;
  }
  return composeScenes(parts, heading);
}
