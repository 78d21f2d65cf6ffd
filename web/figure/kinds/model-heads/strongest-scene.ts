// Draws small attention maps of the heads with the largest values of a measure.
import { type ColorScale, paint } from '../../../charts/color.ts';
import { isIndex } from '../../../charts/entry-at.ts';
import type { Box, Mark, Theme } from '../../../charts/picture.ts';
import { type Scene, stepIndex } from '../../../charts/scene.ts';
import { LABEL_SIZE, shorten } from '../../../charts/text-metrics.ts';
import type { HeadLocation } from './compute.ts';
import { strings } from './strings.ts';

export interface StrongestSceneSpec {
  readonly maps: readonly {
    readonly location: HeadLocation;
    readonly grid: { readonly rows: number; readonly columns: number; readonly data: Float32Array };
  }[];
  readonly chosenHead: number;
  readonly scale: ColorScale;
  readonly width: number;
  readonly theme: Theme;
}

const HEADING_HEIGHT = 24;
const NAME_HEIGHT = 20;
const GAP = 12;
const MAX_SIDE = 150;
const COLUMN_COUNT = 3;

export function strongestScene({ maps, chosenHead, scale, width, theme }: StrongestSceneSpec): Scene {
  const side = Math.min(MAX_SIDE, Math.floor((width - 4 - GAP * (COLUMN_COUNT - 1)) / COLUMN_COUNT));
  const getMapBox = (index: number): Box => ({
    x: 2 + (index % COLUMN_COUNT) * (side + GAP),
    y: HEADING_HEIGHT + NAME_HEIGHT + Math.floor(index / COLUMN_COUNT) * (side + NAME_HEIGHT + GAP),
    width: side,
    height: side,
  });
  const createOutline = (index: number, tone: 'accent' | 'cursor' | 'hairline', stroke: number): Mark => {
    const { x, y } = getMapBox(index);
    return { kind: 'rect', tone, x: x - stroke / 2, y: y - stroke / 2, width: side + stroke, height: side + stroke, outline: true, stroke };
  };
  const findMapIndex = (head: number | undefined): number => maps.findIndex(({ location }) => location.index === head);
  const rowCount = Math.ceil(maps.length / COLUMN_COUNT);
  return {
    picture: {
      width,
      height: HEADING_HEIGHT + rowCount * (side + NAME_HEIGHT + GAP),
      title: strings.strongestTitle,
      description: maps.map(({ location: { layer, head } }) => strings.shortHeadName(layer, head)).join(', '),
      rasters: maps.map(({ grid, location }, index) => ({
        key: `map-${location.index}`,
        ...getMapBox(index),
        columns: grid.columns,
        rows: grid.rows,
        rgba: paint(grid, scale, theme),
      })),
      marks: [
        { kind: 'text', tone: 'ink', x: 0, y: 8, text: shorten(strings.strongestTitle, width, LABEL_SIZE) },
        ...maps.flatMap(({ location }, index): Mark[] => {
          const { x, y } = getMapBox(index);
          const isChosen = location.index === chosenHead;
          return [
            {
              kind: 'text',
              tone: isChosen ? 'ink' : 'muted',
              bold: isChosen,
              x,
              y: y - 10,
              text: strings.shortHeadName(location.layer, location.head),
            },
            createOutline(index, isChosen ? 'accent' : 'hairline', isChosen ? 2.5 : 1),
          ];
        }),
      ],
    },
    overlay({ head }) {
      const mapIndex = isIndex(head, Number.MAX_SAFE_INTEGER) ? findMapIndex(head) : -1;
      return mapIndex < 0 ? [] : [createOutline(mapIndex, 'cursor', 2.5)];
    },
    hit(x, y) {
      const mapIndex = maps.findIndex((_, index) => {
        const box = getMapBox(index);
        return x >= box.x && x < box.x + side && y >= box.y - NAME_HEIGHT && y < box.y + side;
      });
      return mapIndex < 0 ? undefined : { head: (maps[mapIndex] as StrongestSceneSpec['maps'][number]).location.index };
    },
    step(cursor, right, down) {
      const mapIndex = findMapIndex(cursor.head);
      return {
        head: (
          maps[
            stepIndex(mapIndex < 0 ? undefined : mapIndex, right + down * COLUMN_COUNT, maps.length)
          ] as StrongestSceneSpec['maps'][number]
        ).location.index,
      };
    },
  };
}
