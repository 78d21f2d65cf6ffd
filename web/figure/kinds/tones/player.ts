// A voice in its own audio context, which exists only while it sounds.
import { sound } from './voice.ts';

/** After this time it ends by itself, s. */
const LONGEST = 30;

export interface Player {
  glide(hertz: ArrayLike<number>): void;
  end(): void;
}

export interface PlayerOptions {
  /** The pair whose tone has just begun; undefined when all have. */
  begun(pair: number | undefined): void;
  /** It ended by itself. */
  ended(): void;
}

/** Must be called when the reader presses something: browsers do not let pages sound before. */
export function player(hertz: ArrayLike<number>, { begun, ended }: PlayerOptions): Player {
  const context = new AudioContext();
  const voice = sound(context, hertz);
  const start = context.currentTime;
  let frame = 0;
  let last: number | undefined;
  let isGliding = false;
  const follow = (): void => {
    const now = context.currentTime;
    if (now - start > LONGEST) {
      ended();
      return;
    }
    const { beginnings } = voice;
    const index = beginnings.findLastIndex(({ time }) => time <= now);
    // The last one is followed by all together.
    const isOver = isGliding || (index === beginnings.length - 1 && now - (beginnings[index]?.time ?? 0) > 0.5);
    const pair = isOver ? undefined : beginnings[index]?.pair;
    if (pair !== last) begun(pair);
    last = pair;
    frame = requestAnimationFrame(follow);
  };
  frame = requestAnimationFrame(follow);
  return {
    glide(next) {
      isGliding = true;
      voice.glide(next);
    },
    end() {
      cancelAnimationFrame(frame);
      const silent = voice.end();
      setTimeout(() => void context.close(), 1000 * (silent - context.currentTime) + 50);
    },
  };
}
