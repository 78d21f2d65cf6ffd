// A model that is trained here, and what it was at some steps on the way, which stays when training is paused or ended.
import type { FullTrainSpec } from '../../../engine/types/train-spec.ts';
import type { Trainer } from '../../../engine/types/trainer.ts';
import type { KindContext } from '../../contract/kind.ts';
import { whenVisible } from '../../runtime/scheduling.ts';
import type { Spec } from './index.ts';
import { SNAPSHOTS } from './snapshots.ts';
import { track } from './track.ts';
import type { Training } from './training.ts';

/** Steps until a pause is one. */
const PART = 5;

export interface Taken {
  readonly step: number;
}

/** A run as far as it has come. */
interface Run<Snapshot> {
  readonly trainer: Trainer;
  readonly snapshots: Snapshot[];
  isHidden: boolean;
  /** The reader had paused it when other choices came. */
  wasPaused: boolean;
}

export interface Live<Snapshot extends Taken, Numbers> {
  /** Of all that makes it another run. */
  readonly key: string;
  begin(): Promise<Trainer>;
  take(trainer: Trainer): Promise<Snapshot>;
  /** What is shown of one of these. */
  numbers(snapshots: readonly Snapshot[], at: number, spec: FullTrainSpec): Promise<Numbers>;
}

/** Trains until there is a snapshot of that number, or the reader stops it. `changed`: there is something new. */
async function trainUntil<Snapshot>(
  run: Run<Snapshot>,
  last: number,
  { pace, signal, progress }: Pick<KindContext, 'pace' | 'signal' | 'progress'>,
  take: (trainer: Trainer) => Promise<Snapshot>,
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
        await whenVisible(signal);
        run.isHidden = false;
        changed();
      }
      const left = next - trainer.stepsDone;
      await trainer.step(pace?.isPaused.peek() ? left : Math.min(PART, left), { signal });
    }
    snapshots.push(await take(trainer));
    progress?.(snapshots.length / (SNAPSHOTS + 1));
    changed();
  }
  // All is there: its worker may go.
  if (snapshots.length > SNAPSHOTS) trainer.dispose();
}

/** The numbers of the snapshot that is asked for, and until it is there those of the latest one. */
export async function liveNumbers<Snapshot extends Taken, Numbers extends object>(
  { key, begin, take, numbers }: Live<Snapshot, Numbers>,
  still: Pick<Training, 'model' | 'isHashed'>,
  { snapshot }: Pick<Spec, 'snapshot'>,
  means: KindContext,
): Promise<Numbers & Training> {
  const { kept, partial, pace, signal } = means;
  const start = async (): Promise<Run<Snapshot>> => {
    const trainer = await begin();
    try {
      return { trainer, snapshots: [await take(trainer)], isHidden: false, wasPaused: false };
    } catch (thrown) {
      trainer.dispose();
      throw thrown;
    }
  };
  const run = await (kept ? kept.get('run', key, start, ({ trainer }) => trainer.dispose()) : start());
  const { snapshots, trainer, wasPaused } = run;
  run.wasPaused = false;
  const shown = async (seen: readonly Snapshot[], isRunning: boolean, isHidden: boolean): Promise<Numbers & Training> => {
    const at = Math.min(snapshot, seen.length - 1);
    return {
      ...(await numbers(seen, at, trainer.spec)),
      ...still,
      origin: 'live',
      spec: trainer.spec,
      steps: seen.map(({ step }) => step),
      at,
      isRunning,
      isHidden,
      canTrain: true,
      track,
    };
  };
  let drawing: Promise<void> = Promise.resolve();
  const changed = (): void => {
    const seen = snapshots.slice();
    const { isHidden } = run;
    // One after the other: a later picture must not come before an earlier one.
    drawing = drawing
      .then(() => shown(seen, true, isHidden))
      .then((one) => partial?.(one))
      .catch(() => {});
  };
  try {
    if (snapshots.length <= snapshot) {
      if (wasPaused) pace?.toggle();
      await trainUntil(run, snapshot, means, take, changed);
    }
    await drawing;
    return await shown(snapshots.slice(), false, false);
  } catch (thrown) {
    // A run that the reader has left goes on later, or waits as it did; else its worker may be lost.
    if (signal?.aborted) run.wasPaused = pace?.isPaused.peek() ?? false;
    else kept?.drop('run');
    throw thrown;
  } finally {
    if (!kept) trainer.dispose();
  }
}
