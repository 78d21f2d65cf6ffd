// The words of a figure in their order, as signals that change only with them, so that a slider of the encoding changes no layout.
import { computed, type ReadonlySignal } from '@preact/signals-core';
import { arranged } from '../../compute/sentence-fields.ts';
import type { LiveFigure } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import type { fields, Shown } from './compute.ts';

export interface ArrangedWords {
  readonly text: ReadonlySignal<string | undefined>;
  readonly sentence: ReadonlySignal<ReturnType<typeof arranged> | undefined>;
  /** The numbers of the present words, never those of another sentence. Unchanged if only the sentences about them changed. */
  readonly computedOf: ReadonlySignal<LiveFigure<typeof fields, Shown>['computed']['value']>;
  /** Whether each word has a vector; the same array while the values are equal. */
  readonly known: ReadonlySignal<readonly boolean[] | undefined>;
}

export function arrangedWords(figure: LiveFigure<typeof fields, Shown>): ArrangedWords {
  const message = computed(() => {
    const requested = figure.spec.value;
    return requested instanceof SpecError ? figure.computed.value?.spec : requested;
  });
  const text = computed(() => message.value?.text);
  /** As text, for comparison. */
  const order = computed(() => message.value?.order.join(' '));
  const sentence = computed(() =>
    text.value === undefined || order.value === undefined ? undefined : arranged(text.value, message.peek()?.order ?? []),
  );
  let latest: ArrangedWords['computedOf']['value'];
  const computedOf = computed(() => {
    const now = figure.partial.value ?? figure.computed.value;
    const isForSentence = now?.numbers.words.join(' ') === sentence.value?.words.join(' ');
    if (!isForSentence) latest = undefined;
    else if (now?.numbers.weights !== latest?.numbers.weights) latest = now;
    return latest;
  });
  let latestKnown: readonly boolean[] | undefined;
  const known = computed(() => {
    const now = computedOf.value?.numbers.known;
    if (now?.join() !== latestKnown?.join()) latestKnown = now;
    return latestKnown;
  });
  return { text, sentence, computedOf, known };
}
