// Statements of the chapters about the literature: values that depend on definitions, and attributions.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { explainBias, principalComponents } from '../../web/engine/analysis.ts';
import { phasor } from './kinds/sentence-means.ts';
import { context } from './read-book.ts';

const folder = 'web/book/chapters';
const names = readdirSync(folder);
const text = (number: string): string => readFileSync(`${folder}/${names.find((name) => name.startsWith(`${number}-`))}`, 'utf8');
const evaluate = await context.core.evaluator([], new Map());
const computeValue = async (source: string): Promise<number> => Number((await evaluate(source)).value);
const appendix = readFileSync('web/book/pages/inside-phasor.md', 'utf8');

describe('chapter 5', () => {
  it('counts the principal components that explain 99.9% of the variance, for three lengths', () => {
    const counted = [...text('05').matchAll(/^const spread\d+ = .*length: (\d+), dim: 512 \}\), components: (\d+) \}/gm)].map(
      ([, length, components]) => [Number(length), Number(components)],
    );
    expect(counted.map(([length]) => length)).toEqual([50, 512, 2048]);
    for (const [length, components] of counted as [number, number][]) {
      const table = phasor.positionTable({ encoding: 'sinusoidal', length, dim: 512 });
      const ratios = principalComponents(phasor, { table, components }).explainedVarianceRatio.data;
      const explainedShare = ratios.reduce((sum, share) => sum + share, 0);
      expect(explainedShare, `${length}`).toBeGreaterThan(0.999);
      expect(explainedShare - (ratios[components - 1] as number), `${length}`).toBeLessThan(0.999);
    }
    expect(text('05').match(/^\| [\d,]+ \| \d+ \|/gm)).toEqual(['| 50 | 17 |', '| 512 | 116 |', '| 2,048 | 193 |']);
    expect(counted.map(([, components]) => components)).toEqual([17, 116, 193]);
  });
});

describe('chapter 12 and the appendix on Phasor', () => {
  const [width, base, length, factor] = [128, 10_000, 4096, 8];
  const pairs = Array.from({ length: width / 2 }, (_, pair) => base ** ((-2 * pair) / width));
  const turns = pairs.map((frequency) => (length * frequency) / (2 * Math.PI));
  const blend = (share: (pair: number) => number) =>
    pairs.map((frequency, pair) => {
      const interpolated = Math.min(1, Math.max(0, share(pair)));
      return frequency * (1 - interpolated) + (frequency / factor) * interpolated;
    });
  // Peng et al. (2023), definition 2, with alpha = 1 and beta = 32.
  const expectedRamp = blend((pair) => 1 - ((turns[pair] as number) - 1) / 31);
  // jquesnelle/yarn, find_correction_range and linear_ramp_mask.
  const correctionDim = (times: number) => (width * Math.log(length / (times * 2 * Math.PI))) / (2 * Math.log(base));
  const [first, last] = [Math.floor(correctionDim(32)), Math.ceil(correctionDim(1))];
  const code = blend((pair) => (pair - first) / (last - first));
  const requests = (page: string) =>
    Object.fromEntries(
      [...page.matchAll(/^const (yarn|byTurns) = ropeFrequencies\(\{ encoding: (\{.*\}), dim: 128 \}\);$/gm)].map(([, name, encoding]) => [
        name,
        phasor.ropeFrequencies({
          dim: width,
          encoding: JSON.parse((encoding as string).replaceAll(/(\w+):/g, '"$1":').replaceAll("'", '"')),
        }).invFreq.data,
      ]),
    );

  it.each([
    ['chapter 12', text('12')],
    ['the appendix', appendix],
  ])('%s computes YaRN with the ramp of the paper and with that of the released code', (_, page) => {
    const { yarn, byTurns } = requests(page);
    pairs.forEach((_, pair) => {
      expect(Math.abs((byTurns?.[pair] as number) / (expectedRamp[pair] as number) - 1), `the paper, pair ${pair}`).toBeLessThan(1e-6);
      expect(Math.abs((yarn?.[pair] as number) / (code[pair] as number) - 1), `the code, pair ${pair}`).toBeLessThan(1e-6);
    });
    expect(page).toMatch(/at\(byTurns\.invFreq, 29\)/);
    expect(page).toMatch(/at\(yarn\.invFreq, 29\)/);
  });

  it('states in chapter 12 how much either ramp interpolates pair 29', () => {
    expect([first, last]).toEqual([20, 46]);
    expect(text('12')).toContain('$g_{29} = 9/26$');
    expect(((32 - (turns[29] as number)) / 31).toFixed(3)).toBe('0.708');
    expect(text('12')).toContain('0.708$');
  });
});

describe('chapter 9', () => {
  it('rotates a key so that its highest score is at distance 20 instead of 0', () => {
    const width = 128;
    const ones = { shape: [1, 1, width], data: new Float32Array(width).fill(1) };
    const bestDistance = (key: Float32Array): number => {
      const distances = Array.from({ length: 1000 }, (_, distance) => distance);
      const { scores } = phasor.attention({
        q: ones,
        k: { shape: [1, distances.length, width], data: key, strides: [0, 0, 1] },
        v: { shape: [1, distances.length, 1], data: new Float32Array(distances.length) },
        encoding: 'rope',
        queryPositions: [1000],
        keyPositions: distances.map((distance) => 1000 - distance),
        outputs: ['scores'],
      });
      return (scores as { data: Float32Array }).data.reduce(
        (at, score, distance, source) => (score > (source[at] as number) ? distance : at),
        0,
      );
    };
    expect(bestDistance(ones.data)).toBe(0);
    expect(bestDistance(phasor.applyRotary(ones, { encoding: 'rope', positions: [20] }).data as Float32Array)).toBe(20);
    expect(text('09')).toContain('rotate that key by 20 positions');
  });
});

describe('chapter 8', () => {
  // The first of the 16 buckets on the right would be distance 0, which belongs to the left.
  it('counts the buckets of T5: 16 left and 15 right in the encoder, 32 left in the decoder', () => {
    const q = { shape: [1, 1, 1], data: new Float32Array(1) };
    const k = { shape: [1, 401, 1], data: new Float32Array(401) };
    const buckets = (bidirectional: boolean, keys: number[]) =>
      new Set(
        keys.map((key) => {
          const { names, values } = explainBias(phasor, {
            q,
            k,
            encoding: { id: 't5', bidirectional },
            query: 0,
            key,
            positionOffset: 200,
          });
          return (values as { data: Float32Array }).data[names.indexOf('bucket')];
        }),
      ).size;
    const [left, right] = [Array.from({ length: 201 }, (_, key) => key), Array.from({ length: 200 }, (_, key) => key + 201)];
    expect([buckets(true, left), buckets(true, right), buckets(false, left)]).toEqual([16, 15, 32]);
    expect(text('08')).toMatch(/In the encoder 16 .* in the decoder, .* all 32 are for the left/);
  });
});

describe('chapter 13', () => {
  it('compares M-RoPE and RoPE angles of the same base', () => {
    const bases = [...text('13').matchAll(/^const (?:among|alone|word) = rotaryAngles\(\{ encoding: \{ id: 'm?rope', base: (\d+) \}/gm)];
    expect(bases.map(([, base]) => base)).toEqual(['1000000', '1000000', '1000000']);
    expect(text('13')).toContain('base of 1,000,000');
  });
});

describe('chapter 15', () => {
  it('finds no attention sink in the small model, and names the heads with the extreme weights of the first character', async () => {
    const ratios = await Promise.all(
      Array.from({ length: 8 }, (_, head) =>
        computeValue(
          `at((await figure({ kind: 'inside', encoding: 'rope', text: 'He delighted in going to Pemberley.' })).first, ${head})`,
        ),
      ),
    );
    const uniformShare = Array.from({ length: 35 }, (_, query) => 1 / (35 * (query + 1))).reduce((sum, share) => sum + share);
    expect([Math.max(...ratios), Math.min(...ratios)]).toEqual([ratios[0], ratios[6]]);
    expect(Math.max(...ratios)).toBeLessThan(uniformShare);
    expect(text('15')).toMatch(
      /between \{\{core: percent\(at\(figures\.sinkless\.first, 6\)\)\}\} and \{\{core: percent\(at\(figures\.sinkless\.first, 0\)\)\}\}/,
    );
  });
});

describe('chapter 17', () => {
  // Lengths of the recorded runs: 8, 16, 24, 32, 33, 36, 40, 48, 64, 96, 128, 192, 256.
  it.each([
    ['a learned table', 0, 5],
    ['RoPE', 1, 8],
    ['T5’s bias', 2, 11],
  ])('states the effective length of %s', async (_, line, length) => {
    const score = (at: number) =>
      computeValue(
        `at((await figure({ kind: 'extrapolation', task: 'copy', metric: 'whole_text', encodings: 'learned, rope, t5', beyond: 'untrained' })).score, ${line}, ${at})`,
      );
    expect(await score(length)).toBeGreaterThanOrEqual(0.85 * (await score(3)));
    expect(await score(length + 1)).toBeLessThan(0.85 * (await score(3)));
    expect(text('17')).toContain(`percent(at(figures.effective.score, ${line}, ${length}))`);
  });
});

describe('attributions', () => {
  it.each([
    ['01', 'https://huggingface.co/blog/designing-positional-encoding', /Fleetwood/],
    ['09', 'https://arxiv.org/abs/2104.09864v1', /first version/],
    ['10', 'https://arxiv.org/abs/1905.04226', /Irie/],
    ['11', 'https://arxiv.org/abs/2311.00684', /Chi, Fan and Rudnicky/],
    ['11', 'https://arxiv.org/abs/2404.12224', /Wang/],
    ['11', 'https://arxiv.org/abs/2104.09864v1', /first version/],
    ['12', 'https://kaiokendev.github.io/til#extending-context-to-8k', /kaiokendev/],
    ['12', 'https://www.reddit.com/r/LocalLLaMA/comments/14lz7j5/', /bloc97/],
    ['12', 'https://kexue.fm/archives/9675', /Su’s blog/],
    ['12', 'https://arxiv.org/abs/2308.12950', /Code Llama/],
    ['12', 'https://arxiv.org/abs/2407.10671', /Qwen2/],
    ['14', 'https://arxiv.org/abs/2411.13476', /bfloat16/],
    ['14', 'https://arxiv.org/abs/2403.19887', /Mamba layers/],
    ['13', 'https://arxiv.org/abs/2409.12191', /M-RoPE/],
    ['13', 'https://arxiv.org/abs/2502.05173', /VideoRoPE/],
    ['15', 'https://arxiv.org/abs/2309.17453', /Xiao et al\. \(2023\) call it an \*attention sink\*/],
    ['15', 'https://arxiv.org/abs/2501.18795', /Yang et al\. \(2025\), who compared/],
    ['15', 'https://arxiv.org/abs/2410.10781', /Gu et al\. \(2024\) say/],
    ['17', 'https://arxiv.org/abs/2405.04434', /DeepSeek-V2/],
    ['17', 'https://arxiv.org/abs/2404.06654', /RULER/],
    ['17', 'https://arxiv.org/abs/2502.05167', /NoLiMa/],
  ])('chapter %s names the work and links to %s', (number, link, name) => {
    expect(text(number)).toContain(link);
    expect(text(number)).toMatch(name);
  });

  it('chapters contain none of the corrected statements', () => {
    const source = names.map((name) => readFileSync(`${folder}/${name}`, 'utf8')).join('\n');
    expect(source).not.toMatch(/no experiment that isolates|abstract promises any length|abstract says as much|Almost 500 directions/);
  });
});
