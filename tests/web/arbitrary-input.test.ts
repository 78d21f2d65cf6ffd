// Arbitrary values in any field of any request give a result or a PhasorError, and the instance stays usable.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createPhasor, PhasorError } from '../../web/engine/node.ts';
import { CALLS, changeField, detach, invoke, outOfBounds, paths, tensor } from './every-request.ts';

/** Arrays that could not be printed in a counterexample, by name. */
const unprintable = new Map<unknown, unknown>([
  ['detached', detach(new Float32Array(3))],
  ['out of bounds', outOfBounds()],
  ['detached tensor', { shape: [1, 2, 2], data: detach(new Float32Array(4)) }],
]);

const arbitraryValue = fc.oneof(
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
    withTypedArray: true,
    withSparseArray: true,
  }),
  fc.double(),
  fc.array(fc.double()),
  fc.float32Array(),
  fc.record({ shape: fc.array(fc.nat(3)), data: fc.float32Array({ maxLength: 30 }) }),
  fc.constantFrom('detached', 'out of bounds', 'detached tensor'),
);

it('returns a result or rejects any request with a message, and keeps open caches usable', async () => {
  const phasor = await createPhasor();
  const cache = phasor.createCache({ heads: 1, headDim: 2, maxLength: 100_000 });
  const positions = CALLS.flatMap((call) => paths(call.slice(1), () => true).map((path) => [call, path] as const));
  let rejectedCount = 0;
  fc.assert(
    fc.property(fc.constantFrom(...positions), arbitraryValue, ([call, path], provided) => {
      const value = unprintable.get(provided) ?? provided;
      try {
        expect(invoke(phasor, changeField(call, path, { value, enumerable: true }), cache)).toBeTypeOf('object');
      } catch (error) {
        expect(error).toBeInstanceOf(PhasorError);
        const { code, message } = error as PhasorError;
        expect(['invalid_argument', 'unknown_name', 'resource_exhausted'], message).toContain(code);
        expect(message).toMatch(/^.*?(: | is not a field)/s);
        rejectedCount += 1;
      }
    }),
    { numRuns: 3000 },
  );
  expect(rejectedCount).toBeGreaterThan(1000);
  const unitTensor = tensor(1, 1, 2);
  expect(cache.decode({ q: unitTensor, k: unitTensor, v: unitTensor }).length).toBeGreaterThan(0);
});
