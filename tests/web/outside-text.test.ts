// External text that becomes HTML is escaped.
import { describe, expect, it } from 'vitest';
import { kinds } from '../../web/figure/contract/all-kinds.ts';
import { readSpec } from '../../web/figure/contract/spec.ts';
import { renderFigureTag } from '../../web/package/figure-tag.ts';
import { insertInitialState } from '../../web/service-worker/save-offline.ts';

describe('insertInitialState', () => {
  const page = '<!doctype html><html lang="en" data-edition="offline"><body>the page</body></html>';
  it('escapes the state in a single attribute', () => {
    expect(insertInitialState(page, '')).toBe(page);
    for (const [state, message] of [
      ['v=1&text=a', 'v=1&amp;text=a'],
      ['"><script>alert(1)</script>', '&quot;>&lt;script>alert(1)&lt;/script>'],
      ["$'$`$&$1$$", "$'$`$&amp;$1$$"],
    ] as const)
      expect(insertInitialState(page, state)).toBe(page.replace('lang="en"', () => `lang="en" data-saved="${message}"`));
  });
});

describe('renderFigureTag', () => {
  it('escapes button labels and proofs', () => {
    const kind = {
      ...kinds.similarity,
      readout: () => '<b>',
      proof: () => ({ quantity: '<i>', conclusion: '<u>', residual: 0, tolerance: 1, toleranceSource: '' }),
      actions: () => [{ label: '<img src=x onerror=alert(1)>', fields: () => ({}) }],
    } as never as NonNullable<(typeof kinds)[string]>;
    const spec = readSpec(kind, {});
    const settings = { lock: [], controls: undefined, hasMore: false, maxHeight: undefined };
    const html = renderFigureTag({ kind, spec, results: {}, svg: '', theme: 'light', settings, encodings: [] });
    expect(html).toContain('<button type="button" disabled>&lt;img src=x onerror=alert(1)></button>');
    expect(html).not.toMatch(/<(img|i|u)[ >]/);
  });
});
