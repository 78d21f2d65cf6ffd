import { wholeNumber } from '../../../charts/english.ts';

/** By encoding id, the reason why the points of its bias cannot be dragged. */
const FIXED_REASONS: { readonly [id: string]: string } = {
  sandwich: 'This bias is a fixed sum of sinusoids, so it cannot be dragged.',
  proximal: 'This bias is a fixed formula, so it cannot be dragged.',
  fire: 'A small network computes this bias from all of its parameters, so its points cannot be dragged.',
  kerple: 'The form weighted_power also multiplies the scores, so its points cannot be dragged; use another form.',
  shaw: 'This bias is the product of a query and a vector per distance, so its points cannot be dragged.',
};
const CONTENT_BIAS_REASON = 'This bias depends on the words of the query and key, so its points cannot be dragged.';
const NO_PARAMETER_REASON = 'The points of this bias have no individual parameters, so they cannot be dragged.';

/** For each editable parameter: the value that dragging a point changes, and the label of an entry. */
const EDITABLE_TENSORS: { readonly [param: string]: { readonly target: string; formatEntry(position: number, heads: number): string } } = {
  slopes: { target: 'the slope of its head', formatEntry: () => 'slope' },
  r1: { target: 'the factor r1 of its head', formatEntry: () => 'r1' },
  table: { target: 'the table entry for its bucket and head', formatEntry: (position, heads) => `bucket ${Math.floor(position / heads)}` },
  b: { target: 'the table entry for its distance', formatEntry: (position) => `table entry ${position}` },
  table_k: { target: 'the table entry for its distance', formatEntry: (position) => `table entry ${position}` },
};

export const strings = {
  question: 'How does the bias change with distance?',
  instruction: 'Drag a line up or down, or point at a distance.',
  caption: 'The bias of the middle query for every key, one line per head. Keys to the left of the query have negative distances.',
  distance: 'distance (key minus query)',
  bias: 'bias',
  headName: (head: number) => `head ${head}`,
  rangeReadout: (query: number, range: string) => `Biases of the query at ${query}: ${range}`,
  distanceReadout: (distance: string, values: string) => `Distance ${distance}: ${values}`,
  headValue: (headName: string, value: string) => `${headName} ${value}`,
  drag: {
    dragHint: (param: string) => `Drag a line, or press + and − at the cursor, to change ${EDITABLE_TENSORS[param]?.target ?? param}.`,
    notDraggable: (id: string, readsContent: boolean) => FIXED_REASONS[id] ?? (readsContent ? CONTENT_BIAS_REASON : NO_PARAMETER_REASON),
    tooManyEntries: (count: number, max: number) =>
      `The table has ${wholeNumber.format(count)} values; at most ${wholeNumber.format(max)} can be dragged. Use a shorter table.`,
    resetLabel: 'Reset',
    defaultsLabel: 'Default values',
  },
  entryReadout: (param: string, position: number, heads: number, value: string) =>
    `${EDITABLE_TENSORS[param]?.formatEntry(position, heads) ?? param} ${value}`,
  proof: {
    quantity: 'largest difference between two biases of one head at the same distance',
    toleranceSource: 'Float32 rounding, relative to the largest bias.',
    passes: 'The bias depends only on the distance: all queries have the same lines.',
    fails: 'The bias does not depend only on the distance: each query has different lines.',
  },
} as const;
