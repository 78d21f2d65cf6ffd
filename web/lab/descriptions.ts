// Descriptions of encodings. They are loaded later, because the first picture does not need them.
import { signal } from '@preact/signals-core';
import type { EncodingDescription } from '../encodings/description.ts';

const descriptions = signal<{ readonly [id: string]: EncodingDescription }>({});

export const findDescription = (id: string): EncodingDescription | undefined => descriptions.value[id];
/** Returns the title of an encoding, or its id until the descriptions are loaded. */
export const getEncodingTitle = (id: string): string => findDescription(id)?.title ?? id;

/** Whether the descriptions are loaded or could not be loaded. */
export const areDescriptionsSettled = signal(false);

export async function loadDescriptions(): Promise<void> {
  try {
    descriptions.value = (await import('../encodings/description.ts')).encodingDescriptions;
  } finally {
    areDescriptionsSettled.value = true;
  }
}
