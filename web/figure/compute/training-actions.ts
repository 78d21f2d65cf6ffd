// The buttons of a figure that shows a recording first, and trains when it is asked to.
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
