// The state that is shown: computed for just the positions that were asked for, the newest of them, one at a time.
import { type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import type { Rotation } from '../../compute/rotation-numbers.ts';
import type { RotationState } from '../../compute/rotation-standing.ts';
import { coalesce } from '../../runtime/scheduling.ts';
import type { Positions } from './places.ts';

export interface AskedStanding {
  readonly standing: Signal<RotationState | undefined>;
  /** Asks for the state at these positions, and shows it when it is there. */
  show(positions: Positions): void;
}

export function askedStanding(latest: ReadonlySignal<{ readonly numbers: Rotation } | undefined>): AskedStanding {
  const standing = signal<RotationState | undefined>(undefined);
  /** What is known without asking: as it is set, and as it was before. */
  const known = (numbers: Rotation, { query, key }: Positions): RotationState | undefined =>
    [numbers.standing, numbers.before].find((one) => one?.query === query && one.key === key);
  const ask = coalesce(
    async ({ numbers, ...at }: Positions & { readonly numbers: Rotation }) => ({
      numbers,
      standing: known(numbers, at) ?? (await numbers.standingAt(at.query, at.key)),
    }),
    (answer) => {
      // Of other vectors than are shown now.
      if (answer.numbers === latest.peek()?.numbers) standing.value = answer.standing;
    },
    // The engine has ended, or a position is refused: what is set afterwards says so.
    () => {},
    () => {},
  );
  return {
    standing,
    show({ query, key }) {
      const numbers = latest.peek()?.numbers;
      if (!numbers) return;
      // Patches of a picture have no places between them.
      const at = numbers.isLine ? { query, key } : { query: Math.round(query), key: Math.round(key) };
      const own = known(numbers, at);
      // What is known already is shown at once, unless older questions are under way.
      if (own) standing.value = own;
      ask({ ...at, numbers });
    },
  };
}
