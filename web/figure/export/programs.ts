// Whether figures as programs can be asked for. Most pages never show one, so the package has them in a second file that comes after the first
// picture (web/package/later-programs.ts takes the place of this one); elsewhere they are here from the beginning.
import { type ReadonlySignal, signal } from '@preact/signals-core';

/** Asking for one throws one sentence unless they are here. */
export type ProgramsState = 'coming' | 'here' | 'failed';
export const programsState: ReadonlySignal<ProgramsState> = signal('here');

/** Rejects with one sentence where they cannot be had; the next call tries again. */
export const loadPrograms = (): Promise<void> => Promise.resolve();
