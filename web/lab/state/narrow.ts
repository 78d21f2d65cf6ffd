// Whether the layout has a single column, as on a phone. The style sheets use the same width.
import { signal } from '@preact/signals-core';

const query = matchMedia('(max-width: 860px)');

export const narrow = signal(query.matches);
query.addEventListener('change', () => {
  narrow.value = query.matches;
});
