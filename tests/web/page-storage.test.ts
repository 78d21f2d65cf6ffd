// What pages keep in a browser: said to be kept only where it is, and why not.
import { afterEach, expect, it, vi } from 'vitest';
import { storeText } from '../../web/service-worker/page-storage.ts';

afterEach(() => vi.unstubAllGlobals());

it('keeps a text, and tells a full storage from one that is forbidden', () => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', { setItem: (name: string, text: string) => kept.set(name, text) });
  expect(storeText('steps', '[1]')).toBe('kept');
  expect(kept.get('steps')).toBe('[1]');
  for (const [name, why] of [
    ['QuotaExceededError', 'full'],
    ['NS_ERROR_DOM_QUOTA_REACHED', 'full'],
    ['SecurityError', 'forbidden'],
  ]) {
    vi.stubGlobal('localStorage', {
      setItem: () => {
        throw new DOMException('no', name);
      },
    });
    expect(storeText('steps', '[2]'), name).toBe(why);
  }
  vi.stubGlobal('localStorage', undefined);
  expect(storeText('steps', '[3]')).toBe('forbidden');
});
