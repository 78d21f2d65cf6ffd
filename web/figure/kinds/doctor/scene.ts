// Draws a report: position ids, or residuals by token and channel pair or by query and key.
import { positionIdsScene } from '../../../charts/curve/position-ids-scene.ts';
import { residualScene } from '../../../charts/heatmap/residual-scene.ts';
import type { Frame, Scene } from '../../../charts/scene.ts';
import type { Report } from '../../../engine/doctor/report.ts';
import { strings } from './strings.ts';

export const hasPicture = ({ map, ids }: Report): boolean => map?.claimed !== undefined || map?.found !== undefined || ids !== undefined;

/** @throws {Error} if the report has neither a map nor ids */
export function reportScene({ map, ids, verdict }: Report, frame: Frame): Scene {
  if (ids) {
    const headings = ids.claimed.length === 1 ? [strings.textIdsHeading] : strings.axisIdsHeadings;
    return positionIdsScene({
      ...frame,
      charts: ids.claimed.map((claimed, axis) => ({ heading: headings[axis] ?? '', claimed, dumped: ids.dumped[axis] ?? [] })),
      title: strings.idsTitle,
      strings: strings.idChartLabels,
    });
  }
  if (!map) throw new Error(strings.noPicture(verdict));
  return residualScene({
    ...frame,
    grids: [
      ...(map.claimed ? [{ heading: strings.claimHeading, ...map.claimed }] : []),
      ...(map.found ? [{ heading: strings.foundHeading(verdict), ...map.found }] : []),
    ],
    positions: map.positions,
    title: strings.mapTitles[map.columnAxis],
    strings: strings.residualMapLabels[map.columnAxis],
  });
}
