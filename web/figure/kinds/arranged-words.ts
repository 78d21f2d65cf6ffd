// The words of a figure in their order, as signals that stay the same while neither changes: a slider of the encoding lays out nothing anew.
import { computed, type ReadonlySignal } from '@preact/signals-core';
import type { LiveFigure } from '../kind.ts';
import { arranged } from '../sentence-fields.ts';
import { SpecError } from '../spec.ts';
import type { fields, Numbers } from './sentence-numbers.ts';

export interface ArrangedWords {
  readonly text: ReadonlySignal<string | undefined>;
  readonly sentence: ReadonlySignal<ReturnType<typeof arranged> | undefined>;
  /** What was computed of these words: numbers of another sentence are not drawn over them. */
  readonly computedOf: ReadonlySignal<LiveFigure<typeof fields, Numbers>['computed']['value']>;
  /** Whether each word has a vector. */
  readonly known: ReadonlySignal<readonly boolean[] | undefined>;
}

export function arrangedWords(figure: LiveFigure<typeof fields, Numbers>): ArrangedWords {
  const said = computed(() => {
    const asked = figure.spec.value;
    return asked instanceof SpecError ? figure.computed.value?.spec : asked;
  });
  const text = computed(() => said.value?.text);
  /** As text, which is equal for equal orders. */
  const order = computed(() => said.value?.order.join(' '));
  const sentence = computed(() =>
    text.value === undefined || order.value === undefined ? undefined : arranged(text.value, said.peek()?.order ?? []),
  );
  const computedOf = computed(() => {
    const latest = figure.computed.value;
    return latest?.numbers.words.join(' ') === sentence.value?.words.join(' ') ? latest : undefined;
  });
  let latestKnown: readonly boolean[] | undefined;
  const known = computed(() => {
    const now = computedOf.value?.numbers.known;
    if (now?.join() !== latestKnown?.join()) latestKnown = now;
    return latestKnown;
  });
  return { text, sentence, computedOf, known };
}
