// Plots position ids by token, one chart per axis: the ids of the claimed encoding, and the ids in the user's dump.

import { arrangeInGrid, fitColumns } from '../compose.ts';
import type { Scene } from '../scene.ts';
import { TITLE_HEIGHT, withHeading } from '../titled.ts';
import { curveScene } from './curve-scene.ts';

/** Claimed and dumped position ids along one axis, [tokens] each. */
export interface PositionIdsChart {
  readonly heading: string;
  readonly claimed: readonly number[];
  readonly dumped: readonly number[];
}

export interface PositionIdsSceneSpec {
  readonly charts: readonly PositionIdsChart[];
  readonly title: string;
  readonly strings: { readonly token: string; readonly position: string; readonly claim: string; readonly dump: string };
  readonly width: number;
  readonly maxHeight?: number | undefined;
}

const MIN_WIDTH = 200;
const CHART_HEIGHT = 220;

/** The charts of all axes as one scene, with the cursor axis `token`. */
export function positionIdsScene({ charts, title, strings, width, maxHeight }: PositionIdsSceneSpec): Scene {
  const { columns, each } = fitColumns(charts.length, width, MIN_WIDTH);
  const rows = Math.ceil(charts.length / columns);
  const height = maxHeight === undefined ? CHART_HEIGHT : Math.max(120, Math.min(CHART_HEIGHT, maxHeight / rows - TITLE_HEIGHT));
  const panels = charts.map(({ heading, claimed, dumped }) =>
    withHeading(
      curveScene({
        width: each,
        height,
        title,
        x: claimed.map((_, token) => token),
        series: [
          { name: strings.claim, y: claimed, dashed: true },
          { name: strings.dump, y: dumped },
        ],
        axis: 'token',
        xTitle: strings.token,
        yTitle: strings.position,
      }),
      heading,
      each,
    ),
  );
  return arrangeInGrid(panels, { title }, { columns, each });
}
