// Kinds loaded on demand are those of a page with all kinds.
import { expect, it, vi } from 'vitest';
import { kinds } from '../../web/figure/contract/all-kinds.ts';
import { onDemandKindSource } from '../../web/figure/contract/kinds-on-demand.ts';
import { type AnyKind, createKindSource, fetchKind } from '../../web/figure/contract/registry.ts';

it('loads the same kinds on demand as the full registry', async () => {
  expect(onDemandKindSource.ids).toEqual(Object.keys(kinds));
  for (const id of onDemandKindSource.ids) expect(await onDemandKindSource.load(id)).toBe(kinds[id]);
});

it('reports a kind that does not load within 30 s, and accepts it later', async () => {
  vi.useFakeTimers();
  let resolveSource = (): void => {};
  const source = createKindSource({
    './table/index.ts': () =>
      new Promise((resolve) => {
        resolveSource = () => resolve({ kind: kinds.table as AnyKind });
      }),
  });
  const messages: (string | undefined)[] = [];
  const loading = fetchKind(source, 'table', (problem) => messages.push(problem?.message));
  await vi.advanceTimersByTimeAsync(29_000);
  expect(messages).toEqual([]);
  await vi.advanceTimersByTimeAsync(2_000);
  await loading;
  expect(messages).toEqual(['kind: table could not be loaded (no response within 30 s)']);
  resolveSource();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(messages).toHaveLength(2);
  expect([messages[1], source.get('table')]).toEqual([undefined, kinds.table]);
  vi.useRealTimers();
});
