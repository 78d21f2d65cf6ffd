import { curveScene } from '../../../charts/curve/curve-scene.ts';
import { entryAt } from '../../../charts/entry-at.ts';
import { formatNumber } from '../../../charts/number.ts';
import { count, encoding, type SpecOf } from '../../contract/fields.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { computePrecision, MIN_ERROR, type PrecisionResults, VARIANTS } from './compute.ts';
import { strings } from './strings.ts';

/** Tolerance for float32 rounding in a mean of products. */
const TOLERANCE = 1e-6;

/** The core's curve has the text colour. The curve with the largest error has the warmest colour. */
const TONES = { core: 'ink', float32: 'series-1', cosines: 'series-3', frequencies: 'series-4', positions: 'series-2' } as const;

const fields = {
  encoding: encoding('rope', { ids: ['rope'] }),
  dim: count(128, 2, 256),
  length: count(32768, 2, 1_048_576),
  apart: count(1, 0, 1024),
};
export type Spec = SpecOf<typeof fields>;

const getVariantErrors = ({ errors }: PrecisionResults, variant: number): Float32Array =>
  Float32Array.from({ length: entryAt(errors.shape, 0) }, (_, point) => entryAt(errors.data, point * VARIANTS.length + variant));

export const kind = defineKind({
  id: 'precision',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  labels: strings.labels,
  help: strings.help,
  mainFields: ['base', 'length', 'apart'],
  fields,
  aspect: 0.55,
  compute: (spec, { engine }) => computePrecision(spec, engine),
  scene(results, _, frame) {
    return curveScene({
      ...frame,
      // Position 0 is drawn at 0.5, because a logarithmic axis cannot show 0.
      x: results.positions.map((position) => Math.max(0.5, position)),
      axis: 'query',
      seriesAxis: 'line',
      series: VARIANTS.map((variant, variantIndex) => ({
        name: strings.variants[variant],
        y: getVariantErrors(results, variantIndex).map((error) => Math.max(MIN_ERROR, error)),
        tone: TONES[variant],
      })),
      title: strings.question,
      xTitle: strings.positionTitle,
      yTitle: strings.errorTitle,
      xScale: 'log',
      yScale: 'log',
    });
  },
  readout(results, _, { query, line }) {
    const position = query === undefined ? undefined : results.positions[query];
    if (query === undefined || position === undefined) {
      const { data } = results.errors;
      const maxErrorIndex = data.reduce((maxIndex, error, index) => (error > entryAt(data, maxIndex) ? index : maxIndex), 0);
      const [point, variant] = [Math.floor(maxErrorIndex / VARIANTS.length), maxErrorIndex % VARIANTS.length];
      return strings.maxErrorReadout(
        strings.variants[VARIANTS[variant] ?? 'core'],
        formatNumber(entryAt(data, maxErrorIndex)),
        String(results.positions[point]),
      );
    }
    const values = VARIANTS.flatMap((variant, variantIndex) =>
      line === undefined || line === variantIndex
        ? [
            strings.variantError(
              strings.variants[variant],
              formatNumber(entryAt(results.errors.data, query * VARIANTS.length + variantIndex)),
            ),
          ]
        : [],
    );
    return strings.positionReadout(String(position), values.join(', '));
  },
  proof: (results) => makeProof(strings.proof, Math.max(...getVariantErrors(results, 0)), TOLERANCE),
  tables({ positions, errors }) {
    return [
      {
        name: 'errors',
        title: strings.errorTitle,
        tensor: errors,
        rowTitle: strings.positionTitle,
        columnTitle: strings.errorTitle,
        rows: positions.map(String),
        columns: VARIANTS.map((variant) => strings.variants[variant]),
      },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});
