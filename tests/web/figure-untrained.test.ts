// Pictures with random instead of learned values have a note that says so.
import { describe, expect, it } from 'vitest';
import { kinds } from '../../web/figure/contract/all-kinds.ts';
import { readSpec } from '../../web/figure/contract/spec.ts';
import { drawScene, formatUntrainedNote } from '../../web/figure/contract/untrained.ts';
import { phasor } from './kinds/table-figures.ts';

const noteOf = (id: string, provided: object): string | undefined => {
  const kind = kinds[id];
  if (!kind) throw new Error(id);
  return formatUntrainedNote(kind, readSpec(kind, provided as never), phasor.encodings);
};

describe('untrained note', () => {
  it('is derived from the parameters that the core declares', () => {
    expect(noteOf('curve', { encoding: 't5 seed=3' })).toBe('Untrained: random values (seed 3).');
    expect(noteOf('table', { encoding: 'learned' })).toMatch(/^Untrained: random values \(seed \d+\)\.$/);
    expect(noteOf('compare', { encoding: 'rope', other: 't5' })).toMatch(/^Untrained: random values of t5 \(seed \d+\)\.$/);
  });

  it('is omitted if nothing is learned or the values are provided', () => {
    for (const encoding of ['alibi', 't5 table=0.5,0.25,1']) expect(noteOf('curve', { encoding })).toBeUndefined();
    expect(noteOf('table', { encoding: 'sinusoidal' })).toBeUndefined();
  });

  it('is drawn below the picture, within the available height', () => {
    const kind = kinds.curve;
    if (!kind) throw new Error('curve');
    const spec = readSpec(kind, { encoding: 't5' });
    const results = {
      curves: { shape: [4, 64], data: new Float32Array(256).map((_, index) => index % 7) },
      query: 32,
      spread: 0,
      entries: { why: 'none' },
    };
    const frame = { width: 600, maxHeight: 300, theme: 'light' } as const;
    const { picture } = drawScene(kind, { results, spec }, frame, phasor.encodings);
    expect(picture.marks.at(-1)).toMatchObject({ kind: 'text', size: 13, text: expect.stringMatching(/^Untrained/) });
    expect(picture.description).toContain('Untrained');
    expect(picture.height).toBeLessThanOrEqual(Math.max(300, kind.scene(results, spec, frame).picture.height));
  });
});
