// The fields and the cursor that figures of a link group share.
import { describe, expect, it } from 'vitest';
import { count, encoding } from '../../web/figure/contract/fields.ts';
import type { AnyKind } from '../../web/figure/contract/registry.ts';
import { createFigure, type Figure, type FigureOptions } from '../../web/figure/runtime/controller.ts';
import { createLinkGroup } from '../../web/figure/runtime/link-group.ts';
import { createAnsweredFigure, createShownFigure, flushPromises, plainServices } from './answered-figure.ts';

describe('link group', () => {
  const createPair = (first: Partial<FigureOptions> = {}, second: Partial<FigureOptions> = {}) => {
    const group = createLinkGroup();
    return [createAnsweredFigure({ group, ...first }).figure, createAnsweredFigure({ group, ...second }).figure] as const;
  };
  const value = (figure: Figure, name: string) => (figure.spec.value as Record<string, unknown>)[name];

  it('shares the cursor only among its figures', () => {
    const [a, b] = createPair();
    const singleFigure = createAnsweredFigure().figure;
    a.cursor.value = { query: 3 };
    expect([b.cursor.value, singleFigure.cursor.value]).toEqual([{ query: 3 }, {}]);
  });

  it('shares user changes of linked fields, but not values that the page sets', () => {
    const [a, b] = createPair();
    a.change({ text: 'x', length: 7 });
    a.setFields({ metric: 'dot' });
    expect(['text', 'length', 'measure'].map((name) => value(b, name))).toEqual(['x', 4, 'cosine']);
  });

  it('neither changes nor shares locked fields', () => {
    const [a, b] = createPair({}, { lockedFields: ['text'] });
    a.change({ text: 'x' });
    expect(value(b, 'text')).toBe('a b');
    b.change({ text: 'y', length: 5 });
    expect([value(a, 'text'), value(b, 'text'), value(b, 'length')]).toEqual(['x', 'a b', 5]);
  });

  it('drops the parameters that were set for another encoding', () => {
    const [a, b] = createPair({}, { initialFields: { encoding: 'rope', base: '500' } });
    expect(value(b, 'encoding')).toEqual({ id: 'rope', base: 500 });
    a.change({ encoding: { id: 'alibi' } });
    expect(value(b, 'encoding')).toEqual({ id: 'alibi' });
  });

  it('does not apply a value outside the limits of a figure, and reports it', async () => {
    const group = createLinkGroup();
    const encodings = [
      { id: 'alibi', injection: 'score' },
      { id: 'rope', injection: 'query_key' },
    ];
    const kind = (max: number): AnyKind => ({
      ...(createAnsweredFigure().figure.kind as AnyKind),
      fields: { encoding: encoding('rope', { injections: ['query_key'] }), dim: count(4, 1, max) },
      compute: async (spec) => spec,
    });
    const services = { ...plainServices, engine: async () => ({ encodings }) as never };
    const [wide, narrow] = [4096, 64].map((max) => createFigure(kind(max), { services, group })) as [Figure, Figure];
    for (const figure of [wide, narrow]) figure.isActive.value = true;
    await Promise.all([wide.ready(), narrow.ready()]);
    wide.change({ dim: 512 });
    expect([(await wide.ready()).spec.dim, (await narrow.ready()).spec.dim]).toEqual([512, 4]);
    expect([wide, narrow].map(({ rejectedValues }) => rejectedValues.value.map(({ message }) => message))).toEqual([
      [],
      ['Channels not linked: 512 is outside 1 to 64.'],
    ]);
    expect(narrow.state.value).toBe('ready');
    wide.change({ dim: 32 });
    expect([(await narrow.ready()).spec.dim, narrow.rejectedValues.value]).toEqual([32, []]);
    // The figure with the invalid field shows the error; the other figure takes the fields that it supports.
    narrow.change({ dim: 100 });
    await expect(narrow.ready()).rejects.toThrow('dim: 100 is outside 1 to 64');
    expect([narrow.rejectedValues.value, (await wide.ready()).spec.dim]).toEqual([[], 100]);
    // An encoding that the other figure does not support is reported too.
    wide.change({ encoding: { id: 'alibi' }, dim: 8 });
    expect((await narrow.ready()).spec).toEqual({ encoding: { id: 'rope' }, dim: 8 });
    expect(narrow.rejectedValues.value.map(({ message }) => message)).toEqual([
      'This figure does not support alibi; it shows rope instead.',
    ]);
  });

  it('names the unsupported and the shown encoding as the page does', async () => {
    const group = createLinkGroup();
    const nameOf = (id: string): string => ({ none: 'no encoding', alibi: 'ALiBi' })[id] ?? id;
    const kind: AnyKind = { ...(createAnsweredFigure().figure.kind as AnyKind), fields: { encoding: encoding('none', { ids: ['none'] }) } };
    for (const [named, message] of [
      [nameOf, 'This figure does not support ALiBi; it shows no encoding instead.'],
      [undefined, 'This figure does not support alibi; it shows none instead.'],
    ] as const) {
      const figure = createFigure(kind, {
        services: { ...plainServices, engine: async () => ({ encodings: [] }) as never, nameOf: named },
        group,
      });
      group.fieldChanges.value = { encoding: { id: 'alibi' } };
      expect(figure.rejectedValues.value.map(({ message }) => message)).toEqual([message]);
      figure.dispose();
    }
  });

  it('yields to later values of the page until the user changes them again', () => {
    const [a, b] = createPair();
    a.change({ text: 'x' });
    b.setFields({ text: 'page' });
    expect([value(a, 'text'), value(b, 'text')]).toEqual(['x', 'page']);
    a.change({ text: 'y' });
    expect(value(b, 'text')).toBe('y');
    b.setFields({ text: 'page' });
    b.change({ text: 'reader' });
    expect([value(a, 'text'), value(b, 'text')]).toEqual(['reader', 'reader']);
  });

  it('does not recompute a figure for fields that it does not have', async () => {
    const group = createLinkGroup();
    const { figure, calls } = await createShownFigure({ group });
    group.fieldChanges.value = { heads: 3 };
    await flushPromises();
    expect([figure.state.value, calls.length]).toEqual(['ready', 1]);
  });
});
