// A heatmap of the attention weights of one head, with the tokens of a text as labels.
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

/** The label of a token, with visible symbols for spaces and line breaks. */
export const tokenLabel = (piece: string): string => piece.trim() || piece.replaceAll('\n', '↵').replaceAll(' ', '␣') || '∅';

/** Attention weights [tokens, tokens] as a grid. In a causal model, later tokens are masked. */
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
