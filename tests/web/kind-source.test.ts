// Kinds that come one by one are those that a page with all of them has.
import { expect, it } from 'vitest';
import { kindsOnDemand } from '../../web/figure/contract/kinds-on-demand.ts';
import { kinds } from '../../web/figure/contract/registry.ts';

it('has the same kinds on demand as all at once, each by its id', async () => {
  expect(kindsOnDemand.ids).toEqual(Object.keys(kinds));
  for (const id of kindsOnDemand.ids) expect(await kindsOnDemand.load(id)).toBe(kinds[id]);
});
