// Draws small attention maps of the heads with the largest values of a measure.
import { type ColorScale, paint } from '../../../charts/color.ts';
import { isIndex } from '../../../charts/entry-at.ts';
import type { Box, Mark, Theme } from '../../../charts/picture.ts';
import { type Scene, stepIndex } from '../../../charts/scene.ts';
import { LABEL_SIZE, shorten } from '../../../charts/text-metrics.ts';
import type { HeadPlace } from './compute.ts';
import { strings } from './strings.ts';

export interface StrongestSpec {
  readonly maps: readonly {
    readonly at: HeadPlace;
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

export function strongestScene({ maps, chosenHead, scale, width, theme }: StrongestSpec): Scene {
  const side = Math.min(MAX_SIDE, Math.floor((width - 4 - GAP * (COLUMN_COUNT - 1)) / COLUMN_COUNT));
  const boxOf = (at: number): Box => ({
    x: 2 + (at % COLUMN_COUNT) * (side + GAP),
    y: HEADING_HEIGHT + NAME_HEIGHT + Math.floor(at / COLUMN_COUNT) * (side + NAME_HEIGHT + GAP),
    width: side,
    height: side,
  });
  const outlineOf = (at: number, tone: 'accent' | 'cursor' | 'hairline', stroke: number): Mark => {
    const { x, y } = boxOf(at);
    return { kind: 'rect', tone, x: x - stroke / 2, y: y - stroke / 2, width: side + stroke, height: side + stroke, outline: true, stroke };
  };
  const mapIndexOf = (head: number | undefined): number => maps.findIndex(({ at }) => at.index === head);
  const rows = Math.ceil(maps.length / COLUMN_COUNT);
  return {
    picture: {
      width,
      height: HEADING_HEIGHT + rows * (side + NAME_HEIGHT + GAP),
      title: strings.strongest,
      description: maps.map(({ at: { layer, head } }) => strings.short(layer, head)).join(', '),
      rasters: maps.map(({ grid, at }, index) => ({
        key: `map-${at.index}`,
        ...boxOf(index),
        columns: grid.columns,
        rows: grid.rows,
        rgba: paint(grid, scale, theme),
      })),
      marks: [
        { kind: 'text', tone: 'ink', x: 0, y: 8, text: shorten(strings.strongest, width, LABEL_SIZE) },
        ...maps.flatMap(({ at }, index): Mark[] => {
          const { x, y } = boxOf(index);
          const isChosen = at.index === chosenHead;
          return [
            { kind: 'text', tone: isChosen ? 'ink' : 'muted', bold: isChosen, x, y: y - 10, text: strings.short(at.layer, at.head) },
            outlineOf(index, isChosen ? 'accent' : 'hairline', isChosen ? 2.5 : 1),
          ];
        }),
      ],
    },
    overlay({ head }) {
      const at = isIndex(head, Number.MAX_SAFE_INTEGER) ? mapIndexOf(head) : -1;
      return at < 0 ? [] : [outlineOf(at, 'cursor', 2.5)];
    },
    hit(x, y) {
      const at = maps.findIndex((_, index) => {
        const box = boxOf(index);
        return x >= box.x && x < box.x + side && y >= box.y - NAME_HEIGHT && y < box.y + side;
      });
      return at < 0 ? undefined : { head: (maps[at] as StrongestSpec['maps'][number]).at.index };
    },
    step(cursor, right, down) {
      const at = mapIndexOf(cursor.head);
      return {
        head: (maps[stepIndex(at < 0 ? undefined : at, right + down * COLUMN_COUNT, maps.length)] as StrongestSpec['maps'][number]).at
          .index,
      };
    },
  };
}
