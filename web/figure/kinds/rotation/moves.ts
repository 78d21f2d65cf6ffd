// Displays query and key at intermediate positions during drags and animations, and updates the figure's fields at the end.
import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import type { Rotation } from '../../compute/rotation.ts';
import type { RotationState } from '../../compute/rotation-state.ts';
import type { LiveFigure } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { coalesce } from '../../runtime/scheduling.ts';
import { formatPosition } from './dial.ts';
import type { fields, Spec } from './fields.ts';
import { getLineRange } from './layout.ts';
import { clamp, createMotion, moveByIntegers, movePositions, type Positions, type Range } from './motion.ts';
import { compareScores, getShownPair, type Handle, type RotationView } from './picture.ts';

// Announcements for screen readers. They are loaded together with the drag handlers.

const announcements = {
  positions: (query: string, key: string) => `Query at ${query}, key at ${key}.`,
  sameScore: (score: string) => `Both moved; the score is unchanged, ${score}.`,
  currentScore: (score: string) => `The score is ${score}.`,
  scoreChange: (previousScore: string, score: string) => `The score changed from ${previousScore} to ${score}.`,
} as const;

export function describeMove(rotation: Rotation, view: RotationView): string {
  const { isSame, hasBothMoved, score, previousScore } = compareScores(rotation, view);
  const { query, key } = view.currentState;
  const scoreSentence = isSame === undefined || !hasBothMoved ? announcements.currentScore(score) : announcements.sameScore(score);
  return `${announcements.positions(formatPosition(query), formatPosition(key))} ${isSame === false ? announcements.scoreChange(previousScore, score) : scoreSentence}`;
}

/** Computes states one at a time. Of the positions requested in the meantime, only the newest are computed. */
export interface RequestedState {
  readonly currentState: Signal<RotationState | undefined>;
  /** Requests the state at these positions and displays it as soon as it is computed. */
  show(positions: Positions): void;
}

export function createRequestedState(latestResult: ReadonlySignal<{ readonly results: Rotation } | undefined>): RequestedState {
  const currentState = signal<RotationState | undefined>(undefined);
  const findComputedState = (results: Rotation, { query, key }: Positions): RotationState | undefined =>
    [results.currentState, results.previousState].find((state) => state?.query === query && state.key === key);
  const requestState = coalesce(
    async ({ results, ...positions }: Positions & { readonly results: Rotation }) => ({
      results,
      state: findComputedState(results, positions) ?? (await results.stateAtPositions(positions.query, positions.key)),
    }),
    (result) => {
      // The result is ignored if the vectors have changed in the meantime.
      if (result.results === latestResult.peek()?.results) currentState.value = result.state;
    },
    // Errors are ignored here, because they are reported when the fields next change.
    () => {},
    () => {},
  );
  return {
    currentState,
    show({ query, key }) {
      const results = latestResult.peek()?.results;
      if (!results) return;
      // Patches of an image can only be at integer positions.
      const roundedPositions = results.isOneDimensional ? { query, key } : { query: Math.round(query), key: Math.round(key) };
      const knownState = findComputedState(results, roundedPositions);
      // A state that has been computed is displayed immediately.
      if (knownState) currentState.value = knownState;
      requestState({ ...roundedPositions, results });
    },
  };
}

/** Maximum time in ms between presses of an arrow key that count as one movement. */
const KEY_REPEAT_MS = 1600;

export interface Moves {
  readonly displayedView: ReadonlySignal<RotationView | undefined>;
  readonly isSliding: ReadonlySignal<boolean>;
  readonly range: ReadonlySignal<Range>;
  /** Starts a movement and returns its start positions. The state at these positions becomes the previous state. */
  beginMove(): Positions;
  /** Displays the positions `from` with the dragged handle moved by `distance` positions. */
  drag(handle: Handle, from: Positions, distance: number): void;
  /** Releases the handle, which then moves to the nearest integer position. */
  drop(handle: Handle, from: Positions): void;
  /** Moves a handle by integer steps without an animation. */
  step(handle: Handle, distance: number): void;
  moveTo(handle: 'query' | 'key', position: number): void;
  slide(): void;
  end(): void;
}

type RotationFigure = LiveFigure<typeof fields, Rotation>;

/** Identifies the two vectors and their encoding, independently of the positions. */
const createVectorsKey = ({ encoding, dim, vectors, seed }: Spec): string => JSON.stringify([encoding, dim, vectors, seed]);

/** Returns the figure's current spec if it is valid, otherwise the last valid one. */
function getCurrentSpec(figure: RotationFigure): Spec | undefined {
  const spec = figure.spec.peek();
  return spec instanceof SpecError ? figure.computed.peek()?.spec : spec;
}

/** Returns the positions at the cursor, which linked figures can also set, otherwise the positions in the spec. */
function getTargetPositions(spec: Spec, { query, key }: RotationFigure['cursor']['value']): Positions {
  const isOnLine = (position: number | undefined): position is number => position !== undefined && position >= 0 && position < spec.length;
  return { query: isOnLine(query) ? query : spec.query, key: isOnLine(key) ? key : spec.key };
}

function releaseCursor({ cursor }: RotationFigure): void {
  const { query: _, key: __, ...others } = cursor.peek();
  if (Object.keys(others).length < Object.keys(cursor.peek()).length) cursor.value = others;
}

export function createMoves(figure: RotationFigure, announce: (sentence: string) => void): Moves {
  const latestResult = figure.computed;
  const stateRequests = createRequestedState(latestResult);
  const { currentState, show } = stateRequests;
  const motion = createMotion(stateRequests);
  /** The state before the current movement. Kept until the new positions have been computed. */
  const startState = signal<RotationState | undefined>(undefined);
  let isMoving = false;
  let dragDistance = 0;
  /** The last key press: its handle, its time, and the state before the movement. */
  let lastKeyPress: { readonly handle: Handle; readonly time: number; readonly previousState: RotationState | undefined } | undefined;
  let shownVectorsKey = '';
  /** Positions that were set, but whose state has not been computed yet. */
  let pendingPositions: Positions | undefined;
  const range = computed((): Range => {
    const spec = latestResult.value?.spec;
    return spec ? getLineRange(spec) : [0, 0];
  });
  const displayedView = computed((): RotationView | undefined => {
    const current = latestResult.value;
    if (!current || !currentState.value) return undefined;
    return {
      currentState: currentState.value,
      previousState: startState.value ?? current.results.previousState,
      pair: getShownPair(current, figure.cursor.value),
    };
  });

  const announceMove = (previousState: RotationState | undefined, { query, key }: Positions): void => {
    const results = latestResult.peek()?.results;
    const pair = displayedView.peek()?.pair;
    if (!results || pair === undefined) return;
    results.stateAtPositions(query, key).then(
      (newState) => announce(describeMove(results, { currentState: newState, previousState, pair })),
      () => {},
    );
  };
  const setPositions = (to: Positions): void => {
    isMoving = false;
    const from = startState.peek();
    pendingPositions = to;
    const hasMoved = from && (from.query !== to.query || from.key !== to.key);
    figure.change({ query: to.query, key: to.key, from: hasMoved ? [from.query, from.key] : [] });
    motion.glide(to);
    announceMove(from, to);
  };
  const endSlide = (): void => {
    if (!motion.isSliding.peek()) return;
    motion.stop();
    const spec = getCurrentSpec(figure);
    if (spec) setPositions(moveByIntegers('both', spec, motion.getSlideDistance(), range.peek()));
  };
  const beginMove = (): Positions => {
    endSlide();
    motion.stop();
    releaseCursor(figure);
    const { query, key } = getCurrentSpec(figure) ?? { query: 0, key: 0 };
    const current = currentState.peek();
    startState.value = current?.query === query && current.key === key ? current : latestResult.peek()?.results.currentState;
    pendingPositions = undefined;
    return { query, key };
  };

  const stopFollowing = effect(() => {
    const current = latestResult.value;
    if (!current) return;
    const { results, spec } = current;
    const to = getTargetPositions(spec, figure.cursor.value);
    // Changes to the vectors or the encoding are not animated.
    const vectors = createVectorsKey(spec);
    if (!currentState.peek() || vectors !== shownVectorsKey) {
      motion.stop();
      isMoving = false;
      currentState.value = results.currentState;
      startState.value = undefined;
    }
    shownVectorsKey = vectors;
    if (pendingPositions && pendingPositions.query === spec.query && pendingPositions.key === spec.key) {
      startState.value = undefined;
      pendingPositions = undefined;
    }
    if (!isMoving) motion.glide(to);
  });

  return {
    displayedView,
    isSliding: motion.isSliding,
    range,
    beginMove,
    drag(handle, from, distance) {
      isMoving = true;
      dragDistance = distance;
      show(movePositions(handle, from, distance, range.peek()));
    },
    drop(handle, from) {
      if (!isMoving) return;
      const distance = dragDistance;
      dragDistance = 0;
      setPositions(moveByIntegers(handle, from, distance, range.peek()));
    },
    step(handle, distance) {
      const now = performance.now();
      const isRepeated = lastKeyPress?.handle === handle && now - lastKeyPress.time < KEY_REPEAT_MS;
      const firstState = isRepeated ? lastKeyPress?.previousState : undefined;
      const from = beginMove();
      // When a key is pressed repeatedly, the previous state is the one before the first press.
      if (firstState) startState.value = firstState;
      lastKeyPress = { handle, time: now, previousState: startState.peek() };
      setPositions(moveByIntegers(handle, from, distance, range.peek()));
    },
    moveTo(handle, position) {
      const from = beginMove();
      setPositions({ ...from, [handle]: clamp(position, range.peek()) });
    },
    slide() {
      if (motion.isSliding.peek()) {
        endSlide();
        return;
      }
      const from = beginMove();
      isMoving = true;
      motion.slide(from, range.peek(), endSlide);
    },
    end() {
      motion.stop();
      stopFollowing();
    },
  };
}
