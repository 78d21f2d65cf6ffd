// What a reader can do with a trained model: see another head or another view, train it here, and go through its snapshots.
import type { Action } from '../../contract/kind.ts';
import { headIndex, placeOf } from './heads.ts';
import type { Numbers, Spec } from './index.ts';
import { RECORDED, SNAPSHOTS } from './snapshots.ts';
import { words } from './strings.ts';

/** Other views. That of a learned table is of another model, which nobody has asked to train. */
function views(numbers: Numbers, { encoding }: Spec): Action[] {
  const to = (label: string, show: Spec['show'], isOther = false): Action => ({
    label,
    fields: () => (isOther ? { show, ...RECORDED } : { show }),
  });
  if (numbers.show === 'table' && !numbers.hasHeads) return [];
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

function training(numbers: Numbers, spec: Spec): readonly Action[] {
  if (numbers.track) return numbers.track.actions(numbers, spec, numbers.show === 'heads' || numbers.show === 'frequencies');
  return numbers.canTrain ? [{ label: words.train, keys: ['t'], fields: () => ({ run: 'live', snapshot: SNAPSHOTS }) }] : [];
}

/** While it trains, only what does not end that. */
export const actionsOf = (numbers: Numbers, spec: Spec): readonly Action[] =>
  numbers.isRunning ? heads(numbers, spec) : [...heads(numbers, spec), ...training(numbers, spec), ...views(numbers, spec)];
