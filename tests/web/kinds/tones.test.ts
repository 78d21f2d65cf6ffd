// Rotary pairs as tones: their frequencies, how tokens sample them, and the voice that plays them.
import { describe, expect, it } from 'vitest';
import { kind } from '../../../web/figure/kinds/tones/index.ts';
import { findCommonInterval, findNearestNote, isAudible } from '../../../web/figure/kinds/tones/pitch.ts';
import { createVoice } from '../../../web/figure/kinds/tones/voice.ts';
import { expectAnswering, expectProgram, figureOf } from './table-figures.ts';

describe('tones figure', () => {
  it('has tones a fourth apart, from A7 down, in heads of 64 channels', async () => {
    const { results, readout, proof } = await figureOf(kind);
    for (let pair = 0; pair < 32; pair++) {
      const hertz = (22_117 * 10_000 ** (-pair / 32)) / (2 * Math.PI);
      expect(results.heardFrequencies[pair] / hertz).toBeCloseTo(1, 5);
    }
    expect(readout()).toBe(
      '18 tones from 26.4 Hz to 3,520 Hz; 14 pairs cannot be heard; neighbouring pairs are 4.98 semitones apart: a fourth',
    );
    expect(readout({ pair: 0 })).toBe('Pair 0: 3,520 Hz, A7');
    expect(readout({ pair: 31 })).toBe('Pair 31: 0.469 Hz, too slow to hear');
    expect(readout({ pair: 32 })).toBe(readout());
    expect(proof().good, String(proof().residual)).toBe(true);
  });

  it('lowers tones by two octaves if positions are divided by 4, except the fast ones of YaRN', async () => {
    const linear = await figureOf(kind, { encoding: 'rope scaling=linear factor=4' });
    for (const pair of [0, 7, 31])
      expect(linear.results.heardFrequencies[pair] / linear.results.trainedFrequencies[pair]).toBeCloseTo(0.25, 6);
    expect(linear.readout({ pair: 0 })).toBe('Pair 0: 880 Hz, A5; as trained 3,520 Hz');
    const yarn = await figureOf(kind, { encoding: 'rope scaling=yarn factor=4' });
    expect(yarn.results.heardFrequencies[0]).toBe(yarn.results.trainedFrequencies[0]);
    expect(yarn.results.heardFrequencies[31] / yarn.results.trainedFrequencies[31]).toBeCloseTo(0.25, 6);
    expect(yarn.readout()).not.toContain('apart');
    for (const figure of [linear, yarn]) expect(figure.proof().good).toBe(true);
  });

  it('aliases the tone of a pair that rotates by more than half a rotation between tokens', async () => {
    const figure = await figureOf(kind, { step: 4 });
    // 4 rad per token looks like a rotation by 2 pi - 4 in the other direction.
    expect(figure.results.heardFrequencies[0]).toBeCloseTo(((2 * Math.PI - 4) * 22_117) / (2 * Math.PI), 1);
    expect(figure.results.unsampledFrequencies[0]).toBeCloseTo((4 * 22_117) / (2 * Math.PI), 1);
    expect(figure.results.heardFrequencies[1] / figure.results.trainedFrequencies[1]).toBeCloseTo(4, 5);
    expect(figure.readout({ pair: 0 })).toContain('tokens are too far apart to show it');
    for (const step of [1, 2, 3, 7, 64]) {
      const { proof, results } = await figureOf(kind, { step });
      expect(proof().good, `${step}: ${proof().residual}`).toBe(true);
      expect(Math.max(...results.heardFrequencies)).toBeLessThanOrEqual(22_117 / 2);
    }
  });

  it('fails its proof if the first tokens rotate at other speeds', async () => {
    const { proof } = await figureOf(kind, {
      encoding: 'rope scaling=longrope factor=4 start_tokens=4 original_length=4 sequence_length=32',
    });
    expect(proof().good).toBe(false);
  });

  it('responds to the pointer and arrow keys at any width', async () => {
    for (const input of [
      {},
      { encoding: 'rope scaling=yarn factor=4' },
      { dim: 2 },
      { dim: 256, step: 64 },
      { encoding: 'rope rotary_fraction=0.5' },
    ])
      for (const width of [1440, 700, 330]) {
        const { scene } = await figureOf(kind, input);
        expectAnswering(scene(width), width);
      }
  });

  it('uses the full height without controls', async () => {
    const { results } = await figureOf(kind);
    const { picture } = kind.scene(results, {} as never, { width: 700, maxHeight: 300, theme: 'light' });
    expect(picture.height).toBe(230);
  });

  it('reports that no tone is audible', async () => {
    expect((await figureOf(kind, { rate: 100, dim: 4 })).readout()).toBe(
      'No pair can be heard; neighbouring pairs are 79.7 semitones apart',
    );
  });

  it.each([
    [{ encoding: 'alibi' }, /^encoding: /],
    [{ step: 0 }, 'step: 0 is outside 1 to 64'],
    [{ rate: 1e9 }, /^rate: /],
    [{ dim: 3 }, /dim/],
  ])('rejects %j with one sentence', async (input, sentence) => {
    await expect(figureOf(kind, input)).rejects.toThrow(sentence);
  });

  it.each([{}, { encoding: 'rope base=500000 scaling=ntk_aware factor=4', dim: 128 }, { step: 9, dim: 8 }])(
    'exports a program that computes the same values: %j',
    async (input) => {
      await expectProgram(await figureOf(kind, input));
    },
  );
});

describe('pitch', () => {
  it('names notes, audible frequencies and intervals', () => {
    expect([440, 3520, 261.63, 27.5, 30.87, 466.16].map(findNearestNote)).toEqual(['A4', 'A7', 'C4', 'A0', 'B0', 'A♯4']);
    expect([19, 20, 16_000, 16_001].map(isAudible)).toEqual([false, true, true, false]);
    expect(findCommonInterval([600, 400, 400 / 1.5])?.name).toBe('a fifth');
    expect(findCommonInterval([880, 440])?.name).toBe('an octave');
    expect(findCommonInterval([450, 400])?.name).toBe('a major second');
    expect(findCommonInterval([1154.8, 1000])?.name).toBeUndefined();
    expect(findCommonInterval([1200, 600, 400])).toBeUndefined();
  });
});

function recordingContext() {
  const param = (name: string) => ({
    value: 0,
    log: [] as (readonly [string, ...number[]])[],
    setTargetAtTime(...values: number[]) {
      this.log.push([name, ...values]);
    },
    cancelScheduledValues() {
      this.log.length = 0;
    },
  });
  const oscillators: { frequency: ReturnType<typeof param>; stopped: number; loudness?: { gain: ReturnType<typeof param> } }[] = [];
  const context = {
    currentTime: 1,
    destination: {},
    createGain: () => ({ gain: param('gain'), connect() {} }),
    createOscillator() {
      const made = {
        frequency: param('frequency'),
        stopped: Number.NaN,
        connect(destination: { gain: ReturnType<typeof param> }) {
          Object.assign(made, { loudness: destination });
        },
        start() {},
        stop(time: number) {
          made.stopped = time;
        },
      };
      oscillators.push(made);
      return made;
    },
  };
  return { context: context as unknown as BaseAudioContext, oscillators };
}

describe('createVoice', () => {
  it('starts audible tones from the lowest up, and plays lower ones louder', () => {
    const { context, oscillators } = recordingContext();
    const hertz = [20_000, 3000, 1000, 100, 3, 0];
    const { toneStarts: starts } = createVoice(context, hertz);
    expect(starts.map(({ pair }) => pair)).toEqual([3, 2, 1]);
    const times = starts.map(({ time }) => time);
    expect([...times].sort((a, b) => a - b)).toEqual(times);
    expect(oscillators.map(({ frequency }) => frequency.value)).toEqual([0, 3000, 1000, 100, 0, 0]);
    const levels = oscillators.map(({ loudness }) => loudness?.gain.log.at(-1)?.[1] ?? 0);
    expect(levels.map((level) => level > 0)).toEqual([false, true, true, true, false, false]);
    expect(levels[3]).toBeGreaterThan(levels[1] as number);
  });

  it('glides to other tones, silences inaudible ones, and stops all at the end', () => {
    const { context, oscillators } = recordingContext();
    const voice = createVoice(context, [400, 200, 10]);
    voice.glide([100, 5, 40]);
    expect(oscillators.map(({ frequency }) => frequency.log.at(-1)?.[1])).toEqual([100, 5, 40]);
    expect(oscillators.map(({ loudness }) => (loudness?.gain.log.at(-1)?.[1] ?? 0) > 0)).toEqual([true, false, true]);
    const silent = voice.end();
    expect(silent).toBeGreaterThan(1);
    expect(oscillators.map(({ stopped }) => stopped)).toEqual([silent, silent, silent]);
  });
});
