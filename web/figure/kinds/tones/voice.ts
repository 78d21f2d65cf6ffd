// Plays tones that start one after another and then sound together, with Web Audio. Each pair has an oscillator, so
// that its tone can glide to another frequency.
import { isAudible } from './pitch.ts';

/** Time between the starts of consecutive tones, s. */
const START_INTERVAL_SECONDS = 0.16;
/** Time constants in s: attack, decay to the sustained level, release, and glide to another frequency. */
const [ATTACK_SECONDS, DECAY_SECONDS, RELEASE_SECONDS, GLIDE_SECONDS] = [0.012, 0.5, 0.08, 0.2];
const VOLUME = 0.5;
/**
 * A tone's level is (REFERENCE_HERTZ / frequency) ** LEVEL_EXPONENT, because low tones need a higher level to sound
 * equally loud.
 */
const [LEVEL_EXPONENT, REFERENCE_HERTZ] = [0.4, 220];

export interface Voice {
  /** The start time of each audible tone in the audio context, s. The tones of slow pairs start first. */
  readonly toneStarts: readonly { readonly pair: number; readonly time: number }[];
  glide(hertz: ArrayLike<number>): void;
  /** Fades all tones out. @returns the audio context time at which the voice is silent */
  end(): number;
}

/** @param hertz the frequency of each tone, fastest pair first; tones outside the audible range are silent */
export function createVoice(context: BaseAudioContext, hertz: ArrayLike<number>): Voice {
  const frequencies = Array.from(hertz);
  const computeLevel = (frequency: number, count: number): number =>
    isAudible(frequency) ? Math.min(1, (REFERENCE_HERTZ / frequency) ** LEVEL_EXPONENT) / Math.sqrt(Math.max(1, count)) : 0;
  const countAudible = (values: readonly number[]): number => values.filter(isAudible).length;
  const masterGain = context.createGain();
  masterGain.gain.value = VOLUME;
  masterGain.connect(context.destination);
  const startTime = context.currentTime + 0.05;
  const toneStarts = frequencies
    .map((frequency, pair) => ({ frequency, pair }))
    .filter(({ frequency }) => isAudible(frequency))
    .reverse()
    .map(({ pair }, index) => ({ pair, time: startTime + index * START_INTERVAL_SECONDS }));
  const toneNodes = frequencies.map((frequency, pair) => {
    const oscillator = context.createOscillator();
    const loudness = context.createGain();
    oscillator.frequency.value = isAudible(frequency) ? frequency : 0;
    loudness.gain.value = 0;
    oscillator.connect(loudness);
    loudness.connect(masterGain);
    const toneStart = toneStarts.find((candidate) => candidate.pair === pair);
    if (toneStart) {
      const level = computeLevel(frequency, countAudible(frequencies));
      // Each tone is loudest at its start, like the tone of a string.
      loudness.gain.setTargetAtTime(Math.min(1, 2.5 * level), toneStart.time, ATTACK_SECONDS);
      loudness.gain.setTargetAtTime(level, toneStart.time + 5 * ATTACK_SECONDS, DECAY_SECONDS);
    }
    oscillator.start(startTime);
    return { oscillator, loudness };
  });
  return {
    toneStarts,
    glide(next) {
      const now = context.currentTime;
      const values = Array.from(next);
      toneNodes.forEach(({ oscillator, loudness }, pair) => {
        const frequency = values[pair] ?? 0;
        loudness.gain.cancelScheduledValues(now);
        loudness.gain.setTargetAtTime(computeLevel(frequency, countAudible(values)), now, GLIDE_SECONDS);
        if (frequency > 0) oscillator.frequency.setTargetAtTime(frequency, now, GLIDE_SECONDS);
      });
    },
    end() {
      const now = context.currentTime;
      const silentTime = now + 6 * RELEASE_SECONDS;
      masterGain.gain.setTargetAtTime(0, now, RELEASE_SECONDS);
      for (const { oscillator } of toneNodes) oscillator.stop(silentTime);
      return silentTime;
    },
  };
}
