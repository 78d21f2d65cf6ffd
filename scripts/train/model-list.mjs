// The shipped models: their configs for createTrainer of phasor/train. Experiments are those of experiment-list.mjs, with seed 1.
/**
 * @typedef {object} Model
 * @property {string} experiment of docs/experiments.md
 * @property {{ task: string, encoding: { id: string, [param: string]: unknown }, [field: string]: unknown }} spec
 * @property {number[]} lengths at which it is evaluated; the first is the training length
 */

/** Tables for 128 characters. The default sizes are for 64 characters, or do not fit in 250 kB. @type {Record<string, Record<string, number>>} */
const TABLES = {
  learned: { max_length: 128 },
  relative_bias: { max_length: 128 },
  deberta: { position_buckets: 32, max_relative_positions: 128 },
};

/**
 * @param {readonly string[]} encodings that the trainer supports for a character model
 * @returns {Model[]}
 */
export const modelsOf = (encodings) => [
  ...encodings.toSorted().map((id) => ({
    experiment: 'E2b',
    spec: { task: 'text', encoding: { id, ...TABLES[id] }, seed: 1 },
    lengths: [64, 128],
  })),
  ...['none', 'learned', 'sinusoidal', 'rope', 't5', 'alibi'].map((id) => ({
    experiment: 'E2a',
    spec: { task: 'copy', encoding: { id, ...TABLES[id] }, seed: 1 },
    lengths: [32, 64, 128],
  })),
  ...['none', 'learned', 'sinusoidal', 'rope', 't5', 'alibi'].map((id) => ({
    experiment: 'E13',
    spec: { task: 'induction', encoding: { id, ...TABLES[id] }, seed: 1 },
    lengths: [64, 8, 16, 32, 128],
  })),
  ...['geometry_1d', 'geometry_2d'].map((task) => ({
    experiment: 'E11',
    spec: { task, encoding: { id: 'learned' }, seed: 1 },
    lengths: [64],
  })),
];

/** The id of a model, such as 'text-rope'. @param {Pick<Model, 'spec'>} model */
export const idOf = ({ spec }) => `${spec.task}-${spec.encoding.id}`;

/** The arguments of `npm run train --` for a model. @param {Pick<Model, 'spec' | 'lengths'>} model */
export function wordsOf({ spec: { task, encoding, ...fields }, lengths }) {
  const { id, ...params } = encoding;
  /** @param {string} name */
  const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return [
    task,
    ...['--encoding', id],
    ...Object.entries(params).flatMap(([name, value]) => [`--encoding.${name}`, String(value)]),
    ...Object.entries(fields).flatMap(([name, value]) => [`--${snake(name)}`, String(value)]),
    ...['--lengths', lengths.join(',')],
  ];
}
