import { PhasorError } from '../../../engine/errors.ts';
import type { BiasSteps, Tensor } from '../../../engine/index.ts';
import { chainScene, type Stage } from '../../../views/chain-scene.ts';
import { stacked } from '../../../views/compose.ts';
import { extent } from '../../../views/grid.ts';
import { matrixScene } from '../../../views/matrix-scene.ts';
import { formatNumber, formatRange } from '../../../views/number.ts';
import { titled } from '../../../views/titled.ts';
import { count, encoding, type SpecOf } from '../../contract/fields.ts';
import { defineKind, isLow, measured } from '../../contract/kind.ts';
import { gridOf, matrixOf } from '../../contract/tensor.ts';
import { biasOf, biasRequest } from '../../numbers/bias-numbers.ts';
import { headField, headIndex } from '../../numbers/sentence-fields.ts';
import { words } from './words.ts';

/** Of the largest bias: rounding of float32. */
const TOLERANCE = 1e-5;
/** Steps are computed for so many keys around the chosen one: each is a call. */
const MOST_STEPS = 32;

interface Numbers {
  readonly bias: Tensor;
  readonly query: number;
  /** By key; undefined where they were not computed. */
  readonly steps: readonly (BiasSteps | undefined)[];
  /** Largest difference at the same distance. */
  readonly spread: number;
}

const known = ({ steps }: Numbers): readonly BiasSteps[] => steps.filter((one) => one !== undefined);

/** The steps as lines of cells. */
function stagesOf(numbers: Numbers): readonly Stage[] {
  const names = known(numbers)[0]?.names ?? [];
  return names.map((name, step) => ({
    name,
    note: '',
    scale: 'diverging',
    data: Float32Array.from(numbers.steps, (one) => one?.values.data[step] ?? Number.NaN),
  }));
}

const fields = {
  encoding: encoding('t5', 'bias'),
  length: count(16, 1, 256),
  heads: count(4, 1, 64),
  head: headField,
  width: count(16, 1, 256),
  seed: count(1, 0, 2 ** 32 - 1),
  query: count(8, 0, 255),
  key: count(2, 0, 255),
};
export type Spec = SpecOf<typeof fields>;

export const kind = defineKind({
  id: 'bias',
  question: words.question,
  caption: words.caption,
  fields,
  aspect: 0.8,
  async compute(spec, { engine }): Promise<Numbers> {
    const request = await biasRequest(spec, engine);
    const head = headIndex(spec);
    const bias = matrixOf(await biasOf(request, engine), head);
    const { spread } = await engine.distanceProfile({ matrix: bias });
    const query = Math.min(spec.query, spec.length - 1);
    const chosen = Math.min(spec.key, spec.length - 1);
    const first = Math.max(0, Math.min(spec.length - MOST_STEPS, chosen - MOST_STEPS / 2));
    const steps: (BiasSteps | undefined)[] = Array.from({ length: spec.length }, () => undefined);
    try {
      for (let key = first; key < Math.min(spec.length, first + MOST_STEPS); key++) {
        steps[key] = await engine.biasSteps({ ...request, head, query, key });
      }
    } catch (thrown) {
      // Some encodings need whole rows. Everything else was checked when the bias was computed.
      if (PhasorError.from(thrown).path !== 'encoding') throw thrown;
    }
    return { bias, query, steps, spread };
  },
  scene(numbers, { length }, frame) {
    const { bias, query, steps } = numbers;
    const labels = Array.from({ length }, (_, position) => String(position));
    const matrix = matrixScene({
      ...frame,
      maxHeight: Math.min(frame.maxHeight ?? 460, 460) - (isLow(frame.maxHeight) ? 24 : 0),
      grid: gridOf(bias),
      scale: 'diverging',
      title: words.title,
      quantity: words.bias,
      rowAxis: 'query',
      columnAxis: 'key',
      rowLabels: labels,
      columnLabels: labels,
      rowTitle: words.query,
      columnTitle: words.key,
    });
    if (known(numbers).length === 0) return matrix;
    if (isLow(frame.maxHeight)) return titled(matrix, words.title, frame.width);
    // Only keys whose steps are there: they are consecutive.
    const first = steps.findIndex((one) => one !== undefined);
    const there = stagesOf(numbers).map((stage) => ({ ...stage, data: stage.data.slice(first, first + known(numbers).length) }));
    const chain = chainScene({
      width: frame.width,
      theme: frame.theme,
      rows: [there],
      rowLabels: [''],
      row: 0,
      columnLabels: labels.slice(first, first + known(numbers).length),
      firstColumn: first,
      rowAxis: 'step',
      columnAxis: 'key',
      rowTitle: words.steps(query),
      columnTitle: words.key,
      title: words.steps(query),
      description: there.map(({ name }) => name).join(', '),
      masked: words.masked,
    });
    return stacked([titled(matrix, words.title, frame.width), chain], { title: words.question });
  },
  readout({ bias, query: chosen, steps }, spec, { query, key }) {
    const { length } = spec;
    if (key === undefined || !(key >= 0 && key < length) || (query !== undefined && query >= length)) {
      const { min, max } = extent(bias.data);
      return words.range(headIndex(spec) + 1, spec.heads, formatRange(min, max));
    }
    const row = query ?? chosen;
    const cell = words.cell(row, key, formatNumber(bias.data[row * length + key] as number));
    const one = steps[key];
    if (row !== chosen || !one) return cell;
    return words.chain(
      cell,
      one.names.map((name, step) => [name, formatNumber(one.values.data[step] as number, { short: true, digits: 4 })] as const),
    );
  },
  proof(numbers) {
    const { min, max } = extent(numbers.bias.data);
    const tolerance = TOLERANCE * Math.max(1, Math.abs(min), Math.abs(max));
    const all = known(numbers);
    const { whatMatrix, source, holdsMatrix, amberMatrix } = words.proof;
    return all.length === 0
      ? measured({ what: whatMatrix, source, holds: holdsMatrix, amber: amberMatrix }, numbers.spread, tolerance)
      : measured(words.proof, Math.max(...all.map(({ maxAbsDiff }) => maxAbsDiff)), tolerance);
  },
  tables({ bias }) {
    return [{ name: 'matrix', title: words.title, tensor: bias, rowTitle: words.query, columnTitle: words.key }];
  },
  code: () => import('./code.ts'),
});
