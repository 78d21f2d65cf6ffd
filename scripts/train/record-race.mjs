// Records the figure `race`: the learning curve of each of its lines.
import { entryOf } from './entry-of.mjs';
import { reportOf, SEEDS, short } from './record-report.mjs';

/** The number of points of a curve. */
const POINTS = 20;
export const TASKS = ['order', 'copy'];
/** @import { CreateTrainer } from './engines.mjs' */

/**
 * The trainer fields of each line, by its name in links.
 * @type {Record<string, { encoding: string, causal?: boolean }>}
 */
const LINES = {
  none: { encoding: 'none' },
  none_causal: { encoding: 'none', causal: true },
  alibi: { encoding: 'alibi' },
  learned: { encoding: 'learned' },
  sinusoidal: { encoding: 'sinusoidal' },
  t5: { encoding: 't5' },
  rope: { encoding: 'rope' },
};

/**
 * The curves of one line, and the score of guessing in its task.
 * @param {string} program
 * @param {string} task
 * @param {string} id of the line
 * @param {number} every steps per point
 */
export async function recordedCurve(program, task, id, every) {
  const { encoding, causal } = entryOf(LINES, id);
  const words = [task, '--encoding', encoding, ...(causal ? ['--causal', 'true'] : []), '--every', String(every)];
  const { runs, chance } = await reportOf(program, words, `${task}-${id}`);
  /** @param {'score' | 'loss'} what */
  const curves = (what) => runs.map(({ curve }) => curve.map((point) => short(point[what])));
  return { chance, values: { score: curves('score'), loss: curves('loss') } };
}

/** @param {string} program @param {CreateTrainer} createTrainer @param {string} task */
export async function recordRace(program, createTrainer, task) {
  const base = await createTrainer({ task });
  const { encoding: _, seed: __, ...spec } = base.config;
  base.dispose();
  const every = spec.steps / POINTS;
  /** @type {Record<string, unknown>} */
  const lines = {};
  let chance = 0;
  for (const [id, fields] of Object.entries(LINES)) {
    const found = await recordedCurve(program, task, id, every);
    ({ chance } = found);
    const trainer = await createTrainer({ task, ...fields });
    lines[id] = { encoding: trainer.config.encoding, causal: trainer.config.causal, ...found.values };
    trainer.dispose();
    console.log(`race ${task} ${id}`);
  }
  return { command: `npm run train -- ${task} --encoding ID --seeds ${SEEDS} --every ${every}`, chance, every, spec, lines };
}
