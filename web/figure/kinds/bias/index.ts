import { chainScene, type Stage } from '../../../charts/chain/chain-scene.ts';
import { stackScenes } from '../../../charts/compose.ts';
import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { matrixScene } from '../../../charts/heatmap/matrix-scene.ts';
import { formatNumber, formatRange } from '../../../charts/number.ts';
import { withHeading } from '../../../charts/titled.ts';
import { distanceProfile, explainBias } from '../../../engine/analysis.ts';
import { PhasorError } from '../../../engine/errors.ts';
import type { BiasExplanation, Tensor } from '../../../engine/index.ts';
import { computeBias, createBiasRequest } from '../../compute/bias.ts';
import { clampHeadIndex, headField } from '../../compute/sentence-fields.ts';
import { count, encoding, type SpecOf } from '../../contract/fields.ts';
import { defineKind, isLowHeight, makeProof } from '../../contract/kind.ts';
import { selectMatrix, toGrid } from '../../contract/tensor.ts';
import { strings } from './strings.ts';

/** Tolerance for float32 rounding, relative to the largest bias. */
const TOLERANCE = 1e-5;
/**
 * Maximum number of keys, around the selected key, for which the steps are computed. Each key requires a call to
 * explainBias.
 */
const MAX_EXPLAINED_KEYS = 32;
/** Maximum length for which the steps of all queries are computed. In longer sequences, only the selected query has steps. */
const MAX_LENGTH_ALL_QUERIES = 24;

interface Results {
  readonly bias: Tensor;
  readonly query: number;
  /** The steps that compute each bias, by query and key. Undefined where not computed. */
  readonly steps: readonly (readonly (BiasExplanation | undefined)[])[];
  /** Largest difference between two biases at the same distance. */
  readonly spread: number;
}

type KeySteps = Results['steps'][number];
const withoutMissingSteps = (steps: KeySteps): readonly BiasExplanation[] => steps.filter((step) => step !== undefined);

/** Returns one stage per step, with a value for each key, or undefined if the query has no steps. */
function createStages(steps: KeySteps): readonly Stage[] | undefined {
  const explainedKeys = withoutMissingSteps(steps);
  return explainedKeys[0]?.names.map((name, step) => ({
    name,
    note: '',
    scale: 'diverging',
    data: Float32Array.from(explainedKeys, ({ values }) => entryAt(values.data, step)),
  }));
}

const fields = {
  encoding: encoding('t5', 'bias'),
  length: count(16, 1, 256),
  heads: count(4, 1, 64),
  head: headField,
  dim: count(16, 1, 256),
  seed: count(1, 0, 2 ** 32 - 1),
  query: count(8, 0, 255),
  key: count(2, 0, 255),
};
export type Spec = SpecOf<typeof fields>;

export const kind = defineKind({
  id: 'bias',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  fields,
  aspect: 0.8,
  async compute(spec, { engine }): Promise<Results> {
    const request = await createBiasRequest(spec, engine);
    const head = clampHeadIndex(spec);
    const bias = selectMatrix(await computeBias(request, engine), head);
    const { spread } = await distanceProfile(engine, { matrix: bias });
    const query = Math.min(spec.query, spec.length - 1);
    const selectedKey = Math.min(spec.key, spec.length - 1);
    const firstKey = Math.max(0, Math.min(spec.length - MAX_EXPLAINED_KEYS, selectedKey - MAX_EXPLAINED_KEYS / 2));
    const keys = Array.from({ length: spec.length }, (_, key) => key);
    const explainQuery = (row: number): Promise<(BiasExplanation | undefined)[]> =>
      Promise.all(
        keys.map((key) =>
          key >= firstKey && key < firstKey + MAX_EXPLAINED_KEYS ? explainBias(engine, { ...request, head, query: row, key }) : undefined,
        ),
      );
    const steps: KeySteps[] = keys.map(() => []);
    try {
      for (const row of spec.length <= MAX_LENGTH_ALL_QUERIES ? keys : [query]) steps[row] = await explainQuery(row);
    } catch (thrown) {
      // An error about `encoding` means that its biases cannot be explained one at a time. The figure then omits the steps.
      if (PhasorError.from(thrown).argument !== 'encoding') throw thrown;
    }
    return { bias, query, steps, spread };
  },
  scene(results, { length }, frame) {
    const { bias, query, steps } = results;
    const labels = Array.from({ length }, (_, position) => String(position));
    const matrix = matrixScene({
      ...frame,
      maxHeight: Math.min(frame.maxHeight ?? 460, 460) - (isLowHeight(frame.maxHeight) ? 24 : 0),
      grid: toGrid(bias),
      scale: 'diverging',
      title: strings.matrixTitle,
      quantity: strings.bias,
      rowAxis: 'query',
      columnAxis: 'key',
      rowLabels: labels,
      columnLabels: labels,
      rowTitle: strings.query,
      columnTitle: strings.key,
    });
    const querySteps = steps[query] as KeySteps;
    if (withoutMissingSteps(querySteps).length === 0) return matrix;
    if (isLowHeight(frame.maxHeight)) return withHeading(matrix, strings.matrixTitle, frame.width);
    // Keys with steps are consecutive.
    const firstKeyWithSteps = querySteps.findIndex((step) => step !== undefined);
    const chain = chainScene({
      width: frame.width,
      theme: frame.theme,
      rows: steps.map(createStages),
      rowLabels: labels,
      row: query,
      columnLabels: labels.slice(firstKeyWithSteps, firstKeyWithSteps + withoutMissingSteps(querySteps).length),
      firstColumn: firstKeyWithSteps,
      rowAxis: 'query',
      columnAxis: 'key',
      rowTitle: strings.stepsRowTitle,
      columnTitle: strings.key,
      title: strings.stepsTitle(query),
      description: withoutMissingSteps(querySteps)[0]?.names.join(', ') ?? '',
      masked: strings.missingStep,
    });
    return stackScenes([withHeading(matrix, strings.matrixTitle, frame.width), chain], { title: strings.question });
  },
  readout({ bias, query: selectedQuery, steps }, spec, { query, key }) {
    const { length } = spec;
    if (!isIndex(key, length) || (query !== undefined && !isIndex(query, length))) {
      const { min, max } = extent(bias.data);
      return strings.rangeReadout(clampHeadIndex(spec) + 1, spec.heads, formatRange(min, max));
    }
    const row = query ?? selectedQuery;
    const cellText = strings.cellReadout(row, key, formatNumber(entryAt(bias.data, row * length + key)));
    const explanation = steps[row]?.[key];
    if (!explanation) return cellText;
    return strings.stepsReadout(
      cellText,
      explanation.names.map(
        (name, step) => [name, formatNumber(entryAt(explanation.values.data, step), { short: true, digits: 4 })] as const,
      ),
    );
  },
  proof(results) {
    const { min, max } = extent(results.bias.data);
    const tolerance = TOLERANCE * Math.max(1, Math.abs(min), Math.abs(max));
    const allSteps = results.steps.flatMap(withoutMissingSteps);
    const { spreadQuantity, toleranceSource, spreadPasses, spreadFails } = strings.proof;
    return allSteps.length === 0
      ? makeProof({ quantity: spreadQuantity, toleranceSource, passes: spreadPasses, fails: spreadFails }, results.spread, tolerance)
      : makeProof(strings.proof, Math.max(...allSteps.map(({ maxAbsDiff }) => maxAbsDiff)), tolerance);
  },
  tables({ bias }) {
    return [{ name: 'matrix', title: strings.matrixTitle, tensor: bias, rowTitle: strings.query, columnTitle: strings.key }];
  },
  loadPrograms: () => import('./code.ts'),
});
