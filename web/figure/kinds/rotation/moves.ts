// Where query and key are shown while they are dragged, glide or slide, and what is set when they have arrived. Every state that is shown was computed
// for just these positions: the newest that were asked for, one at a time.
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-core';
import type { LiveFigure } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import type { Rotation } from '../../numbers/rotation-numbers.ts';
import type { Standing } from '../../numbers/rotation-standing.ts';
import { latestOnly } from '../../runtime/latest-only.ts';
import { positionText } from './degrees.ts';
import type { fields, Spec } from './fields.ts';
import { rangeOf } from './layout.ts';
import { type Held, type Shown, shownPair, verdictOf } from './picture.ts';
import { spoken } from './spoken-words.ts';

export interface Positions {
  readonly query: number;
  readonly key: number;
}
/** Of a glide to where something was dropped, ms. */
const GLIDE = 220;
/** Places per second, and ms per place where motion is reduced. */
const [SPEED, STEP] = [2.6, 650];
/** Keys that follow each other within this time (ms) are one movement. */
const BURST = 1600;

export interface Moves {
  readonly shown: ReadonlySignal<Shown | undefined>;
  readonly isSliding: ReadonlySignal<boolean>;
  /** The first and the last position of the line. */
  readonly range: ReadonlySignal<readonly [number, number]>;
  /** A movement begins: what is shown now is what it is compared with. */
  begin(): Positions;
  /** Both as they were at the beginning, and what is held so many places away. */
  drag(held: Held, from: Positions, by: number): void;
  /** Lets go: at the nearest whole places. */
  drop(held: Held, from: Positions): void;
  /** Moves by whole places at once. */
  step(held: Held, by: number): void;
  /** Moves one to a place. */
  put(held: 'query' | 'key', place: number): void;
  slide(): void;
  end(): void;
}

/** What the two vectors and their rotation depend on, beside the positions. */
const vectorsOf = ({ encoding, width, vectors, seed }: Spec): string => JSON.stringify([encoding, width, vectors, seed]);

const ease = (t: number): number => 1 - (1 - t) ** 3;

export function rotationMoves(figure: LiveFigure<typeof fields, Rotation>, announce: (sentence: string) => void): Moves {
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  const latest = figure.computed;
  const standing = signal<Standing | undefined>(undefined);
  /** What a movement under way, or one whose numbers are not there yet, is compared with. */
  const start = signal<Standing | undefined>(undefined);
  const isSliding = signal(false);
  let isHeld = false;
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The latest key: what it moved, when, and what that was compared with. */
  let burst: { readonly held: Held; readonly at: number; readonly start: Standing | undefined } | undefined;
  let shownVectors = '';
  /** Set, and not computed yet. */
  let awaited: Positions | undefined;

  const ask = latestOnly(
    async ({ query, key, numbers }: Positions & { readonly numbers: Rotation }) => {
      const own = [numbers.standing, numbers.before].find((one) => one?.query === query && one.key === key);
      return { numbers, standing: own ?? (await numbers.standingAt(query, key)) };
    },
    (answer) => {
      // Of other vectors than are shown now.
      if (answer.numbers === latest.peek()?.numbers) standing.value = answer.standing;
    },
    // The engine has ended, or a position is refused: what is set afterwards says so.
    () => {},
    () => {},
  );
  const show = ({ query, key }: Positions): void => {
    const numbers = latest.peek()?.numbers;
    if (!numbers) return;
    // Patches of a picture have no places between them.
    const [m, n] = numbers.isLine ? [query, key] : [Math.round(query), Math.round(key)];
    const own = [numbers.standing, numbers.before].find((one) => one?.query === m && one.key === n);
    // What is known already is shown at once, unless older questions are under way.
    if (own) standing.value = own;
    ask({ query: m, key: n, numbers });
  };
  const stop = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  const glide = (to: Positions): void => {
    stop();
    const from = standing.peek();
    if (!from || calm.matches || (from.query === to.query && from.key === to.key)) {
      show(to);
      return;
    }
    const began = performance.now();
    const go = (now: number): void => {
      const t = Math.min(1, Math.max(0, (now - began) / GLIDE));
      const share = ease(t);
      show(t === 1 ? to : { query: from.query + (to.query - from.query) * share, key: from.key + (to.key - from.key) * share });
      if (t < 1) frame = requestAnimationFrame(go);
    };
    frame = requestAnimationFrame(go);
  };

  const specNow = (): Spec | undefined => {
    const spec = figure.spec.peek();
    return spec instanceof SpecError ? latest.peek()?.spec : spec;
  };
  const range = computed((): readonly [number, number] => {
    const spec = latest.value?.spec;
    if (!spec) return [0, 0];
    return rangeOf(spec);
  });
  /** The cursor of linked figures and of words beside the figure, else what is set. */
  const target = computed((): Positions | undefined => {
    const spec = latest.value?.spec;
    if (!spec) return undefined;
    const { query, key } = figure.cursor.value;
    const within = (place: number | undefined): place is number => place !== undefined && place >= 0 && place < spec.length;
    return { query: within(query) ? query : spec.query, key: within(key) ? key : spec.key };
  });

  const begin = (): Positions => {
    endSlide();
    stop();
    const { query: _, key: __, ...others } = figure.cursor.peek();
    if (Object.keys(others).length < Object.keys(figure.cursor.peek()).length) figure.cursor.value = others;
    const { query, key } = specNow() ?? { query: 0, key: 0 };
    const numbers = latest.peek()?.numbers;
    const now = standing.peek();
    start.value = now?.query === query && now.key === key ? now : numbers?.standing;
    awaited = undefined;
    return { query, key };
  };
  const speak = (from: Standing | undefined, { query, key }: Positions): void => {
    const numbers = latest.peek()?.numbers;
    const pair = shown.peek()?.pair;
    if (!numbers || pair === undefined) return;
    numbers.standingAt(query, key).then(
      (there) => {
        const { isSame, hasBothMoved, score, was } = verdictOf(numbers, { standing: there, before: from, pair });
        const became =
          isSame === undefined
            ? spoken.is(score)
            : !isSame
              ? spoken.changed(was, score)
              : hasBothMoved
                ? spoken.still(score)
                : spoken.is(score);
        announce(`${spoken.at(positionText(query), positionText(key))} ${became}`);
      },
      () => {},
    );
  };
  const commit = (to: Positions): void => {
    isHeld = false;
    const from = start.peek();
    awaited = to;
    const moved = from && (from.query !== to.query || from.key !== to.key);
    figure.change({ query: to.query, key: to.key, from: moved ? [from.query, from.key] : [] });
    glide(to);
    speak(from, to);
  };
  const limited = (value: number): number => Math.max(range.peek()[0], Math.min(range.peek()[1], value));
  /** How far both may be moved, of so many places. */
  const both = ({ query, key }: Positions, by: number): number => {
    const [first, last] = range.peek();
    const [least, most] = [first - Math.min(query, key), last - Math.max(query, key)];
    // Further apart than the line is long, they move as they like.
    return least > most ? by : Math.max(least, Math.min(most, by));
  };
  const moved = (held: Held, from: Positions, by: number): Positions => {
    if (held !== 'both') return { ...from, [held]: limited(from[held] + by) };
    const way = both(from, by);
    return { query: from.query + way, key: from.key + way };
  };
  /** At a whole place, or as far from the next as it was where both move. */
  const whole = (held: Held, from: Positions, by: number): Positions => {
    if (held === 'both') return moved(held, from, Math.round(by));
    return { ...from, [held]: Math.round(limited(from[held] + by)) };
  };
  let dragged = 0;
  let slid = 0;
  function endSlide(): void {
    if (!isSliding.peek()) return;
    isSliding.value = false;
    stop();
    const spec = specNow();
    if (spec) commit(whole('both', spec, slid));
  }
  const slide = (): void => {
    if (isSliding.peek()) {
      endSlide();
      return;
    }
    const from = begin();
    isHeld = true;
    isSliding.value = true;
    slid = 0;
    // To the end, to the beginning, and back to where they were.
    const legs = [both(from, Number.MAX_SAFE_INTEGER), both(from, -Number.MAX_SAFE_INTEGER), 0];
    const towards = (most: number): boolean => {
      const [to = 0] = legs;
      slid = Math.abs(to - slid) <= most ? to : slid + Math.sign(to - slid) * most;
      if (slid === to) legs.shift();
      show({ query: from.query + slid, key: from.key + slid });
      if (legs.length > 0) return true;
      endSlide();
      return false;
    };
    if (calm.matches) {
      const next = (): void => {
        if (towards(1)) timer = setTimeout(next, STEP);
      };
      next();
      return;
    }
    let before = performance.now();
    const go = (now: number): void => {
      // A page that was out of sight goes on where it was.
      const seconds = Math.max(0, Math.min(50, now - before)) / 1000;
      before = now;
      if (towards(SPEED * seconds)) frame = requestAnimationFrame(go);
    };
    frame = requestAnimationFrame(go);
  };

  const shown = computed((): Shown | undefined => {
    const now = latest.value;
    if (!now || !standing.value) return undefined;
    return { standing: standing.value, before: start.value ?? now.numbers.before, pair: shownPair(now, figure.cursor.value) };
  });
  const ends = [
    effect(() => {
      const now = latest.value;
      const to = target.value;
      if (!now || !to) return;
      const { numbers, spec } = now;
      // Other vectors, or another encoding: there is nothing to glide from.
      const vectors = vectorsOf(spec);
      if (!standing.peek() || vectors !== shownVectors) {
        stop();
        isHeld = false;
        isSliding.value = false;
        standing.value = numbers.standing;
        start.value = undefined;
      }
      shownVectors = vectors;
      if (awaited && awaited.query === spec.query && awaited.key === spec.key) {
        start.value = undefined;
        awaited = undefined;
      }
      if (!isHeld) glide(to);
    }),
  ];

  return {
    shown,
    isSliding,
    range,
    begin,
    drag(held, from, by) {
      isHeld = true;
      dragged = by;
      show(moved(held, from, by));
    },
    drop(held, from) {
      if (!isHeld) return;
      const by = dragged;
      dragged = 0;
      commit(whole(held, from, by));
    },
    step(held, by) {
      const now = performance.now();
      const isSame = burst?.held === held && now - burst.at < BURST;
      const first = isSame ? burst?.start : undefined;
      const from = begin();
      // Keys that follow each other are compared with where the first of them began.
      if (first) start.value = first;
      burst = { held, at: now, start: start.peek() };
      commit(whole(held, from, by));
    },
    put(held, place) {
      const from = begin();
      commit({ ...from, [held]: limited(place) });
    },
    slide,
    end() {
      stop();
      for (const end of ends) end();
    },
  };
}
