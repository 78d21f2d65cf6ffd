// Where the page shows errors: at the control that caused them, or as errors of the page itself.
import { effect } from '@preact/signals-core';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { PhasorError, type RemotePhasor } from '../../web/engine/index.ts';
import { fieldOfError, withEdit } from '../../web/lab/error-field.ts';
import { pageError } from '../../web/lab/page-error.ts';
import { INITIAL } from '../../web/lab/state.ts';
import { change, computeOnChange, figure, inputError, replaceState } from '../../web/lab/store.ts';
import { WordVectors } from '../../web/sentence/word-vectors.ts';

/** Settles the pending request. */
let answer: { readonly give: () => void; readonly refuse: (sentence: string) => void } | undefined;

const tensor = (...shape: number[]) => ({ shape, data: new Float32Array(shape.reduce((product, side) => product * side, 1)) });

/** A fake engine whose requests are settled by the tests. */
const core = {
  encodings: [{ id: 'none', injection: 'none', params: [] }],
  reorder: () =>
    new Promise((resolve, reject) => {
      const result = { before: tensor(4, 64), weights: tensor(1, 4, 4), perToken: tensor(4), maxAbsDiff: 0 };
      answer = { give: () => resolve(result), refuse: (sentence) => reject(new PhasorError('invalid_argument', sentence)) };
    }),
} as unknown as RemotePhasor;

/** The next request to the engine, which takes a few microtasks to arrive. */
async function nextRequest() {
  const request = await vi.waitUntil(() => answer);
  answer = undefined;
  return request;
}

computeOnChange(core, new WordVectors());

beforeEach(async () => {
  const before = figure.value;
  (await nextRequest()).give();
  await vi.waitFor(() => expect(figure.value).not.toBe(before));
  return async () => {
    replaceState({ ...INITIAL }, undefined);
  };
});

describe('an error', () => {
  it('is shown at the control that caused it, even after another one was edited', async () => {
    change({ width: 7 }, 'width');
    const first = await nextRequest();
    change({ offset: 3 }, 'offset');
    first.refuse('heads: 4 do not divide 7');
    await vi.waitFor(() => expect(inputError.value).toMatchObject({ field: 'width', message: 'heads: 4 do not divide 7' }));
    // A repeated error stays at its control.
    (await nextRequest()).refuse('heads: 4 do not divide 7');
    await new Promise((resolve) => setTimeout(resolve));
    expect(inputError.value).toMatchObject({ field: 'width' });
  });

  it('after two edits in one request, is shown at the one it names', async () => {
    change({ text: 'dog bites man' });
    const busy = await nextRequest();
    change({ params: { base: 0 } }, 'param-base');
    change({ offset: 3 }, 'offset');
    busy.give();
    (await nextRequest()).refuse('base: 0 is outside 1.001 to 1e9');
    await vi.waitFor(() => expect(inputError.value?.field).toBe('param-base'));
  });

  it('of a link is not shown at the control edited before', async () => {
    change({ heads: 5 }, 'heads');
    (await nextRequest()).refuse('heads: 5 do not divide the width 64');
    await vi.waitFor(() => expect(inputError.value?.field).toBe('heads'));
    replaceState({ ...INITIAL, width: 65 }, undefined);
    await vi.waitFor(() => expect(inputError.value?.field).toBe('width'));
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
  ])('%j after edits of %j belongs to %s', (message, fields, field) => {
    expect(fieldOfError(message, fields.reduce(withEdit, []))).toBe(field);
  });
});

describe('an error of the page', () => {
  it('is reported as one, belongs to no control, and the page keeps working', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    let draws = false;
    const stop = effect(() => {
      if (figure.value && draws) throw new Error('no room on the canvas');
    });
    draws = true;
    change({ offset: 1 }, 'offset');
    (await nextRequest()).give();
    await vi.waitFor(() => expect(pageError.value).toMatch(/^An error in this page, not in your input: no room on the canvas\./));
    expect(inputError.value).toBeUndefined();
    expect(logged).toHaveBeenCalled();
    draws = false;
    change({ offset: 2 }, 'offset');
    (await nextRequest()).give();
    await vi.waitFor(() => expect(pageError.value).toBeUndefined());
    expect(figure.value?.setting.offset).toBe(2);
    stop();
    logged.mockRestore();
  });
});
