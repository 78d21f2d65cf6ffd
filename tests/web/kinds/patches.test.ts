import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { kind } from '../../../web/figure/kinds/patches/index.ts';
import { arrangePixels, computePatchEmbeddings } from '../../../web/figure/kinds/patches/pixels.ts';
import { PHOTOGRAPH_SIDE, PhotographFile } from '../../../web/figure/runtime/photographs.ts';
import { photographs } from './photographs.ts';
import { expectAnswering, figureOf } from './table-figures.ts';

const { photographs: readPhotographs }: { photographs(): string } = await import('../../../scripts/site/photographs.mjs' as string);
const identityOrder = (count: number) => Array.from({ length: count }, (_, position) => position);

describe('photographs', () => {
  it('are the output of the script for the two PNG files', () => {
    expect(readFileSync('public/data/photographs.json', 'utf8')).toBe(readPhotographs());
  });

  it('are split into patches by rows, as are the pixels of a patch', async () => {
    const patches = computePatchEmbeddings(await photographs.shades('astronaut'), 8);
    const { shape, data } = patches;
    expect(shape).toEqual([64, 192]);
    const restoredPixels = arrangePixels(patches, 8, identityOrder(64));
    // Patch 10 starts at pixel (16, 8). The pixel is in its second row.
    const pixel = (8 + 1) * PHOTOGRAPH_SIDE + 16 + 3;
    for (const channel of [0, 1, 2]) {
      const value = data[10 * 192 + 3 * (8 + 3) + channel] as number;
      expect(Math.abs(restoredPixels[4 * pixel + channel]! - ((value + 1) / 2) * 255)).toBeLessThan(1);
    }
    expect(Math.min(...data)).toBeGreaterThanOrEqual(-1);
    expect(Math.max(...data)).toBeLessThanOrEqual(1);
    // The photographs have many shades.
    expect(new Set(restoredPixels).size).toBeGreaterThan(50);
    expect(
      new Set(arrangePixels(computePatchEmbeddings(await photographs.shades('camera'), 8), 8, identityOrder(64))).size,
    ).toBeGreaterThan(50);
  });

  it('keep their pixels when patches are swapped', async () => {
    const swappedOrder = identityOrder(16).map((location) => (location === 0 ? 5 : location === 5 ? 0 : location));
    const patches = computePatchEmbeddings(await photographs.shades('camera'), 16);
    const [originalPixels, swappedPixels] = [arrangePixels(patches, 16, identityOrder(16)), arrangePixels(patches, 16, swappedOrder)];
    // Patch 5 begins at pixel (16, 16).
    expect(Array.from(swappedPixels.subarray(0, 64))).toEqual(
      Array.from(originalPixels.subarray(4 * (16 * PHOTOGRAPH_SIDE + 16), 4 * (16 * PHOTOGRAPH_SIDE + 16) + 64)),
    );
    expect(Array.from(swappedPixels).sort()).toEqual(Array.from(originalPixels).sort());
  });

  it('are requested again after a failure, whose error names the field', async () => {
    const responses = [new Response('', { status: 404, statusText: 'Not Found' }), new Response(readPhotographs())];
    const file = new PhotographFile('photographs.json', async () => responses.shift() as Response);
    await expect(file.shades('camera')).rejects.toThrow('picture: the photographs could not be loaded (404 Not Found)');
    expect(await file.shades('camera')).toEqual(await photographs.shades('camera'));
    expect(await file.shades('astronaut')).toHaveLength(3 * PHOTOGRAPH_SIDE ** 2);
  });
});

describe('patches figure', () => {
  it('has the same attention in every arrangement without positions', async () => {
    const { results, proof } = await figureOf(kind, { encoding: 'none' });
    const original = (await figureOf(kind, { encoding: 'none', arrangement: 'original' })).results;
    expect([...results.order].sort((a: number, b: number) => a - b)).toEqual(original.order);
    expect(results.order).not.toEqual(original.order);
    for (const [query, querySource] of results.order.entries())
      for (const [key, keySource] of results.order.entries())
        expect(results.weights.data[64 * query + key]).toBeCloseTo(original.weights.data[64 * querySource + keySource], 5);
    for (let row = 0; row < 64; row++) {
      const sum = results.weights.data.subarray(64 * row, 64 * row + 64).reduce((total: number, weight: number) => total + weight, 0);
      expect(sum).toBeCloseTo(1, 5);
    }
    expect(proof().good).toBe(true);
  });

  it('reports that attention depends on the arrangement with every encoding', async () => {
    for (const encoding of ['sinusoidal_grid', 'rope_2d', 'rope_2d convention=pixel', 'rope_mixed', 'sinusoidal', 'rope', 'alibi']) {
      for (const order of ['shuffled', 'swapped', 'original']) {
        const proof = (await figureOf(kind, { encoding, arrangement: order })).proof();
        expect([encoding, order, proof.good]).toEqual([encoding, order, false]);
        expect(proof.residual).toBeGreaterThan(0.01);
      }
    }
    for (const fields of [
      { arrangement: 'swapped' },
      { arrangement: 'original' },
      { patch: '4' },
      { projections: 'orthogonal' },
      { picture: 'camera' },
    ])
      expect([fields, (await figureOf(kind, { encoding: 'none', ...fields })).proof().good]).toEqual([fields, true]);
  });

  it('passes the rows and columns of patches to two-dimensional encodings', async () => {
    const { results } = await figureOf(kind, { encoding: 'sinusoidal_grid', arrangement: 'original' });
    const noneResults = (await figureOf(kind, { encoding: 'none', arrangement: 'original' })).results;
    expect(Array.from(results.weights.data)).not.toEqual(Array.from(noneResults.weights.data));
    const rows = (await figureOf(kind, { encoding: 'rope_2d', arrangement: 'original' })).results;
    const matchingResults = (await figureOf(kind, { encoding: 'rope_2d columns=8', arrangement: 'original' })).results;
    expect(Array.from(rows.weights.data)).toEqual(Array.from(matchingResults.weights.data));
    const wrongResults = (await figureOf(kind, { encoding: 'rope_2d columns=64', arrangement: 'original' })).results;
    expect(Array.from(wrongResults.weights.data)).not.toEqual(Array.from(matchingResults.weights.data));
  });

  it('reports no differences in the original arrangement', async () => {
    const { results, readout } = await figureOf(kind, { encoding: 'rope_2d', arrangement: 'original' });
    expect(Array.from(results.differences.data).every((value) => value === 0)).toBe(true);
    expect(readout({ query: 0 })).toContain('differs by exactly 0');
  });

  it('finds the patch under the pointer and moves with the arrow keys', async () => {
    const largeFigure = await figureOf(kind, { patch: '16', encoding: 'rope_2d', chosen: 3 });
    expectAnswering(largeFigure.scene(330), 330);
    const figure = await figureOf(kind);
    const scene = figure.scene(1000);
    const first = scene.hit(20, 40);
    expect(first).toEqual({ query: 0 });
    expect(scene.step(first ?? {}, 1, 1)).toEqual({ query: 9 });
    // In the attention map, the pointer selects a key of the current query.
    scene.overlay({ query: 5 });
    expect(scene.hit(360, 40)).toEqual({ query: 5, key: 0 });
    expect(figure.readout({ query: 8, key: 63 })).toMatch(
      /^The patch at row 2, column 1 attends to the patch at row 8, column 8 with weight \d/,
    );
  });

  it('rejects patches out of range', async () => {
    await expect(figureOf(kind, { patch: '16', chosen: 27 })).rejects.toThrow('chosen: 27 is not the index of a patch; expected 0 to 15');
    await expect(figureOf(kind, { arrangement: 'swapped', partner: 10 })).rejects.toThrow(
      /^partner: is the chosen patch; expected another patch/,
    );
    await expect(figureOf(kind, { heads: 5 })).rejects.toThrow(/heads/);
    await expect(figureOf(kind, { encoding: 't5' }).then(({ proof }) => proof().good)).resolves.toBe(false);
  });
});
