// Records the figure `extrapolation`: the score of each of its lines at many lengths.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { entryOf } from './entry-of.mjs';
import { reportOf, SEEDS, short } from './record-report.mjs';
import { reportStretched } from './stretched.mjs';

/** @import { CreateTrainer } from './engines.mjs' */
/** @import { LengthScore } from './program.mjs' */
/** @import { Scaling } from './stretched.mjs' */

/** @typedef {{ lengths: number[], rows: number, random?: number, content?: string[], corpus?: string }} LengthTask */

/**
 * The experiments E1b, E2a and E2b (experiment-list.mjs) and E12a (experiments-within-attention.mjs) at more lengths, up to 16 times the trained
 * one; counting and the novel to 8 times. `rows`: of a learned table longer than the training length. `random`: the number of positions to draw
 * from, which limits the length; with 256 a learned table does not learn order_long. `content`: content-dependent encodings, measured by E12a and
 * E12b.
 * @type {Record<string, LengthTask>}
 */
export const TASKS = {
  order_long: { lengths: [8, 12, 16, 17, 20, 24, 32, 48, 64, 96, 128, 192, 256], rows: 256, random: 128 },
  copy: { lengths: [8, 16, 24, 32, 33, 36, 40, 48, 64, 96, 128, 192, 256, 384, 512], rows: 512, content: ['forgetting', 'path'] },
  text: { lengths: [32, 48, 64, 80, 96, 128, 192, 256, 384, 512], rows: 512, corpus: 'public/data/pride-and-prejudice.txt' },
  counting: { lengths: [8, 16, 24, 32, 48, 64, 96, 128, 192, 256], rows: 512, content: ['forgetting', 'path'] },
};
/** Tasks with several targets in each text. */
const HAS_LAST = ['copy', 'counting'];
/** Lines of the task `text` that evaluate the RoPE model with scaled frequencies, as in E6. @type {Record<string, Scaling>} */
export const STRETCHED = {
  rope_linear: { scaling: 'linear' },
  rope_ntk: { scaling: 'ntk_aware' },
  rope_parts: { scaling: 'llama3', low_freq_factor: 1, high_freq_factor: 32 },
  rope_yarn: { scaling: 'yarn' },
};
/** Lines of the task `text` that continue training without RoPE, as in E14. @type {Record<string, Scaling>} */
export const DROPPED = { rope_dropped: { recalibration: { steps: 25, warmupSteps: 5 } } };
const ENCODINGS = ['none', 'alibi', 'learned', 'sinusoidal', 't5', 'rope'];

/** Lines by their names in the recording: an encoding, a learned table with more rows, and each with random positions. @param {LengthTask} task */
const linesOf = ({ random, content = [] }) => [
  ...ENCODINGS,
  'learned_rows',
  ...content,
  ...(random ? ENCODINGS.map((id) => `${id}_random`) : []),
];

/**
 * A line as arguments of the command and as fields of a trainer. A table of the training length uses its last row for longer texts.
 * @param {string} task
 * @param {number} trained
 * @param {string} line
 */
function lineOf(task, trained, line) {
  const { rows, random } = entryOf(TASKS, task);
  const [id = '', kind] = line.split('_');
  const most = (kind === 'rows' ? rows : kind === 'random' ? random : undefined) ?? trained;
  /** @type {{ id: string, max_length?: number }} */
  const own = id === 'learned' ? { id, max_length: most } : { id };
  const words = [
    ...['--encoding', id],
    ...(own.max_length ? ['--encoding.max_length', String(own.max_length)] : []),
    ...(kind === 'random' ? ['--randomized_positions', String(random)] : []),
    ...(own.max_length === trained ? ['--clamp'] : []),
  ];
  return { words, fields: { encoding: own, ...(kind === 'random' ? { randomizedPositions: random } : {}) } };
}

/** @param {string} task @param {string} line */
const wordsOf = (task, line) => {
  const { lengths, random } = entryOf(TASKS, task);
  const read = line.endsWith('_random') && random !== undefined ? lengths.filter((length) => length <= random) : lengths;
  return [task, '--lengths', read.join(',')];
};

/**
 * The values of one line, as [seed][length]. For texts with several targets, `last` has the accuracy of the last token alone.
 * @param {string} program
 * @param {string} task
 * @param {number} trained
 * @param {string} line
 */
export async function recordedLengths(program, task, trained, line) {
  const {
    score: unit,
    chance,
    runs,
  } = await reportOf(program, [...wordsOf(task, line), ...lineOf(task, trained, line).words], `${task}-lengths-${line}`);
  /** @param {(score: LengthScore) => number} value */
  const of = (value) => runs.map(({ lengths }) => lengths.map((one) => short(value(one))));
  const values = {
    loss: of(({ loss }) => loss),
    ...(unit === 'accuracy' ? { score: of(({ score }) => score) } : {}),
    ...(HAS_LAST.includes(task) ? { last: of(({ accuracy_at: at }) => at.at(-1) ?? Number.NaN) } : {}),
  };
  return { unit, chance, values };
}

/**
 * The core's error message for one token more than the rows of a table.
 * @param {CreateTrainer} createTrainer
 * @param {string} task
 * @param {number} trained
 * @param {{ corpus?: string }} more
 */
async function refusalOf(createTrainer, task, trained, more) {
  const trainer = await createTrainer({ task, ...more, encoding: { id: 'learned', max_length: trained } });
  try {
    await trainer.evaluate({ lengths: [trained + 1] });
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } finally {
    trainer.dispose();
  }
  throw new Error(`${task}: a table of ${trained} rows accepted ${trained + 1} tokens`);
}

/** @param {string} program @param {CreateTrainer} createTrainer @param {string} task */
export async function recordExtrapolation(program, createTrainer, task) {
  const { lengths, corpus } = entryOf(TASKS, task);
  const more = corpus ? { corpus: readFileSync(join(root, corpus), 'utf8') } : {};
  const base = await createTrainer({ task, ...more });
  const { encoding: _, seed: __, ...spec } = base.config;
  base.dispose();
  /** @type {Record<string, { encoding: object, randomizedPositions: number, [more: string]: unknown }>} */
  const lines = {};
  let chance = 0;
  let unit = '';
  for (const line of linesOf(entryOf(TASKS, task))) {
    const found = await recordedLengths(program, task, spec.sequenceLength, line);
    ({ chance, unit } = found);
    const { fields, words } = lineOf(task, spec.sequenceLength, line);
    const trainer = await createTrainer({ task, ...more, ...fields });
    const { encoding, randomizedPositions } = trainer.config;
    lines[line] = { words: words.slice(2).join(' '), encoding, randomizedPositions, ...found.values };
    trainer.dispose();
    console.log(`length ${task} ${line}`);
  }
  for (const [line, scaling] of task === 'text' ? Object.entries({ ...STRETCHED, ...DROPPED }) : []) {
    const { runs } = await reportStretched(program, { createTrainer }, scaling, lengths, SEEDS);
    const loss = runs.map((run) => run.lengths.map(({ loss: one }) => short(one)));
    const { encoding, randomizedPositions } = entryOf(lines, 'rope');
    const { recalibration } = scaling;
    lines[line] = { words: '', encoding, randomizedPositions, ...(recalibration ? { recalibration } : { scaling }), loss };
    console.log(`length ${task} ${line}`);
  }
  const rejected = await refusalOf(createTrainer, task, spec.sequenceLength, more);
  return { unit, chance, lengths, refused: rejected, spec, lines };
}
