// Creates the buttons of a figure that initially shows a recorded training run and can also train in the browser.
interface RunState {
  readonly origin: 'recorded' | 'live';
  readonly canTrain: boolean;
  readonly isRunning: boolean;
}

export function createTrainingActions(
  { origin, canTrain, isRunning }: RunState,
  seed: number,
  labels: Record<'train' | 'again' | 'recording', string>,
) {
  if (!canTrain || isRunning) return [];
  if (origin === 'recorded') return [{ label: labels.train, keys: ['t'], fields: () => ({ run: 'live' }) }];
  return [
    { label: labels.again, keys: ['t'], fields: () => ({ seed: seed + 1 }) },
    { label: labels.recording, fields: () => ({ run: 'recorded', seed: 1 }) },
  ];
}
