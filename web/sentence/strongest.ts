/** Maximum number of arcs per word. More arcs would be illegible and slow to draw. */
const MAX_ARC_COUNT = 48;

/** Returns the weights of one query, with all except the `count` largest set to 0. */
export function keepStrongestWeights(weights: Float32Array, count: number = MAX_ARC_COUNT): Float32Array {
  const positiveWeights = weights.filter((weight) => weight > 0).sort();
  const threshold = positiveWeights.at(-count);
  return threshold === undefined ? weights : weights.map((weight) => (weight >= threshold ? weight : 0));
}
