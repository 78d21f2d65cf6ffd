// A small dump of two heads before and after a rotation by `claim`.
import { applyRotation, generator } from './random-dumps.ts';

const random = generator(54);
export const sampleNormal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
export const [tokens, heads, dim] = [24, 2, 32];
export const shape = [tokens, heads, dim];
export const BASE = 10000;
export const claim = { id: 'rope', layout: 'half_split', base: BASE };

/** Returns queries before and after a rotation by `claim` at positions from `start` on. */
export function createDump(start = 0, base = BASE) {
  const before = new Float32Array(tokens * heads * dim).map(sampleNormal);
  const positions = Array.from({ length: tokens }, (_, token) => start + token);
  const frequencies = Array.from({ length: dim / 2 }, (_, t) => base ** ((-2 * t) / dim));
  const rotation = {
    tokens,
    heads,
    dim,
    positions,
    frequencies,
    layout: 'half_split' as const,
    base,
    width: dim,
    factor: 1,
    gain: 1,
    sign: 1,
  };
  return { before, after: applyRotation(before, rotation, 'f32') };
}
export const tensors = ({ before, after }: { before: Float32Array; after: Float32Array }, sizes: readonly number[] = shape) => ({
  before: { shape: sizes, data: before },
  after: { shape: sizes, data: after },
});
export const axes = 'tokens,heads,dim';
