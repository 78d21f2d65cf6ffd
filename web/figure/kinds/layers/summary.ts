// What is said of all layers at once.
import type { Group, Layers } from './numbers.ts';
import { words } from './words.ts';

/** Runs of equal layers that a sentence may name. */
const MOST_RUNS = 4;

/** 'gpt-oss-20b: 24 layers, a pattern of 2 that repeats.' */
export function headline({ name, layers, groups, period }: Layers): string {
  if (groups.length === 1) return words.alike(name, layers.length);
  return period > 0 ? words.pattern(name, layers.length, period) : words.irregular(name, layers.length, groups.length);
}

/** Equal layers that follow each other, within the pattern. */
function runsOf({ groupOf, period, groups }: Layers): readonly { readonly group: Group; readonly count: number }[] {
  const runs: { group: Group; count: number }[] = [];
  groupOf.slice(0, period || groupOf.length).forEach((group, at) => {
    const last = runs.at(-1);
    if (last && groupOf[at - 1] === group) last.count++;
    else runs.push({ group: groups[group] as Group, count: 1 });
  });
  return runs;
}

/** The headline, the pattern layer by layer, and what all layers have. */
export function summary(numbers: Layers): string {
  const { groups, context, layers } = numbers;
  const runs = groups.length === 1 ? [{ group: groups[0] as Group, count: layers.length }] : runsOf(numbers);
  return [
    headline(numbers),
    ...(runs.length <= MOST_RUNS ? [words.runs(runs.map(({ group, count }) => words.run(count, group.layer, context)))] : []),
    words.everywhere(groups.map(({ layer }) => layer)),
  ]
    .filter(Boolean)
    .join(' ');
}
