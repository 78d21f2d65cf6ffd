// The picture of a report as SVG.

import { toSvg } from '../../charts/render/svg.ts';
import { residualScene } from '../../charts/residual-scene.ts';
import type { Report } from '../../engine/doctor/report.ts';
import { plainLook } from '../../figure/contract/theme.ts';
import { pngAddress } from '../png.ts';

const WIDTH = 860;

/** Throws an Error with a sentence for a report without residuals. */
export function pictureOf({ map, verdict }: Report): string {
  const grids = [
    ...(map?.claimed ? [{ heading: 'Claim', ...map.claimed }] : []),
    ...(map?.found ? [{ heading: `Found: ${verdict.replaceAll('_', ' ')}`, ...map.found }] : []),
  ];
  if (!map || grids.length === 0) throw new Error(`--picture: there are no residuals to draw in the report ${verdict}`);
  const { theme, palette } = plainLook('light');
  const { picture } = residualScene({
    grids,
    positions: map.positions,
    title: 'Residual by token and pair of channels',
    strings: { position: 'position', pair: 'pair', rest: 'rest', quantity: 'log10 of the residual' },
    width: WIDTH,
    theme,
  });
  return toSvg(picture, pngAddress, palette);
}
