// Whether figures as programs can be asked for. Most pages never show one, so the package has them in a second file that comes after the first
// picture (web/package/later-programs.ts takes the place of this one); elsewhere they are here from the beginning.
import { type ReadonlySignal, signal } from '@preact/signals-core';

/** Also true when they could not be loaded: asking then throws one sentence. */
export const programsAreHere: ReadonlySignal<boolean> = signal(true);

/** Never rejects. */
export const loadPrograms = (): Promise<void> => Promise.resolve();
