// What a reader can do with a trained model: see another head or another view, train it here, and go through its snapshots.
import type { Action } from '../../contract/kind.ts';
import { headIndex, placeOf } from './heads.ts';
import type { Numbers, Spec } from './index.ts';
import { SNAPSHOTS } from './snapshots.ts';
import { isCut } from './training.ts';
import { words } from './words.ts';

/** Back to what was recorded. */
const RECORDED = { run: 'recorded', seed: 1, snapshot: SNAPSHOTS } as const;

/** Other views. That of a learned table is of another model, which nobody has asked to train. */
function views(numbers: Numbers, { encoding }: Spec): Action[] {
  const to = (label: string, show: Spec['show'], isOther = false): Action => ({
    label,
    fields: () => (isOther ? { show, ...RECORDED } : { show }),
  });
  if (numbers.show !== 'heads') return [to(words.toHeads, 'heads', numbers.show === 'table')];
  return [
    ...(numbers.hasTable ? [to(words.toTable, 'table', encoding.id === 'learned')] : []),
    ...(numbers.hasFrequencies ? [to(words.toFrequencies, 'frequencies')] : []),
  ];
}

function heads(numbers: Numbers, spec: Spec): Action[] {
  if (numbers.show !== 'heads' && numbers.show !== 'frequencies') return [];
  const count = numbers.layers * numbers.heads;
  const another = (by: number) => () => placeOf(numbers, (headIndex(numbers, spec) + by + count) % count);
  return [
    { label: words.previousHead, keys: ['[', 'PageUp'], fields: another(-1) },
    { label: words.nextHead, keys: [']', 'PageDown'], fields: another(1) },
  ];
}

function training(numbers: Numbers, { seed, snapshot }: Spec): Action[] {
  const { origin, canTrain, at, steps, show } = numbers;
  if (origin === 'recorded')
    return canTrain ? [{ label: words.train, keys: ['t'], fields: () => ({ run: 'live', snapshot: SNAPSHOTS }) }] : [];
  const hasHeads = show === 'heads' || show === 'frequencies';
  return [
    { label: words.earlier, keys: hasHeads ? [','] : ['[', ','], fields: () => ({ snapshot: at - 1 }), isIdle: at === 0 },
    { label: words.laterOne, keys: hasHeads ? ['.'] : [']', '.'], fields: () => ({ snapshot: at + 1 }), isIdle: at >= steps.length - 1 },
    ...(isCut(numbers) && snapshot < SNAPSHOTS ? [{ label: words.goOn, fields: () => ({ snapshot: SNAPSHOTS }) }] : []),
    { label: words.again, keys: ['t'], fields: () => ({ seed: seed + 1, snapshot: SNAPSHOTS }) },
    { label: words.recording, fields: () => RECORDED },
  ];
}

/** While it trains, only what does not end that. */
export const actionsOf = (numbers: Numbers, spec: Spec): readonly Action[] =>
  numbers.isRunning ? heads(numbers, spec) : [...heads(numbers, spec), ...training(numbers, spec), ...views(numbers, spec)];
