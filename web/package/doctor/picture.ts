// The picture of a report as SVG.

import { toSvg } from '../../charts/render/svg.ts';
import type { Report } from '../../engine/doctor/report.ts';
import { plainLook } from '../../figure/contract/theme.ts';
import { hasPicture, reportScene } from '../../figure/kinds/doctor/scene.ts';
import { pngAddress } from '../png.ts';

const WIDTH = 860;

/** The SVG of a report. Throws an Error with a sentence for a report without a picture. */
export function pictureOf(report: Report): string {
  if (!hasPicture(report)) throw new Error(`--picture: this report has no picture: ${report.verdict}`);
  const { theme, palette } = plainLook('light');
  return toSvg(reportScene(report, { width: WIDTH, theme }).picture, pngAddress, palette);
}
