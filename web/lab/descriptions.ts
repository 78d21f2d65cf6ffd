// Descriptions of encodings, loaded after the first picture, which does not need them.
import { signal } from '@preact/signals-core';
import type { EncodingDescription } from '../encodings/description.ts';

const known = signal<{ readonly [id: string]: EncodingDescription }>({});

export const descriptionOf = (id: string): EncodingDescription | undefined => known.value[id];
/** The title of an encoding; its id until the descriptions are loaded. */
export const titleOf = (id: string): string => descriptionOf(id)?.title ?? id;

/** Whether descriptions are loaded, or loading has failed. */
export const described = signal(false);

export async function loadDescriptions(): Promise<void> {
  try {
    known.value = (await import('../encodings/description.ts')).encodingDescriptions;
  } finally {
    described.value = true;
  }
}
