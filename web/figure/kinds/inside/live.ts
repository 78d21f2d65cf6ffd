// Trains a model on this page and takes snapshots of it. The snapshots remain available when training pauses or ends.

import { stackScenes } from '../../../charts/compose.ts';
import { wholeNumber } from '../../../charts/english.ts';
import { isIndex } from '../../../charts/entry-at.ts';
import type { Mark } from '../../../charts/picture.ts';
import { type Scene, stepIndex } from '../../../charts/scene.ts';
import type { ResolvedTrainConfig } from '../../../engine/types/train-config.ts';
import type { Trainer } from '../../../engine/types/trainer.ts';
import type { KindContext } from '../../contract/kind.ts';
import { waitUntilVisible } from '../../runtime/scheduling.ts';
import type { Spec } from './index.ts';
import type { Track, Training } from './model.ts';
import { NUM_SNAPSHOTS, RECORDING_FIELDS } from './snapshots.ts';

const strings = {
  title: 'Snapshots',
  trackDescription: (count: number, step: number) => `${count} training snapshots; step ${wholeNumber.format(step)} is shown.`,
  nextSeed: 'Use another seed',
  showRecording: 'Show recording',
  previousSnapshot: 'Earlier',
  nextSnapshot: 'Later',
  continueTraining: 'Continue training',
  stepLabel: (step: number) => `step ${wholeNumber.format(step)}`,
} as const;

const [HEIGHT, GAP] = [44, 8];
const [DOT_RADIUS, HIT_HEIGHT] = [5, 22];

function trackScene(training: Training, width: number): Scene {
  const { steps, snapshotIndex, config } = training;
  const [left, right, y] = [DOT_RADIUS + 3, width - DOT_RADIUS - 3, 14];
  const xOfSnapshot = (index: number): number => left + ((right - left) * index) / NUM_SNAPSHOTS;
  const hasSnapshot = (index: number | undefined): index is number => isIndex(index, steps.length);
  const createDot = (index: number): Mark =>
    hasSnapshot(index)
      ? {
          kind: 'circle',
          tone: index === snapshotIndex ? 'accent' : 'muted',
          cx: xOfSnapshot(index),
          cy: y,
          r: index === snapshotIndex ? DOT_RADIUS + 2 : DOT_RADIUS - 1,
        }
      : { kind: 'circle', tone: 'hairline', cx: xOfSnapshot(index), cy: y, r: DOT_RADIUS - 2 };
  const createLabel = (index: number, anchor: 'start' | 'end', text: string): Mark => ({
    kind: 'text',
    tone: 'muted',
    x: xOfSnapshot(index) + (anchor === 'start' ? -DOT_RADIUS : DOT_RADIUS),
    y: y + 20,
    anchor,
    text,
  });
  return {
    picture: {
      width,
      height: HEIGHT,
      title: strings.title,
      description: strings.trackDescription(steps.length, steps[snapshotIndex] ?? 0),
      rasters: [],
      marks: [
        { kind: 'line', tone: 'hairline', x1: left, y1: y, x2: right, y2: y, stroke: 2 },
        ...Array.from({ length: NUM_SNAPSHOTS + 1 }, (_, index) => createDot(index)),
        createLabel(0, 'start', strings.stepLabel(0)),
        createLabel(NUM_SNAPSHOTS, 'end', strings.stepLabel(config.steps)),
      ],
    },
    overlay: ({ snapshot }) =>
      hasSnapshot(snapshot)
        ? [{ kind: 'circle', tone: 'cursor', cx: xOfSnapshot(snapshot), cy: y, r: DOT_RADIUS + 4, outline: true, stroke: 2 }]
        : [],
    hit(px, py) {
      if (py < 0 || py > y + HIT_HEIGHT) return undefined;
      const index = Math.round(((px - left) / (right - left)) * NUM_SNAPSHOTS);
      return hasSnapshot(index) ? { snapshot: index } : undefined;
    },
    step: (cursor, columns) => ({ ...cursor, snapshot: stepIndex(cursor.snapshot ?? snapshotIndex, columns, steps.length) }),
  };
}

export const track: Track = {
  height: HEIGHT + GAP,
  addBelow: (scene, training, width) => stackScenes([scene, trackScene(training, width)], { title: scene.picture.title }, GAP),
  actions: ({ snapshotIndex, steps }, { seed, snapshot }, hasHeads) => [
    {
      label: strings.previousSnapshot,
      keys: hasHeads ? [','] : ['[', ','],
      fields: () => ({ snapshot: snapshotIndex - 1 }),
      disabled: snapshotIndex === 0,
    },
    {
      label: strings.nextSnapshot,
      keys: hasHeads ? ['.'] : [']', '.'],
      fields: () => ({ snapshot: snapshotIndex + 1 }),
      disabled: snapshotIndex >= steps.length - 1,
    },
    ...(steps.length <= NUM_SNAPSHOTS && snapshot < NUM_SNAPSHOTS
      ? [{ label: strings.continueTraining, fields: () => ({ snapshot: NUM_SNAPSHOTS }) }]
      : []),
    { label: strings.nextSeed, keys: ['t'], fields: () => ({ seed: seed + 1, snapshot: NUM_SNAPSHOTS }) },
    { label: strings.showRecording, fields: () => RECORDING_FIELDS },
  ],
};

/** Number of training steps between checks for a pause, a stop or a hidden page. */
const STEPS_PER_CHECK = 5;

export interface StepSnapshot {
  readonly step: number;
}

interface Run<Snapshot> {
  readonly trainer: Trainer;
  readonly snapshots: Snapshot[];
  isHidden: boolean;
  /** Whether the run was paused when the user switched to other settings. */
  wasPaused: boolean;
}

export interface LiveRun<Snapshot extends StepSnapshot, Results> {
  /** Identifies the model and the seed. A different key starts a new run. */
  readonly key: string;
  startTrainer(): Promise<Trainer>;
  takeSnapshot(trainer: Trainer): Promise<Snapshot>;
  computeResults(snapshots: readonly Snapshot[], snapshotIndex: number, config: ResolvedTrainConfig): Promise<Results>;
}

/**
 * Trains until the snapshot `lastIndex` exists or the user stops training. Calls `onChange` at the start, after each
 * snapshot, and when the page is hidden or visible again.
 */
async function trainUntilSnapshot<Snapshot>(
  run: Run<Snapshot>,
  lastIndex: number,
  { pace, signal, progress }: Pick<KindContext, 'pace' | 'signal' | 'progress'>,
  takeSnapshot: (trainer: Trainer) => Promise<Snapshot>,
  onChange: () => void,
): Promise<void> {
  const { trainer, snapshots } = run;
  const stepsPerSnapshot = trainer.config.steps / NUM_SNAPSHOTS;
  onChange();
  while (snapshots.length <= lastIndex) {
    const nextStep = stepsPerSnapshot * snapshots.length;
    while (trainer.globalStep < nextStep) {
      await pace?.waitWhilePaused(signal);
      if (pace?.isStopped.peek()) return;
      if (typeof document !== 'undefined' && document.hidden) {
        run.isHidden = true;
        onChange();
        await waitUntilVisible(signal);
        run.isHidden = false;
        onChange();
      }
      const remainingSteps = nextStep - trainer.globalStep;
      await trainer.step(pace?.isPaused.peek() ? remainingSteps : Math.min(STEPS_PER_CHECK, remainingSteps), { signal });
    }
    snapshots.push(await takeSnapshot(trainer));
    progress?.(snapshots.length / (NUM_SNAPSHOTS + 1));
    onChange();
  }
  // Training is complete, so its worker is no longer needed.
  if (snapshots.length > NUM_SNAPSHOTS) trainer.dispose();
}

/**
 * Trains up to the requested snapshot and computes the figure's values for it. If the user stops training earlier,
 * returns the values for the latest snapshot. Passes intermediate values to `context.partial`.
 */
export async function computeLiveResults<Snapshot extends StepSnapshot, Results extends object>(
  { key, startTrainer, takeSnapshot, computeResults }: LiveRun<Snapshot, Results>,
  modelState: Pick<Training, 'model' | 'isHashVerified'>,
  { snapshot }: Pick<Spec, 'snapshot'>,
  context: KindContext,
): Promise<Results & Training> {
  const { cache, partial, pace, signal } = context;
  const startRun = async (): Promise<Run<Snapshot>> => {
    const trainer = await startTrainer();
    try {
      return { trainer, snapshots: [await takeSnapshot(trainer)], isHidden: false, wasPaused: false };
    } catch (thrown) {
      trainer.dispose();
      throw thrown;
    }
  };
  const run = await (cache ? cache.get('run', key, startRun, ({ trainer }) => trainer.dispose()) : startRun());
  const { snapshots, trainer, wasPaused } = run;
  run.wasPaused = false;
  const computeSnapshotResults = async (
    snapshotsSoFar: readonly Snapshot[],
    isRunning: boolean,
    isPageHidden: boolean,
  ): Promise<Results & Training> => {
    const displayedIndex = Math.min(snapshot, snapshotsSoFar.length - 1);
    return {
      ...(await computeResults(snapshotsSoFar, displayedIndex, trainer.config)),
      ...modelState,
      origin: 'live',
      config: trainer.config,
      steps: snapshotsSoFar.map(({ step }) => step),
      snapshotIndex: displayedIndex,
      isRunning,
      isPageHidden,
      canTrain: true,
      track,
    };
  };
  let lastDrawing: Promise<void> = Promise.resolve();
  const onChange = (): void => {
    const snapshotsSoFar = snapshots.slice();
    const { isHidden } = run;
    // Draws snapshots in order, so that a slow computation cannot replace a newer picture with an older one.
    lastDrawing = lastDrawing
      .then(() => computeSnapshotResults(snapshotsSoFar, true, isHidden))
      .then((results) => partial?.(results))
      .catch(() => {});
  };
  try {
    if (snapshots.length <= snapshot) {
      if (wasPaused) pace?.toggle();
      await trainUntilSnapshot(run, snapshot, context, takeSnapshot, onChange);
    }
    await lastDrawing;
    return await computeSnapshotResults(snapshots.slice(), false, false);
  } catch (thrown) {
    // An aborted run stays in the cache, so that the user can return to it. After any other error the run is dropped,
    // because its worker may have terminated.
    if (signal?.aborted) run.wasPaused = pace?.isPaused.peek() ?? false;
    else cache?.drop('run');
    throw thrown;
  } finally {
    if (!cache) trainer.dispose();
  }
}
