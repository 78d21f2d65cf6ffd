// Values in descriptions of encodings, checked by the core.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { description as circle } from '../../web/encodings/sin_cos.ts';
import { description as sine } from '../../web/encodings/sine.ts';
import { phasor } from './kinds/sentence-means.ts';

/** The smallest and largest Euclidean distance of rows that are `offset` positions apart. */
function distanceRange(id: string, width: number, offset: number): { readonly minimum: number; readonly maximum: number } {
  const length = 1500;
  const { data } = phasor.positionTable({ encoding: id, length, dim: width });
  const distances = Array.from({ length: length - offset }, (_, position) =>
    Math.hypot(
      ...Array.from({ length: width }, (_, channel) => {
        const [here, there] = [position, position + offset].map((row) => data[row * width + channel] as number) as [number, number];
        return there - here;
      }),
    ),
  );
  return { minimum: Math.min(...distances), maximum: Math.max(...distances) };
}

describe('encoding description', () => {
  it('states when the circle of sine and cosine nearly repeats', () => {
    expect(circle.summary).toContain('no position repeats exactly, but 44 words later the point is back to within 0.02');
    for (let offset = 1; offset < 44; offset++) expect(distanceRange('sin_cos', 2, offset).minimum, `${offset}`).toBeGreaterThan(0.02);
    expect(distanceRange('sin_cos', 2, 44).maximum).toBeLessThan(0.02);
    expect(distanceRange('sin_cos', 2, 44).minimum).toBeGreaterThan(0);
  });

  it('states how close two values of one sine come', () => {
    expect(sine.note).toMatch(
      /positions 8 and 14 are only 0\.00125 apart\. Every value nearly repeats: after 44 words to within 0\.02, after 710 words to within 0\.0001\./,
    );
    const { data } = phasor.positionTable({ encoding: 'sine', length: 15, dim: 1 });
    expect(Math.abs((data[14] as number) - (data[8] as number))).toBeCloseTo(0.00125, 5);
    for (let offset = 1; offset < 44; offset++) expect(distanceRange('sine', 1, offset).maximum, `${offset}`).toBeGreaterThan(0.02);
    expect(distanceRange('sine', 1, 44).maximum).toBeLessThan(0.02);
    expect(distanceRange('sine', 1, 710).maximum).toBeLessThan(0.0001);
  });

  it('writes frequencies with theta, as the book does', () => {
    const files = readdirSync('web/encodings').filter((name) => name.endsWith('.ts'));
    const texts = files.map((name) => readFileSync(`web/encodings/${name}`, 'utf8'));
    expect(texts.filter((text) => /\\omega|ω/.test(text))).toEqual([]);
    expect(texts.filter((text) => text.includes('\\theta_t')).length).toBeGreaterThan(3);
  });
});
