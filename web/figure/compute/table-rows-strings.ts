import { formatNumber } from '../../charts/number.ts';

/** Returns, for example, 'wavelength 6.28 positions'. */
export const formatWavelength = (positions: number | undefined): string =>
  positions === undefined || !Number.isFinite(positions) ? 'no wave' : `wavelength ${formatNumber(positions)} positions`;

/** Returns, for example, 'every 6.28 positions'. */
export const formatPeriod = (positions: number): string =>
  Number.isFinite(positions) ? `every ${formatNumber(positions)} positions` : 'no wave';

export const SINUSOID_STRINGS = {
  noPairs: (id: string) => `encoding: ${id} has no sine–cosine pairs`,
  noRoom: (dim: number) => `dim: ${dim} is too small for a sine–cosine pair; expected at least 2`,
} as const;
