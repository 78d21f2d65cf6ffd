import { describe, expect, it } from 'vitest';
import type { Cursor } from '../../../web/charts/scene.ts';
import { printLink, type RawFields, readSpec } from '../../../web/figure/contract/spec.ts';
import { kind } from '../../../web/figure/kinds/curve/index.ts';
import { expectAnswering, expectProgram, figureOf } from './table-figures.ts';

describe('curve figure', () => {
  it('shows ALiBi as lines with the slope of each head', async () => {
    const { results } = await figureOf(kind, { encoding: 'alibi', heads: 8, length: 33 });
    for (let head = 0; head < 8; head++)
      for (let key = 0; key < 33; key++)
        expect(results.curves.data[head * 33 + key]).toBeCloseTo(-(2 ** -(head + 1)) * Math.abs(key - 16), 5);
  });

  it.each([
    ['alibi', true],
    ['t5', true],
    ['kerple', true],
    ['fire', true],
    // For queries beyond init_l, FIRE divides by the position of the query.
    ['fire init_l=8', false],
    ['shaw', false],
    ['deberta', false],
  ])('reports for %s whether the bias depends only on distance', async (encoding, good) => {
    const proof = (await figureOf(kind, { encoding })).proof();
    expect(proof.good, `${proof.residual}`).toBe(good);
    expect(proof.conclusion).toMatch(good ? /^The bias depends only on/ : /^The bias does not depend only on/);
  });

  it.each([{}, { length: 1, heads: 1 }, { encoding: 'shaw', heads: 16 }])(
    'finds the mark under the pointer and moves with the arrow keys: case %#',
    async (fields) => {
      const figure = await figureOf(kind, fields);
      expectAnswering(figure.scene(), 700);
      expectAnswering(figure.scene(330), 330);
    },
  );

  describe('dragging', () => {
    /** Drags the point at a cursor to a value, and returns the figures before and after. */
    const dragPoint = async (input: RawFields, cursor: Cursor, value: number) => {
      const before = await figureOf(kind, input);
      const fields = kind.dragging?.fields(before.results, before.spec as never, cursor, value);
      expect(fields).toMatchObject({ heads: before.spec.heads });
      // Fields pass through their text form, as in links and tags.
      const spec = readSpec(kind, { ...before.spec, ...fields });
      const link = Object.fromEntries(new URLSearchParams(printLink(kind, spec)));
      delete link.kind;
      return { before, after: await figureOf(kind, link) };
    };
    const biasAt = ({ results, spec }: Awaited<ReturnType<typeof figureOf>>, { distance = 0, head = 0 }: Cursor): number =>
      results.curves.data[head * Number(spec.length) + results.query + distance];

    it.each([
      ['alibi', { distance: -4, head: 2 }, -2],
      ['alibi form=half_heads', { distance: 4, head: 3 }, -1],
      ['alibi form=mpt', { distance: 0, head: 1 }, -31],
      ['alibi right_factor=3', { distance: 5, head: 0 }, -3],
      ['alibi bias_max=2', { distance: 5, head: 0 }, 3],
      ['kerple', { distance: 9, head: 1 }, -2.5],
      ['t5', { distance: 20, head: 3 }, 1.5],
      ['t5 multiplier=8 bidirectional=false', { distance: -9, head: 0 }, 4],
      ['relative_bias max_length=64', { distance: -3, head: 1 }, 0.75],
      ['relative_bias max_length=64 per_head=true', { distance: -3, head: 1 }, 0.75],
      ['relative_bias max_length=64 placement=inside', { distance: 0, head: 0 }, 2],
    ])('sets the bias of %s to the value under the pointer', async (encoding, cursor, value) => {
      const { before, after } = await dragPoint({ encoding }, cursor, value);
      expect(biasAt(before, cursor)).not.toBeCloseTo(value, 1);
      expect(Math.abs(biasAt(after, cursor) - value)).toBeLessThan(2e-3 * Math.abs(value));
      expect(after.readout(cursor)).toMatch(/ (slope|r1|bucket \d+|table entry \d+) −?[\d.]+$/);
    });

    it('changes only one slope of ALiBi and one bucket of T5', async () => {
      const alibiDrag = await dragPoint({ encoding: 'alibi', heads: 3 }, { distance: 10, head: 1 }, -20);
      const t5Drag = await dragPoint({ encoding: 't5', heads: 3 }, { distance: 10, head: 1 }, 3);
      for (let head = 0; head < 3; head++)
        for (let distance = -32; distance < 32; distance++) {
          const cursor = { distance, head };
          expect(biasAt(alibiDrag.after, cursor)).toBeCloseTo(head === 1 ? -2 * Math.abs(distance) : biasAt(alibiDrag.before, cursor), 5);
          // Distances 8 to 11 share a bucket of T5.
          const isBucket = head === 1 && distance >= 8 && distance <= 11;
          expect(biasAt(t5Drag.after, cursor)).toBeCloseTo(isBucket ? 3 : biasAt(t5Drag.before, cursor), 5);
        }
    });

    it('sets no value that no parameter controls, and explains why', async () => {
      const alibiFigure = await figureOf(kind, { encoding: 'alibi' });
      expect(kind.dragging?.fields(alibiFigure.results, alibiFigure.spec as never, { distance: 0, head: 0 }, 1)).toBeUndefined();
      expect(kind.dragging?.fields(alibiFigure.results, alibiFigure.spec as never, { distance: 3 }, 1)).toBeUndefined();
      for (const encoding of [
        'proximal',
        'sandwich',
        'fire',
        'shaw',
        'deberta',
        'cope',
        'transformer_xl',
        'kerple form=weighted_power',
        'relative_bias',
      ]) {
        const { results, spec } = await figureOf(kind, { encoding });
        expect(kind.dragging?.fields(results, spec as never, { distance: 3, head: 0 }, 1)).toBeUndefined();
        expect(kind.dragging?.hint(results, spec as never)).toMatch(
          encoding === 'relative_bias' ? /^The table has 4,095 values/ : /so (it|its points) cannot be dragged/,
        );
        expect(kind.actions?.(results, spec as never)).toEqual([]);
      }
    });

    it('changes the vectors of Shaw if a head has one channel', async () => {
      const cursor = { distance: 3, head: 1 };
      const { before, after } = await dragPoint({ encoding: 'shaw clip=8', dim: 1 }, cursor, 0.5);
      expect(biasAt(after, cursor)).toBeCloseTo(0.5, 3);
      expect(biasAt(after, { distance: 4, head: 1 })).toBeCloseTo(biasAt(before, { distance: 4, head: 1 }), 5);
    });

    it('is reset to the values of the encoding by an action', async () => {
      const { before, after } = await dragPoint({ encoding: 'alibi form=causal' }, { distance: -4, head: 2 }, -2);
      expect(kind.actions?.(before.results, before.spec as never)[0]?.disabled).toBe(true);
      const [reset] = kind.actions?.(after.results, after.spec as never) ?? [];
      expect(reset).toMatchObject({ label: 'Default values', disabled: false });
      expect(reset?.fields({})).toEqual({ encoding: { id: 'alibi', form: 'causal' } });
      // Values of the page have priority; those of another encoding are ignored.
      for (const fields of ['alibi slopes=1,2,3,4', { id: 'alibi', slopes: { shape: [4], data: Float32Array.of(1, 2, 3, 4) } }]) {
        const [action] = kind.actions?.(after.results, after.spec as never, { encoding: fields }) ?? [];
        expect([action?.label, action?.fields({})]).toEqual(['Reset', { encoding: fields }]);
      }
      expect(kind.actions?.(after.results, after.spec as never, { encoding: 't5' })[0]?.label).toBe('Default values');
      expect(kind.actions?.(before.results, before.spec as never)[0]?.fields({})).toEqual({ encoding: before.spec.encoding });
    });

    it('keeps the axis fixed, and has no handle outside of it', async () => {
      const { results, spec } = await figureOf(kind, { encoding: 'alibi' });
      const frame = { width: 700, theme: 'light' } as const;
      const grip = kind.scene(results, spec as never, frame).dragHandle?.({ distance: -4, head: 0 });
      expect(grip?.value).toBe(-1);
      expect(grip?.valueAt(grip.y)).toBeCloseTo(-1, 6);
      expect(grip?.valueAt(1e9)).toBeLessThan(-8);
      expect(grip?.step).toBeGreaterThan(0);
      const { after } = await dragPoint({ encoding: 'alibi' }, { distance: -4, head: 0 }, -16);
      const held = kind.scene(after.results, after.spec as never, { ...frame, dragRange: grip?.range });
      expect(held.dragHandle?.({ distance: 0, head: 0 })?.range).toEqual(grip?.range);
      expect(held.dragHandle?.({ distance: -30, head: 0 })).toBeUndefined();
    });
  });

  it('exports a program that computes the same values', async () => {
    for (const encoding of ['alibi', 'alibi slopes=1,0.5,0.25,0.125', 'shaw']) await expectProgram(await figureOf(kind, { encoding }));
  });

  it('rejects a field that is not a number', async () => {
    await expect(figureOf(kind, { heads: 'NaN' })).rejects.toThrow(/^heads: “NaN” is not a number$/);
  });
});
