// A heatmap of one head's attention weights, with tokens as row and column labels.
import type { Grid } from '../grid.ts';
import type { Frame } from '../picture.ts';
import { matrixScene } from './matrix-scene.ts';

interface TokenWeightsSpec extends Frame {
  readonly grid: Grid;
  readonly pieces: readonly string[];
  readonly title: string;
  readonly rowTitle: string;
  readonly columnTitle: string;
}

/** Returns a token's label. Whitespace is replaced by visible symbols if there is nothing else. */
export const tokenLabel = (piece: string): string => piece.trim() || piece.replaceAll('\n', '↵').replaceAll(' ', '␣') || '∅';

/** Converts attention weights [tokens, tokens] to a grid. If `causal`, keys after the query are masked (NaN). */
export function createWeightsGrid(
  { shape: [tokenCount = 0], data }: { readonly shape: readonly number[]; readonly data: Float32Array },
  causal: boolean,
): Grid {
  const isMasked = (at: number): boolean => causal && at % tokenCount > Math.floor(at / tokenCount);
  return { rows: tokenCount, columns: tokenCount, data: data.map((weight, at) => (isMasked(at) ? Number.NaN : weight)) };
}

export function tokenWeightsScene({ pieces, ...spec }: TokenWeightsSpec) {
  const labels = pieces.map(tokenLabel);
  return matrixScene({
    ...spec,
    rowLabels: labels,
    columnLabels: labels,
    rowAxis: 'query',
    columnAxis: 'key',
    scale: 'root',
    range: [0, 1],
    quantity: 'weight',
  });
}
