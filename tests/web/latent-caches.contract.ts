// Multi-head latent attention (DeepSeek-V2) step by step, in every engine: a cache of latents, and one of whole heads.

import type { Tensor } from '../../web/engine/types/api.ts';
import { type AnyPhasor, assertClose, assertErrors, type Contract, check, randomTensor, sliceTokens, valueAt } from './contract-checks.ts';

const [HEADS, LENGTH, CONTENT, ROTARY, LATENT, VALUES] = [3, 20, 4, 2, 6, 3];
const range = (count: number) => Array.from({ length: count }, (_, i) => i);
const build = (shape: [number, number, number], value: (h: number, t: number, c: number) => number): Tensor => ({
  shape,
  data: Float32Array.from(range(shape[0]).flatMap((h) => range(shape[1]).flatMap((t) => range(shape[2]).map((c) => value(h, t, c))))),
});
const sum = (count: number, term: (n: number) => number) => range(count).reduce((total, n) => total + term(n), 0);
const number = (t: Tensor, ...index: number[]) => valueAt(t, ...index) as number;

async function model(phasor: AnyPhasor) {
  const createRandom = (seed: number, ...shape: number[]) => randomTensor(phasor, seed, shape);
  return {
    content: await createRandom(1, HEADS, LENGTH, CONTENT),
    rotary: await createRandom(2, HEADS, LENGTH, ROTARY),
    latent: await createRandom(3, 1, LENGTH, LATENT),
    keyRotary: await createRandom(4, 1, LENGTH, ROTARY),
    keyUp: await createRandom(5, HEADS, LATENT, CONTENT),
    valueUp: await createRandom(6, HEADS, LATENT, VALUES),
  };
}

const SIZES = { heads: HEADS, maxLength: LENGTH, scale: (CONTENT + ROTARY) ** -0.5 } as const;
const rope = (offset: number) => ({ id: 'rope', base: 100, rotary_offset: offset });

function asLatents({ content, rotary, latent, keyRotary, keyUp }: Awaited<ReturnType<typeof model>>) {
  const q = build([HEADS, LENGTH, LATENT + ROTARY], (h, t, c) =>
    c < LATENT ? sum(CONTENT, (n) => number(content, h, t, n) * number(keyUp, h, c, n)) : number(rotary, h, t, c - LATENT),
  );
  const k = build([1, LENGTH, LATENT + ROTARY], (_, t, c) => (c < LATENT ? number(latent, 0, t, c) : number(keyRotary, 0, t, c - LATENT)));
  return { q, k, v: latent };
}

function asHeads({ content, rotary, latent, keyRotary, keyUp, valueUp }: Awaited<ReturnType<typeof model>>) {
  const q = build([HEADS, LENGTH, CONTENT + ROTARY], (h, t, c) =>
    c < CONTENT ? number(content, h, t, c) : number(rotary, h, t, c - CONTENT),
  );
  const k = build([HEADS, LENGTH, CONTENT + ROTARY], (h, t, c) =>
    c < CONTENT ? sum(LATENT, (n) => number(latent, 0, t, n) * number(keyUp, h, n, c)) : number(keyRotary, 0, t, c - CONTENT),
  );
  const v = build([HEADS, LENGTH, VALUES], (h, t, c) => sum(LATENT, (n) => number(latent, 0, t, n) * number(valueUp, h, n, c)));
  return { q, k, v };
}

/** The formula in double precision, score by score. The two rotary channels are one pair. */
function formula({ content, rotary, latent, keyRotary, keyUp, valueUp }: Awaited<ReturnType<typeof model>>): Tensor {
  const score = (h: number, i: number, j: number): number => {
    const distance = i - j;
    const [a, b] = [number(rotary, h, i, 0), number(rotary, h, i, 1)];
    const [c, d] = [number(keyRotary, 0, j, 0), number(keyRotary, 0, j, 1)];
    const rotated = (a * c + b * d) * Math.cos(distance) + (a * d - b * c) * Math.sin(distance);
    const contentScore = sum(
      CONTENT,
      (n) => number(content, h, i, n) * sum(LATENT, (l) => number(latent, 0, j, l) * number(keyUp, h, l, n)),
    );
    return (contentScore + rotated) * SIZES.scale;
  };
  return build([HEADS, LENGTH, VALUES], (h, i, c) => {
    const weights = range(i + 1).map((j) => Math.exp(score(h, i, j)));
    const value = (j: number) => sum(LATENT, (l) => number(latent, 0, j, l) * number(valueUp, h, l, c));
    return weights.reduce((total, weight, j) => total + weight * value(j), 0) / weights.reduce((total, weight) => total + weight, 0);
  });
}

export const latentCacheCases: Contract = [
  [
    'decodes multi-head latent attention, as latents and as whole heads',
    async (phasor) => {
      const parts = await model(phasor);
      const expected = formula(parts);
      const heads = { headDim: CONTENT + ROTARY, vHeadDim: VALUES, encoding: rope(CONTENT) };
      const latents = { kvHeads: 1, headDim: LATENT + ROTARY, vHeadDim: LATENT, encoding: rope(LATENT) };
      for (const [sizes, text] of [
        [heads, asHeads(parts)],
        [latents, asLatents(parts)],
      ] as const) {
        const cache = await phasor.createCache({ ...SIZES, ...sizes });
        let bytes = 0;
        for (const [first, last] of [
          [0, 7],
          [7, 8],
          [8, LENGTH],
        ] as const) {
          const step = await cache.decode({
            q: sliceTokens(text.q, first, last),
            k: sliceTokens(text.k, first, last),
            v: sliceTokens(text.v, first, last),
          });
          bytes = step.bytes;
          for (const h of range(HEADS)) {
            for (const t of range(last - first)) {
              for (const c of range(VALUES)) {
                const row = (l: number) => number(step.output, h, t, l);
                const actual = sizes === heads ? row(c) : sum(LATENT, (l) => row(l) * number(parts.valueUp, h, l, c));
                assertClose(actual, number(expected, h, first + t, c), 2e-5, `head ${h}, token ${first + t}`);
              }
            }
          }
        }
        // Values are padded to 16 channels, and a block holds 1,024 tokens.
        const block = 4 * 1024 * (text.k.shape[0] as number) * (sizes.headDim + 16);
        check(bytes >= block && bytes < block + 4096, `${bytes} bytes for a block of ${block}`);
        await cache.dispose();
      }
    },
  ],
  [
    'rejects latents of another width',
    async (phasor) => {
      const { q, k, v } = asLatents(await model(phasor));
      const latents = { ...SIZES, kvHeads: 1, headDim: LATENT + ROTARY, vHeadDim: LATENT, encoding: rope(LATENT) };
      const cache = await phasor.createCache(latents);
      await assertErrors([
        [() => cache.decode({ q, k, v: k }), 'invalid_argument', /^v: has 8 channels; expected 6$/],
        [
          () => phasor.createCache({ ...latents, encoding: rope(LATENT + ROTARY) }),
          'invalid_argument',
          /^rotary_offset: 8 leaves none of the 8 channels to rotate$/,
        ],
      ]);
      check((await cache.decode({ q, k, v })).length === LENGTH, 'the cache is as it was');
      await cache.dispose();
    },
  ],
];
