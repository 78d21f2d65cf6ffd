// The models that ship: what is trained, as createTrainer of phasor/train takes it. Experiments are those of experiment-list.mjs, from the seed 1.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';

/**
 * @typedef {object} Model
 * @property {string} experiment of docs/experiments.md
 * @property {{ task: string, encoding: { id: string, [param: string]: unknown }, [field: string]: unknown }} spec
 * @property {number[]} lengths at which it is evaluated; the first is that of its training
 */

/** They need positions of several coordinates, which a text does not have. */
const OF_GRIDS = ['liere', 'rope_2d', 'rope_mixed', 'sinusoidal_grid'];
/** It turns queries and keys by what tokens bring, which no model here does. */
const OF_TOKENS = ['rope_selective'];
/** They mix the scores of all heads, which the trainer has one after the other. */
const OF_HEADS = ['dape'];
const encodings = readdirSync(join(root, 'cpp/src/encodings'))
  .map((file) => file.replace('.cpp', ''))
  .filter((id) => !OF_GRIDS.includes(id) && !OF_TOKENS.includes(id) && !OF_HEADS.includes(id))
  .sort();

/** Tables for 128 characters, where they would have 64, or more than a model of 250 kB has room for. */
const TABLES = {
  learned: { max_length: 128 },
  relative_bias: { max_length: 128 },
  deberta: { position_buckets: 32, max_relative_positions: 128 },
};

/** @type {Model[]} */
export const models = [
  ...encodings.map((id) => ({
    experiment: 'E2b',
    spec: { task: 'text', encoding: { id, ...TABLES[id] }, seed: 1 },
    lengths: [64, 128],
  })),
  ...['none', 'learned', 'sinusoidal', 'rope', 't5', 'alibi'].map((id) => ({
    experiment: 'E2a',
    spec: { task: 'copy', encoding: { id, ...TABLES[id] }, seed: 1 },
    lengths: [32, 64, 128],
  })),
  ...['geometry_1d', 'geometry_2d'].map((task) => ({
    experiment: 'E11',
    spec: { task, encoding: { id: 'learned' }, seed: 1 },
    lengths: [64],
  })),
];

/** 'text-rope' */
export const idOf = ({ spec }) => `${spec.task}-${spec.encoding.id}`;

/** The words after `npm run train --`. */
export function wordsOf({ spec: { task, encoding, ...fields }, lengths }) {
  const { id, ...params } = encoding;
  const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return [
    task,
    ...['--encoding', id],
    ...Object.entries(params).flatMap(([name, value]) => [`--encoding.${name}`, String(value)]),
    ...Object.entries(fields).flatMap(([name, value]) => [`--${snake(name)}`, String(value)]),
    ...['--lengths', lengths.join(',')],
  ];
}
