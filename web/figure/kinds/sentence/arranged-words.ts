// Signals for the words and their order. They change only when the words change, so that moving an encoding slider does
// not recompute the layout.
import { computed, type ReadonlySignal } from '@preact/signals-core';
import { splitSentence } from '../../compute/sentence-fields.ts';
import type { LiveFigure } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import type { fields, PartialResults } from './compute.ts';

export interface WordSignals {
  readonly text: ReadonlySignal<string | undefined>;
  readonly sentence: ReadonlySignal<ReturnType<typeof splitSentence> | undefined>;
  /** The latest result for the current words; undefined until it is available. Changes only when the weights change. */
  readonly latestResult: ReadonlySignal<LiveFigure<typeof fields, PartialResults>['computed']['value']>;
  /** For each word, whether it has a word vector. The array is replaced only when a value changes. */
  readonly isKnown: ReadonlySignal<readonly boolean[] | undefined>;
}

export function createWordSignals(figure: LiveFigure<typeof fields, PartialResults>): WordSignals {
  const requestedSpec = computed(() => {
    const spec = figure.spec.value;
    return spec instanceof SpecError ? figure.computed.value?.spec : spec;
  });
  const text = computed(() => requestedSpec.value?.text);
  /** The order as a string, so that equal orders compare as equal. */
  const order = computed(() => requestedSpec.value?.order.join(' '));
  const sentence = computed(() =>
    text.value === undefined || order.value === undefined ? undefined : splitSentence(text.value, requestedSpec.peek()?.order ?? []),
  );
  let cachedResult: WordSignals['latestResult']['value'];
  const latestResult = computed(() => {
    const newestResult = figure.partial.value ?? figure.computed.value;
    const isForSentence = newestResult?.results.words.join(' ') === sentence.value?.words.join(' ');
    if (!isForSentence) cachedResult = undefined;
    else if (newestResult?.results.weights !== cachedResult?.results.weights) cachedResult = newestResult;
    return cachedResult;
  });
  let latestKnown: readonly boolean[] | undefined;
  const isKnown = computed(() => {
    const newestKnown = latestResult.value?.results.isKnown;
    if (newestKnown?.join() !== latestKnown?.join()) latestKnown = newestKnown;
    return latestKnown;
  });
  return { text, sentence, latestResult, isKnown };
}
