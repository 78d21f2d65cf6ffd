// Sentences about all layers.
import type { Group, Layers } from './compute.ts';
import { strings } from './strings.ts';

/** Maximum number of runs of equal layers in a sentence. */
const MOST_RUNS = 4;

/** 'gpt-oss-20b: 24 layers, a pattern of 2 that repeats.' */
export function headline({ name, layers, groups, period }: Layers): string {
  if (groups.length === 1) return strings.alike(name, layers.length);
  return period > 0 ? strings.pattern(name, layers.length, period) : strings.irregular(name, layers.length, groups.length);
}

/** Consecutive equal layers within the pattern. */
function runsOf({ groupOf, period, groups }: Layers): readonly { readonly group: Group; readonly count: number }[] {
  const runs: { group: Group; count: number }[] = [];
  groupOf.slice(0, period || groupOf.length).forEach((group, at) => {
    const last = runs.at(-1);
    if (last && groupOf[at - 1] === group) last.count++;
    else runs.push({ group: groups[group] as Group, count: 1 });
  });
  return runs;
}

const printOf = ({ layer }: Group): string => JSON.stringify(layer.encoding);

/** The pattern layer by layer, its encoding once if there is only one; only the kinds of layers if it is long. */
function inOrder(numbers: Layers): readonly string[] {
  const { groups, context } = numbers;
  const [first] = groups as readonly [Group];
  if (groups.length === 1) return [strings.alikeAll(first.layer, context)];
  const isAlike = groups.every((group) => printOf(group) === printOf(first));
  const runs = runsOf(numbers);
  return [
    ...(isAlike ? [strings.alikeIn(first.layer)] : []),
    runs.length <= MOST_RUNS
      ? strings.runs(runs.map(({ group, count }) => strings.run(count, group.layer, context, isAlike)))
      : strings.groups(groups.slice(0, MOST_RUNS).map(({ layer, count }) => strings.group(layer, context, count))),
  ];
}

/** The headline, the pattern, and the common properties. */
export function summary(numbers: Layers): string {
  return [headline(numbers), ...inOrder(numbers), strings.everywhere(numbers.groups.map(({ layer }) => layer))].filter(Boolean).join(' ');
}
