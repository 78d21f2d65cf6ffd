// Angles and scores as they are written in the picture.
import { decimal, whole } from '../../../charts/english.ts';
import { formatNumber } from '../../../charts/number.ts';

/** '54°', '0.06°' of radians, without a sign. */
export function degrees(radians: number): string {
  const size = (Math.abs(radians) * 180) / Math.PI;
  return `${size === 0 || size >= 0.95 ? whole.format(Math.round(size)) : formatNumber(size, { digits: 1 })}°`;
}

/** '−1.07': two decimals always, so that a number that stands still is seen to. */
export function scoreText(score: number): string {
  if (Math.abs(score) >= 1000) return formatNumber(score);
  const text = Math.abs(score).toFixed(2);
  return score < 0 && text !== '0.00' ? `−${text}` : text;
}

/** '3', '2.4', '−1,000' places. */
export function placesText(places: number): string {
  const tenths = Math.round(Math.abs(places) * 10) / 10;
  const text = Number.isInteger(tenths) ? whole.format(tenths) : tenths.toFixed(1);
  return places < 0 && tenths !== 0 ? `−${text}` : text;
}

/** '5', '−2', '0.25', '100000'. */
export const positionText = (position: number): string => decimal(position).replace('-', '−');
