// Trains two of the recorded curves again, one of the race and one over lengths, and compares them with the recordings.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { entryOf } from './entry-of.mjs';
import { recordedLengths } from './record-extrapolation.mjs';
import { recordedCurve } from './record-race.mjs';

/**
 * The tolerance of means over three seeds. On the processor that recorded them, the curves are equal to the last digit. Other processors may sum in
 * another order: then means may differ by up to two standard deviations over seeds.
 */
const TOLERANCE = 0.1;

/** @typedef {{ score: number[][] }} Line [seed][point] */
/** @typedef {Record<string, { every: number, spec: { length: number }, lines: Record<string, Line> }>} Recorded by task */

/** @param {string} kind @param {string} task */
const recordedOf = (kind, task) => entryOf(readRecorded(kind), task);
/** @param {string} kind @returns {Recorded} */
const readRecorded = (kind) => JSON.parse(readFileSync(join(root, `web/figure/kinds/${kind}/recorded.json`), 'utf8'));
/** @param {number[][]} seeds @param {number} at */
const meanAt = (seeds, at) => seeds.reduce((sum, curve) => sum + (curve[at] ?? Number.NaN), 0) / seeds.length;

/** @type {Record<string, (program: string) => Promise<{ recorded: number[][], again: number[][] }>>} */
const CHECKS = {
  'race: order, rope': async (program) => {
    const { every, lines } = recordedOf('race', 'order');
    return { recorded: entryOf(lines, 'rope').score, again: (await recordedCurve(program, 'order', 'rope', every)).values.score };
  },
  'extrapolation: order_long, learned table with a row for each length': async (program) => {
    const { spec, lines } = recordedOf('extrapolation', 'order_long');
    const { values } = await recordedLengths(program, 'order_long', spec.length, 'learned_rows');
    return { recorded: entryOf(lines, 'learned_rows').score, again: values.score ?? [] };
  },
};

/** @param {string} program @returns {Promise<boolean>} whether all curves match their recordings */
export async function checkRecorded(program) {
  let isSame = true;
  for (const [name, curves] of Object.entries(CHECKS)) {
    const { recorded, again } = await curves(program);
    const single = Math.max(
      ...recorded.flatMap((curve, seed) => curve.map((value, at) => Math.abs(value - (again[seed]?.[at] ?? Number.NaN)))),
    );
    const means = Math.max(...(recorded[0] ?? []).map((_, at) => Math.abs(meanAt(recorded, at) - meanAt(again, at))));
    const holds = means <= TOLERANCE;
    isSame &&= holds;
    const found =
      single === 0 ? 'identical values' : `means differ by ${means.toPrecision(2)} at most, single seeds by ${single.toPrecision(2)}`;
    console.log(`${holds ? 'so   ' : 'NOT SO'} ${name}, 3 seeds: ${found}`);
  }
  return isSame;
}
