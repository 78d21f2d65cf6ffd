// The encoding filters of figures select exactly the encodings that the core accepts.
import { describe, expect, it } from 'vitest';
import { sinusoids } from '../../web/engine/analysis.ts';
import { FILTERS, matchesFilter } from '../../web/figure/contract/offered.ts';
import { phasor } from './kinds/table-figures.ts';

const { encodings } = phasor;
const idsFor = (need: keyof typeof FILTERS): string[] => encodings.filter((info) => matchesFilter(FILTERS[need], info)).map(({ id }) => id);
/** The ids that the core accepts; its errors for the others must have the right code. */
async function acceptedIds(call: (id: string) => unknown): Promise<string[]> {
  const ids: string[] = [];
  for (const { id } of encodings) {
    try {
      if (await call(id)) ids.push(id);
    } catch (thrown) {
      expect(String(thrown), id).toMatch(
        /has no (table|angles)|rotates by token tensors|does not rotate pairs|is not sinusoidal|coordinates/,
      );
    }
  }
  return ids;
}

describe('matchesFilter', () => {
  it('selects for clocks the encodings on one axis whose table consists of sine-cosine pairs', async () => {
    const paired = await acceptedIds(async (id) => {
      const { sine, cosine } = await sinusoids(phasor, { encoding: id, dim: 8 });
      return encodings.find((entry) => entry.id === id)?.axes === 1 && sine.data.length > 0 && cosine.data.every((channel) => channel >= 0);
    });
    expect(idsFor('waves')).toEqual(paired);
    expect(paired.length).toBeGreaterThan(3);
  });

  it('selects for rotation the encodings that have rotary angles', async () => {
    expect(idsFor('rotation')).toEqual(await acceptedIds((id) => phasor.rotaryAngles({ encoding: id, length: 2, dim: 8 })));
  });

  it('judges an encoding without a description by its id', () => {
    expect(matchesFilter(FILTERS.table, { id: 'no_such' })).toBe(true);
    expect(matchesFilter(FILTERS.waves, { id: 'no_such' })).toBe(false);
    expect(matchesFilter({}, { id: 'rope', injection: 'query_key' })).toBe(true);
    expect(matchesFilter(FILTERS.table, { id: 'rope', injection: 'query_key' })).toBe(false);
  });
});
