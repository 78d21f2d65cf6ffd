// web/book/site/faults.json lists exactly the faults of the doctor, and its page has a section with a figure for each.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FAULTS } from '../../../web/engine/doctor/faults.ts';

interface Group {
  readonly title: string;
  readonly libraries: { readonly [name: string]: string };
  readonly faults: {
    readonly [id: string]: { readonly look: string; readonly like: readonly string[]; readonly reports: readonly string[] };
  };
}
const { faultGroups, faultsText } = (await import(join(process.cwd(), 'scripts/book/faults-page.mjs'))) as {
  faultGroups: () => readonly Group[];
  faultsText: (modules: object) => string;
};
const groups = faultGroups();
const all = groups.flatMap(({ faults }) => Object.entries(faults));

it('lists every fault once, with its appearance and the setting in five libraries', () => {
  expect(all.map(([id]) => id).sort()).toEqual(Object.keys(FAULTS).sort());
  for (const { libraries } of groups) expect(Object.keys(libraries)).toEqual(['transformers', 'vLLM', 'SGLang', 'llama.cpp', 'MLX']);
  for (const [id, { look, reports }] of all) {
    expect(look, id).toMatch(/^[A-Z0-9].*\.$/i);
    for (const report of reports) expect(report).toMatch(/^[\w.-]+\/[\w.-]+#\d+$/);
  }
});

it('has a section for each fault with its sentence, figure and fix', () => {
  const sections = new Map(
    faultsText({ FAULTS })
      .split(/^### /m)
      .slice(1)
      .map((section) => [section.slice(0, section.indexOf('\n')).replaceAll(' ', '_'), section]),
  );
  expect([...sections.keys()]).toEqual(all.map(([id]) => id));
  for (const [id, section] of sections) {
    const [sentence = '', change = ''] = FAULTS[id] ?? [];
    const plain = section.replaceAll(/\*(\w+)\*/g, '{$1}');
    expect(plain).toContain(`> ${sentence}`);
    expect(plain).toContain(change);
    expect(section).toContain(`::: figure kind=doctor fault=${id} compact`);
  }
});

it('links the list and similar faults to existing sections', () => {
  const text = faultsText({ FAULTS });
  const headings = [...text.matchAll(/^###? (.*)$/gm)].map(([, title = '']) => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'));
  const links = [...text.matchAll(/\]\(#([\w-]+)\)/g)].map(([, to]) => to);
  expect(links.length).toBeGreaterThan(all.length);
  expect(links.filter((to) => !headings.includes(to as string))).toEqual([]);
});
