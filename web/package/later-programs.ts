// In phasor/figure, in the place of web/figure/take-away/programs.ts: programs are in the file beside this one (scripts/vite/later-programs.mjs).
import { type ReadonlySignal, signal } from '@preact/signals-core';
import { WORDS } from '../figure/words.ts';
import type { programs } from './figure-programs.ts';

let file: typeof programs | undefined;
let problem: unknown;
let loading: Promise<void> | undefined;
const here = signal(false);

export const programsAreHere: ReadonlySignal<boolean> = here;

/** The next figure that is ready tries again what has failed. */
export function loadPrograms(): Promise<void> {
  loading ??= import('./figure-programs.js' as string)
    .then(
      (loaded) => {
        file = loaded.programs;
      },
      (thrown: unknown) => {
        problem = thrown;
        loading = undefined;
      },
    )
    .then(() => {
      here.value = true;
    });
  return loading;
}

/** What a kind has as its `code`, to be called when the other file is here. */
export const codeOf =
  (id: string) =>
  (...args: never) => {
    const code = file?.[id];
    if (!code) throw new Error(WORDS.noPrograms(problem instanceof Error ? problem.message : undefined));
    return code(...args);
  };
