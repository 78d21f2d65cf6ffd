// docs/doctor-faults.md has every fault with its sentence and its change, and no other.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FAULTS } from '../../../web/engine/doctor/faults.ts';

it('has a section for each fault, with the sentence of its report and the change', () => {
  const plain = readFileSync('docs/doctor-faults.md', 'utf8').replaceAll(/\n(?:> )?(?=[^\n#>|])/g, ' ');
  const sections = [...plain.matchAll(/### (\w+)[\s\S]*?(?=\n##|$)/g)].map(([text, id]) => ({ id: id as string, text }));
  expect(sections.map(({ id }) => id).sort()).toEqual(Object.keys(FAULTS).sort());
  for (const { id, text } of sections) for (const sentence of FAULTS[id] ?? []) expect(text).toContain(sentence);
});
