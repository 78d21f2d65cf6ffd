// The buttons of a figure that initially shows a recorded training run, and trains on request.
interface Run {
  readonly origin: 'recorded' | 'live';
  readonly canTrain: boolean;
  readonly isRunning: boolean;
}

export function trainingActions(
  { origin, canTrain, isRunning }: Run,
  seed: number,
  words: Record<'train' | 'again' | 'recording', string>,
) {
  if (!canTrain || isRunning) return [];
  if (origin === 'recorded') return [{ label: words.train, keys: ['t'], fields: () => ({ run: 'live' }) }];
  return [
    { label: words.again, keys: ['t'], fields: () => ({ seed: seed + 1 }) },
    { label: words.recording, fields: () => ({ run: 'recorded', seed: 1 }) },
  ];
}
