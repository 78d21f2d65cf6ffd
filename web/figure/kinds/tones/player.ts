// Plays the tones in a separate audio context, which is closed when they stop.
import { createVoice } from './voice.ts';

/** Maximum playing time, s. */
const MAX_SECONDS = 30;

export interface Player {
  glide(hertz: ArrayLike<number>): void;
  end(): void;
}

export interface PlayerOptions {
  /** Called with each pair when its tone starts, and with undefined when all tones sound together. */
  onToneStart(pair: number | undefined): void;
  onEnd(): void;
}

/** Must be called in a handler of a click or key event, because browsers block sound otherwise. */
export function createPlayer(hertz: ArrayLike<number>, { onToneStart, onEnd }: PlayerOptions): Player {
  const context = new AudioContext();
  const voice = createVoice(context, hertz);
  const startTime = context.currentTime;
  let frameRequest = 0;
  let lastPair: number | undefined;
  let isGliding = false;
  const reportStartedPair = (): void => {
    const now = context.currentTime;
    if (now - startTime > MAX_SECONDS) {
      onEnd();
      return;
    }
    const { toneStarts } = voice;
    const index = toneStarts.findLastIndex(({ time }) => time <= now);
    // All tones sound together half a second after the start of the last tone.
    const isChord = isGliding || (index === toneStarts.length - 1 && now - (toneStarts[index]?.time ?? 0) > 0.5);
    const pair = isChord ? undefined : toneStarts[index]?.pair;
    if (pair !== lastPair) onToneStart(pair);
    lastPair = pair;
    frameRequest = requestAnimationFrame(reportStartedPair);
  };
  frameRequest = requestAnimationFrame(reportStartedPair);
  return {
    glide(next) {
      isGliding = true;
      voice.glide(next);
    },
    end() {
      cancelAnimationFrame(frameRequest);
      const silentTime = voice.end();
      setTimeout(() => void context.close(), 1000 * (silentTime - context.currentTime) + 50);
    },
  };
}
