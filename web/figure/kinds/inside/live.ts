// A learned table that is trained here, and its rows at some steps on the way, which stay when training is paused or ended.
import type { Tensor } from '../../../engine/index.ts';
import type { Trainer } from '../../../engine/types/training.ts';
import type { Means } from '../../contract/kind.ts';
import { untilSeen } from '../../runtime/until-seen.ts';
import { SNAPSHOTS } from './snapshots.ts';

/** Items that a snapshot is measured with: what is measured is the table, not the answers. */
const ITEMS = 1;
/** Steps until a pause is one. */
const PART = 5;

export interface Snapshot {
  readonly step: number;
  /** [positions, width] */
  readonly rows: Tensor;
  /** The mean cosine of neighbouring rows, less the mean row. */
  readonly near: number;
}

/** A run as far as it has come. */
export interface Run {
  readonly trainer: Trainer;
  readonly snapshots: Snapshot[];
  isHidden: boolean;
}

export async function snapshotOf(trainer: Trainer): Promise<Snapshot> {
  const rows = (await trainer.weights())['encoding.table'];
  if (!rows) throw new Error('the model has no table of positions');
  const { observed } = await trainer.evaluate({ items: ITEMS });
  return { step: trainer.stepsDone, rows, near: observed.cosine_1 ?? Number.NaN };
}

/** Trains until there is a snapshot of that number, or the reader stops it. `changed`: there is something new. */
export async function trainUntil(
  run: Run,
  last: number,
  { pace, signal, progress }: Pick<Means, 'pace' | 'signal' | 'progress'>,
  changed: () => void,
): Promise<void> {
  const { trainer, snapshots } = run;
  const every = trainer.spec.steps / SNAPSHOTS;
  changed();
  while (snapshots.length <= last) {
    const next = every * snapshots.length;
    while (trainer.stepsDone < next) {
      await pace?.pass(signal);
      if (pace?.isStopped.peek()) return;
      if (typeof document !== 'undefined' && document.hidden) {
        run.isHidden = true;
        changed();
        await untilSeen(signal);
        run.isHidden = false;
        changed();
      }
      const left = next - trainer.stepsDone;
      await trainer.step(pace?.isPaused.peek() ? left : Math.min(PART, left), { signal });
    }
    snapshots.push(await snapshotOf(trainer));
    progress?.(snapshots.length / (SNAPSHOTS + 1));
    changed();
  }
  // All is there: its worker may go.
  if (snapshots.length > SNAPSHOTS) trainer.dispose();
}
