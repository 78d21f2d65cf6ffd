// Where query and key are shown while they are dragged, glide or slide, and what is set when they have arrived.
import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import type { Rotation } from '../../compute/rotation.ts';
import type { RotationState } from '../../compute/rotation-state.ts';
import type { LiveFigure } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { coalesce } from '../../runtime/scheduling.ts';
import { positionText } from './dial.ts';
import type { fields, Spec } from './fields.ts';
import { rangeOf } from './layout.ts';
import { limited, motionOf, moved, movedWhole, type Positions, type Range } from './motion.ts';
import { type DragState, type Shown, shownPair, verdictOf } from './picture.ts';

// Sentences after a movement, loaded with the drag handlers.

const spoken = {
  at: (query: string, key: string) => `Query at ${query}, key at ${key}.`,
  still: (score: string) => `Both moved; the score is unchanged, ${score}.`,
  is: (score: string) => `The score is ${score}.`,
  changed: (before: string, score: string) => `The score changed from ${before} to ${score}.`,
} as const;

/** Where query and key are now, and what became of the score. */
export function spokenOutcome(rotation: Rotation, shown: Shown): string {
  const { isSame, hasBothMoved, score, was } = verdictOf(rotation, shown);
  const { query, key } = shown.standing;
  const stays = isSame === undefined || !hasBothMoved ? spoken.is(score) : spoken.still(score);
  return `${spoken.at(positionText(query), positionText(key))} ${isSame === false ? spoken.changed(was, score) : stays}`;
}

// The state that is shown: computed for just the positions that were asked for, the newest of them, one at a time.

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

/** Keys that follow each other within this time (ms) are one movement. */
const BURST = 1600;

export interface Moves {
  readonly shown: ReadonlySignal<Shown | undefined>;
  readonly isSliding: ReadonlySignal<boolean>;
  readonly range: ReadonlySignal<Range>;
  /** A movement begins: what is shown now is what it is compared with. */
  begin(): Positions;
  /** Both as they were at the beginning, and what is held so many places away. */
  drag(held: DragState, from: Positions, by: number): void;
  /** Lets go: at the nearest whole places. */
  drop(held: DragState, from: Positions): void;
  /** Moves by whole places at once. */
  step(held: DragState, by: number): void;
  /** Moves one to a place. */
  put(held: 'query' | 'key', place: number): void;
  slide(): void;
  end(): void;
}

type Live = LiveFigure<typeof fields, Rotation>;

/** What the two vectors and their rotation depend on, beside the positions. */
const vectorsOf = ({ encoding, dim, vectors, seed }: Spec): string => JSON.stringify([encoding, dim, vectors, seed]);

/** What is set and can be computed, or was last. */
function specNow(figure: Live): Spec | undefined {
  const spec = figure.spec.peek();
  return spec instanceof SpecError ? figure.computed.peek()?.spec : spec;
}

/** The cursor of linked figures and of words beside the figure, else what is set. */
function target(spec: Spec, { query, key }: Live['cursor']['value']): Positions {
  const within = (place: number | undefined): place is number => place !== undefined && place >= 0 && place < spec.length;
  return { query: within(query) ? query : spec.query, key: within(key) ? key : spec.key };
}

/** No cursor is on a query or a key any more. */
function releaseCursor({ cursor }: Live): void {
  const { query: _, key: __, ...others } = cursor.peek();
  if (Object.keys(others).length < Object.keys(cursor.peek()).length) cursor.value = others;
}

export function rotationMoves(figure: Live, announce: (sentence: string) => void): Moves {
  const latest = figure.computed;
  const asked = askedStanding(latest);
  const { standing, show } = asked;
  const motion = motionOf(asked);
  /** What a movement under way, or one whose numbers are not there yet, is compared with. */
  const start = signal<RotationState | undefined>(undefined);
  let isHeld = false;
  let dragged = 0;
  /** The latest key: what it moved, when, and what that was compared with. */
  let burst: { readonly held: DragState; readonly at: number; readonly start: RotationState | undefined } | undefined;
  let shownVectors = '';
  /** Set, and not computed yet. */
  let awaited: Positions | undefined;
  const range = computed((): Range => {
    const spec = latest.value?.spec;
    return spec ? rangeOf(spec) : [0, 0];
  });
  const shown = computed((): Shown | undefined => {
    const now = latest.value;
    if (!now || !standing.value) return undefined;
    return { standing: standing.value, before: start.value ?? now.numbers.before, pair: shownPair(now, figure.cursor.value) };
  });

  const speak = (before: RotationState | undefined, { query, key }: Positions): void => {
    const numbers = latest.peek()?.numbers;
    const pair = shown.peek()?.pair;
    if (!numbers || pair === undefined) return;
    numbers.standingAt(query, key).then(
      (there) => announce(spokenOutcome(numbers, { standing: there, before, pair })),
      () => {},
    );
  };
  const commit = (to: Positions): void => {
    isHeld = false;
    const from = start.peek();
    awaited = to;
    const isElsewhere = from && (from.query !== to.query || from.key !== to.key);
    figure.change({ query: to.query, key: to.key, from: isElsewhere ? [from.query, from.key] : [] });
    motion.glide(to);
    speak(from, to);
  };
  const endSlide = (): void => {
    if (!motion.isSliding.peek()) return;
    motion.stop();
    const spec = specNow(figure);
    if (spec) commit(movedWhole('both', spec, motion.slid(), range.peek()));
  };
  const begin = (): Positions => {
    endSlide();
    motion.stop();
    releaseCursor(figure);
    const { query, key } = specNow(figure) ?? { query: 0, key: 0 };
    const now = standing.peek();
    start.value = now?.query === query && now.key === key ? now : latest.peek()?.numbers.standing;
    awaited = undefined;
    return { query, key };
  };

  const end = effect(() => {
    const now = latest.value;
    if (!now) return;
    const { numbers, spec } = now;
    const to = target(spec, figure.cursor.value);
    // Other vectors, or another encoding: there is nothing to glide from.
    const vectors = vectorsOf(spec);
    if (!standing.peek() || vectors !== shownVectors) {
      motion.stop();
      isHeld = false;
      standing.value = numbers.standing;
      start.value = undefined;
    }
    shownVectors = vectors;
    if (awaited && awaited.query === spec.query && awaited.key === spec.key) {
      start.value = undefined;
      awaited = undefined;
    }
    if (!isHeld) motion.glide(to);
  });

  return {
    shown,
    isSliding: motion.isSliding,
    range,
    begin,
    drag(held, from, by) {
      isHeld = true;
      dragged = by;
      show(moved(held, from, by, range.peek()));
    },
    drop(held, from) {
      if (!isHeld) return;
      const by = dragged;
      dragged = 0;
      commit(movedWhole(held, from, by, range.peek()));
    },
    step(held, by) {
      const now = performance.now();
      const isSame = burst?.held === held && now - burst.at < BURST;
      const first = isSame ? burst?.start : undefined;
      const from = begin();
      // Keys that follow each other are compared with where the first of them began.
      if (first) start.value = first;
      burst = { held, at: now, start: start.peek() };
      commit(movedWhole(held, from, by, range.peek()));
    },
    put(held, place) {
      const from = begin();
      commit({ ...from, [held]: limited(place, range.peek()) });
    },
    slide() {
      if (motion.isSliding.peek()) {
        endSlide();
        return;
      }
      const from = begin();
      isHeld = true;
      motion.slide(from, range.peek(), endSlide);
    },
    end() {
      motion.stop();
      end();
    },
  };
}
