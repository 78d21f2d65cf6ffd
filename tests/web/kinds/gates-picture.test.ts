// The picture of forget gates: layout, dragging, arrow keys, and strings.
import { describe, expect, it } from 'vitest';
import type { Cursor } from '../../../web/charts/scene.ts';
import { printLink, readSpec } from '../../../web/figure/contract/spec.ts';
import { kind } from '../../../web/figure/kinds/gates/index.ts';
import { FRAME, figureOf } from './sentence-means.ts';

describe('gates figure, picture', () => {
  describe('dragging', () => {
    const dragGate = async (input: object, cursor: Cursor, value: number) => {
      const { spec, results } = await figureOf(kind, input as never);
      const fields = kind.dragging?.fields(results, spec, cursor, value);
      if (!fields) return undefined;
      // Fields pass through their text form, as in links.
      const link = Object.fromEntries(new URLSearchParams(printLink(kind, readSpec(kind, { ...spec, ...fields }))));
      delete link.kind;
      return figureOf(kind, link);
    };

    it('sets a gate to the value under the pointer, clamped to [0, 1] and with two digits', async () => {
      for (const [value, set] of [
        [0.4567, 0.46],
        [-3, 0],
        [7, 1],
        [0.004, 0],
      ] as const)
        expect((await dragGate({}, { gate: 3 }, value))?.results.gates).toEqual([1, 1, 1, set, 1, 1]);
      for (const cursor of [{ gate: 0 }, { gate: 6 }, { gate: -1 }, { query: 2, key: 1 }, {}])
        expect(await dragGate({}, cursor, 0.5), JSON.stringify(cursor)).toBeUndefined();
    });

    it('has a handle at the line of each gate', async () => {
      const { spec, results } = await figureOf(kind);
      for (const width of [1440, 600, 330]) {
        const scene = kind.scene(results, spec, { width, theme: 'dark' });
        for (const gate of [1, 3, 5]) {
          const grip = scene.dragHandle?.({ gate });
          if (!grip) throw new Error('no grip');
          expect(grip.value).toBe(results.gates[gate]);
          expect(grip.valueAt(grip.y)).toBeCloseTo(grip.value, 6);
          expect([grip.valueAt(-1e6), grip.valueAt(1e6)]).toEqual([1, 0]);
          expect(scene.hit(grip.x, grip.y)).toEqual({ gate });
        }
        expect(scene.dragHandle?.({ query: 3, key: 1 })).toBeUndefined();
        expect(scene.dragHandle?.({ gate: 99 })).toBeUndefined();
      }
    });

    it('has actions that open all gates or make them equal', async () => {
      const { spec, results } = await figureOf(kind);
      const [openGates, equalGates] = kind.actions?.(results, spec) ?? [];
      expect([openGates?.label, openGates?.fields({}), openGates?.disabled]).toEqual([
        'Set all gates to 1',
        { gates: [1, 1, 1, 1, 1, 1] },
        false,
      ]);
      expect([equalGates?.label, equalGates?.fields({})]).toEqual(['Set all gates to 0.8: ALiBi', { gates: Array(6).fill(0.8) }]);
      const openFigure = await figureOf(kind, { gates: '' });
      expect(kind.actions?.(openFigure.results, openFigure.spec)?.[0]?.disabled).toBe(true);
    });
  });

  it('draws the gates below their columns, and highlights the weights they affect', async () => {
    const { spec, results } = await figureOf(kind);
    const scene = kind.scene(results, spec, FRAME);
    const cells = scene.picture.rasters.find(({ key }) => key === 'cells');
    if (!cells) throw new Error('no cells');
    const side = cells.width / 6;
    const label = scene.picture.marks.find((mark) => mark.kind === 'text' && mark.text === 'cat' && mark.anchor === 'middle');
    expect(label).toMatchObject({ x: cells.x + 1.5 * side });
    expect(label?.kind === 'text' && label.y).toBeGreaterThan(cells.y + cells.height);
    expect(scene.dragHandle?.({ gate: 1 })?.x).toBeCloseTo(cells.x + 1.5 * side);
    expect(scene.overlay({ gate: 3 })).toContainEqual(
      expect.objectContaining({ key: 'acted', x: cells.x, y: cells.y + 3 * side, width: 3 * side, height: 3 * side }),
    );
    expect(scene.overlay({ gate: 0 }).some(({ key }) => key === 'acted')).toBe(false);
    // A weight highlights the gates that multiply it.
    const lines = (cursor: Cursor) => scene.overlay(cursor).filter(({ kind: mark, tone }) => mark === 'line' && tone === 'cursor').length;
    expect([lines({ query: 5, key: 1 }), lines({ query: 2, key: 2 }), lines({ query: 1, key: 4 })]).toEqual([4, 0, 0]);
    expect(scene.picture.description).toContain('Gates below the words: “the” 1, “cat” 1, “slept” 1, “.” 0.1, “a” 1, “dog” 1.');
    expect(scene.picture.description).toContain('15 cells masked');
  });

  it('moves between weights and gates with the arrow keys', async () => {
    const { spec, results } = await figureOf(kind);
    const scene = kind.scene(results, spec, FRAME);
    let cursor = scene.step({}, 1, 0);
    expect(cursor).toEqual({ gate: 1 });
    cursor = scene.step(scene.step(cursor, 1, 0), 1, 0);
    expect(cursor).toEqual({ gate: 3 });
    cursor = scene.step(cursor, 0, -1);
    expect(cursor).toEqual({ query: 5, key: 3 });
    expect(scene.step(cursor, 0, 1)).toEqual({ gate: 3 });
    expect(scene.step(cursor, -1, 0)).toEqual({ query: 5, key: 2 });
    expect(scene.step({ gate: 5 }, 1, 0)).toEqual({ gate: 5 });
  });
});
