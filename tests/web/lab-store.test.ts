// Errors are shown at the control that caused them, or as errors of the page.
import { signal } from '@preact/signals-core';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { CALL } from '../../web/engine/call/call-key.ts';
import type { PhasorError, RemotePhasor } from '../../web/engine/index.ts';
import { invalidValueError, outOfRangeError } from '../../web/engine/request/invalid-value.ts';
import { allKindsSource } from '../../web/figure/contract/all-kinds.ts';
import type { AnyKind } from '../../web/figure/contract/registry.ts';
import { kind } from '../../web/figure/kinds/sentence/index.ts';
import { createFigure, type Figure } from '../../web/figure/runtime/controller.ts';
import { PageServices } from '../../web/figure/runtime/services.ts';
import { appendEdit, findErrorField } from '../../web/lab/state/error-field.ts';
import { LINK_GROUP, shareState, toSharedFields, toState } from '../../web/lab/state/sharing.ts';
import { INITIAL_STATE } from '../../web/lab/state/state.ts';
import { change, customOrder, followSentence, inputError, replaceState } from '../../web/lab/state/store.ts';
import { WordVectors } from '../../web/sentence/word-vectors.ts';

const tensor = (...shape: number[]) => ({ shape, data: new Float32Array(shape.reduce((product, side) => product * side, 1)) });

/** The error with which the engine rejects a request, if any. */
let refusal: (request: { readonly heads: number; readonly positionOffset: number }) => PhasorError | undefined = () => undefined;

/** An engine that returns zeros. */
const core = {
  encodings: [
    { id: 'none', injection: 'none', params: [] },
    { id: 'rope', injection: 'query_key', params: [] },
  ],
  selfAttention: () => Promise.resolve({ weights: tensor(1, 4, 4), scores: tensor(1, 4, 4) }),
  rotaryAngles: () => Promise.resolve(tensor(4, 8)),
  // The only call of phasor/analysis is permutationTest.
  async [CALL](_: string, [request]: readonly [{ readonly heads: number; readonly positionOffset: number }]) {
    const rejected = refusal(request);
    if (rejected) throw rejected;
    return { before: tensor(4, 64), output: tensor(4, 64), perToken: tensor(4), maxAbsDiff: 0 };
  },
  dispose: () => {},
} as unknown as RemotePhasor;

const photographs = { shades: () => Promise.reject(new Error('no photographs here')) };
const services = new PageServices({
  startEngine: () => Promise.resolve(core),
  vocabulary: new WordVectors(),
  photographs,
  kinds: allKindsSource,
}).acquire();
const group = services.joinGroup(LINK_GROUP);
shareState(group);
const sentence: Figure = createFigure(kind as unknown as AnyKind, { services, group });
sentence.isActive.value = true;
followSentence(signal(sentence));

beforeEach(async () => {
  refusal = () => undefined;
  replaceState({ ...INITIAL_STATE }, undefined);
  await sentence.ready();
});

describe('inputError', () => {
  it('is shown at the control that caused it, even after another one was edited', async () => {
    refusal = ({ heads }) => (heads === 5 ? invalidValueError('dim', 64, 'is not divided by 5') : undefined);
    change({ heads: 5 }, 'heads');
    await vi.waitFor(() => expect(inputError.value).toMatchObject({ field: 'heads', message: 'dim: 64 is not divided by 5' }), 120_000);
    // A repeated error stays at its control.
    change({ positionOffset: 3 }, 'positionOffset');
    await expect(sentence.ready()).rejects.toThrow();
    expect(inputError.value).toMatchObject({ field: 'heads' });
    change({ heads: 4 }, 'heads');
    await vi.waitFor(() => expect(inputError.value).toBeUndefined(), 120_000);
  });

  it('is shown after several edits at the control it names', async () => {
    refusal = ({ positionOffset }) => (positionOffset === 3 ? invalidValueError('positionOffset', 3, 'is outside') : undefined);
    change({ mask: 'causal' }, 'mask');
    change({ positionOffset: 3 }, 'positionOffset');
    change({ projections: 'orthogonal' }, 'projections');
    await vi.waitFor(() => expect(inputError.value?.field).toBe('positionOffset'), 120_000);
  });

  it('is not shown at the control edited before if it comes from a link', async () => {
    refusal = ({ heads }) => (heads === 5 ? invalidValueError('heads', 5, 'does not divide embedDim 64') : undefined);
    change({ heads: 5 }, 'heads');
    await vi.waitFor(() => expect(inputError.value?.field).toBe('heads'), 120_000);
    replaceState({ ...INITIAL_STATE, dim: 65 }, undefined);
    await vi.waitFor(
      () => expect(inputError.value).toMatchObject({ field: 'dim', message: expect.stringMatching(/^dim: 65 is/) }),
      120_000,
    );
  });

  it('lists accepted values and names the control', async () => {
    refusal = ({ heads }) => (heads === 5 ? invalidValueError('heads', 5, 'does not divide embedDim 64') : undefined);
    change({ heads: 5 }, 'heads');
    await vi.waitFor(
      () =>
        expect(inputError.value).toEqual({
          field: 'heads',
          argument: 'heads',
          message: 'heads: dim 64 is not divisible by 5; try 1, 2, 4, 8, 16, 32, or 64',
        }),
      120_000,
    );
    refusal = ({ positionOffset }) => (positionOffset === 600 ? outOfRangeError('positions[0]', 600, 0, 511) : undefined);
    replaceState({ ...INITIAL_STATE, positionOffset: 600 }, undefined);
    await vi.waitFor(
      () =>
        expect(inputError.value).toEqual({
          field: 'positionOffset',
          argument: 'positions[0]',
          message: 'positionOffset: position 600 is outside 0 to 511',
        }),
      120_000,
    );
  });

  it.each([
    [['dim'], ['encoding'], 'encoding'],
    [['dim'], ['encoding', 'positionOffset'], 'dim'],
    [['beta_fast'], ['param-beta_slow'], 'param-beta_slow'],
    [['beta_fast'], ['param-beta_fast', 'param-beta_slow'], 'param-beta_fast'],
    [['seed'], ['param-seed', 'seed'], 'seed'],
    [['seed'], ['seed', 'param-seed'], 'param-seed'],
    [['heads', 'dim'], ['dim', 'seed'], 'dim'],
    [['heads', 'dim'], ['heads', 'dim'], 'heads'],
    [['heads'], [], 'heads'],
    [[''], [], 'encoding'],
  ])('assigns an error about %j after edits of %j to %s', (names, fields, field) => {
    expect(findErrorField(names, fields.reduce(appendEdit, []))).toBe(field);
  });
});

describe('shared state', () => {
  it('converts to fields and back: heads count from 1, parameters belong to the encoding', () => {
    const initialState = { ...INITIAL_STATE, encoding: 'rope', params: { base: 500 }, head: 2 };
    expect(toSharedFields(initialState)).toMatchObject({ encoding: { id: 'rope', base: 500 }, head: 3, text: INITIAL_STATE.text });
    expect(toState(toSharedFields(initialState))).toMatchObject({ encoding: 'rope', params: { base: 500 }, head: 2, order: [] });
    expect(toState({ head: 1 })).toEqual({ head: 0 });
  });

  it('follows changes of the figure, and the figure follows changes of the state', async () => {
    sentence.change({ order: [1, 0, 2, 3] });
    expect(customOrder.value).toEqual([1, 0, 2, 3]);
    change({ order: [] });
    expect(sentence.spec.value).toMatchObject({ order: [] });
    change({ encoding: 'rope', params: { base: 100 } });
    expect(sentence.spec.value).toMatchObject({ encoding: { id: 'rope', base: 100 } });
    change({ encoding: 'none', params: {} });
  });
});
