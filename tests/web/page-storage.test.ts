// Storage in the browser reports a text as stored only if it is, and the reason otherwise.
import { afterEach, expect, it, vi } from 'vitest';
import { storeText } from '../../web/service-worker/page-storage.ts';

afterEach(() => vi.unstubAllGlobals());

it('stores a text, and distinguishes a full storage from a forbidden one', () => {
  const storage = new Map<string, string>();
  vi.stubGlobal('localStorage', { setItem: (name: string, text: string) => storage.set(name, text) });
  expect(storeText('steps', '[1]')).toBe('stored');
  expect(storage.get('steps')).toBe('[1]');
  for (const [name, reason] of [
    ['QuotaExceededError', 'full'],
    ['NS_ERROR_DOM_QUOTA_REACHED', 'full'],
    ['SecurityError', 'forbidden'],
  ]) {
    vi.stubGlobal('localStorage', {
      setItem: () => {
        throw new DOMException('no', name);
      },
    });
    expect(storeText('steps', '[2]'), name).toBe(reason);
  }
  vi.stubGlobal('localStorage', undefined);
  expect(storeText('steps', '[3]')).toBe('forbidden');
});
