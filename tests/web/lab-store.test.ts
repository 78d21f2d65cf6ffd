// What the page says when something goes wrong: at which control, or that the page itself is at fault.
import { effect } from '@preact/signals-core';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { PhasorError, type RemotePhasor } from '../../web/engine/index.ts';
import { WordVectors } from '../../web/figure/word-vectors.ts';
import { blamed, touchedNow } from '../../web/lab/blame.ts';
import { pageFault } from '../../web/lab/page-fault.ts';
import { INITIAL } from '../../web/lab/state.ts';
import { change, computeAlways, fault, figure, takeOver } from '../../web/lab/store.ts';

/** The answer to the request under way. */
let answer: { readonly give: () => void; readonly refuse: (sentence: string) => void } | undefined;

const tensor = (...shape: number[]) => ({ shape, data: new Float32Array(shape.reduce((product, side) => product * side, 1)) });

/** A core that answers when it is told to. */
const core = {
  encodings: [{ id: 'none', injection: 'none', params: [] }],
  reorder: () =>
    new Promise((resolve, reject) => {
      const result = { before: tensor(4, 64), weights: tensor(1, 4, 4), perToken: tensor(4), maxAbsDiff: 0 };
      answer = { give: () => resolve(result), refuse: (sentence) => reject(new PhasorError('invalid_argument', sentence)) };
    }),
} as unknown as RemotePhasor;

/** The core's next request, which it is asked in the course of a few promises. */
async function asked() {
  const request = await vi.waitUntil(() => answer);
  answer = undefined;
  return request;
}

computeAlways(core, new WordVectors());

beforeEach(async () => {
  const before = figure.value;
  (await asked()).give();
  await vi.waitFor(() => expect(figure.value).not.toBe(before));
  return async () => {
    takeOver({ ...INITIAL }, undefined);
  };
});

describe('an error', () => {
  it('is said at the control that caused it, though the reader has gone on to another', async () => {
    change({ width: 7 }, 'width');
    const first = await asked();
    change({ offset: 3 }, 'offset');
    first.refuse('heads: 4 do not divide 7');
    await vi.waitFor(() => expect(fault.value).toMatchObject({ field: 'width', message: 'heads: 4 do not divide 7' }));
    // The next answer says the same; its sentence does not wander.
    (await asked()).refuse('heads: 4 do not divide 7');
    await new Promise((resolve) => setTimeout(resolve));
    expect(fault.value).toMatchObject({ field: 'width' });
  });

  it('after two changes in one request, is said at the one it names', async () => {
    change({ text: 'dog bites man' });
    const busy = await asked();
    change({ params: { base: 0 } }, 'param-base');
    change({ offset: 3 }, 'offset');
    busy.give();
    (await asked()).refuse('base: 0 is outside 1.001 to 1e9');
    await vi.waitFor(() => expect(fault.value?.field).toBe('param-base'));
  });

  it('of a link is not said at the control touched before', async () => {
    change({ heads: 5 }, 'heads');
    (await asked()).refuse('heads: 5 do not divide the width 64');
    await vi.waitFor(() => expect(fault.value?.field).toBe('heads'));
    takeOver({ ...INITIAL, width: 65 }, undefined);
    await vi.waitFor(() => expect(fault.value?.field).toBe('width'));
  });

  it.each([
    ['width: 7 is odd', ['encoding'], 'encoding'],
    ['width: 7 is odd', ['encoding', 'offset'], 'width'],
    ['beta_fast: 0.5 is not above beta_slow', ['param-beta_slow'], 'param-beta_slow'],
    ['beta_fast: 0.5 is not above beta_slow', ['param-beta_fast', 'param-beta_slow'], 'param-beta_fast'],
    ['seed: -1 is outside', ['param-seed', 'seed'], 'seed'],
    ['seed: -1 is outside', ['seed', 'param-seed'], 'param-seed'],
    ['heads: 5 do not divide', [], 'heads'],
    ['', [], 'encoding'],
  ])('%j after changes of %j belongs to %s', (message, fields, field) => {
    expect(blamed(message, fields.reduce(touchedNow, []))).toBe(field);
  });
});

describe('a fault of the page', () => {
  it('is told as one, blames no control, and nothing stops', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    let draws = false;
    const stop = effect(() => {
      if (figure.value && draws) throw new Error('no room on the canvas');
    });
    draws = true;
    change({ offset: 1 }, 'offset');
    (await asked()).give();
    await vi.waitFor(() => expect(pageFault.value).toMatch(/^A fault of this page, not of what you entered: no room on the canvas\./));
    expect(fault.value).toBeUndefined();
    expect(logged).toHaveBeenCalled();
    draws = false;
    change({ offset: 2 }, 'offset');
    (await asked()).give();
    await vi.waitFor(() => expect(pageFault.value).toBeUndefined());
    expect(figure.value?.setting.offset).toBe(2);
    stop();
    logged.mockRestore();
  });
});
