// A figure of the book opens in the Lab with the same values.
import { describe, expect, it } from 'vitest';
import { createLabLink } from '../../web/book/lab-link.ts';
import { kinds } from '../../web/figure/contract/all-kinds.ts';
import { readSpec } from '../../web/figure/contract/spec.ts';
import { parseLink } from '../../web/lab/state/link.ts';

function openLink(id: string, provided: { readonly [field: string]: unknown }) {
  const kind = kinds[id];
  if (!kind) throw new Error(`there is no kind ${id}`);
  return parseLink(`#${createLabLink(kind, readSpec(kind, provided)).replace(/^#/, '')}`).state;
}

describe('createLabLink', () => {
  it('opens the kind of a figure under its question, with the fields of the figure', () => {
    expect(openLink('rotation', { encoding: 'rope', query: 8, key: 5 })).toMatchObject({
      encoding: 'rope',
      question: 'scores',
      view: 'rotation',
      figures: { 'rotation.query': '8', 'rotation.key': '5' },
    });
  });

  it('selects a model whose heads are as wide as the figure', () => {
    const rotation = openLink('rotation', { encoding: 'rope', dim: 2 });
    expect(rotation).toMatchObject({ heads: 1, dim: 2 });
    expect(Object.keys(rotation.figures)).not.toContain('rotation.width');
    expect(openLink('bias', { encoding: 'shaw', dim: 8, heads: 2 })).toMatchObject({ heads: 2, dim: 16 });
    expect(openLink('curve', { encoding: 'transformer_xl', dim: 2, heads: 2 })).toMatchObject({ heads: 2, dim: 4 });
  });

  it('keeps the width of the Lab if no model is large enough', () => {
    expect(openLink('curve', { encoding: 'alibi', heads: 8, dim: 16 })).toMatchObject({ heads: 8, dim: 64 });
    // The Lab reports these fields (lab-link.test.ts).
    expect(openLink('rotation', { encoding: 'rope', dim: 128 })).toMatchObject({ dim: 64, figures: { 'rotation.dim': '128' } });
  });
});
