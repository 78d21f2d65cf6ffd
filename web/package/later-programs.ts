// In the first file of phasor/figure, in the place of what is in the second one, beside it: programs, what parameters mean, and some work that few
// figures do or that begins when a reader asks for it (scripts/vite/later-programs.mjs).
import { type ReadonlySignal, signal } from '@preact/signals-core';
import { messageOf } from '../engine/thrown.ts';
import type { fieldHelp as fieldHelpOf } from '../figure/field-help.ts';
import type { parameterHelp as helpOf } from '../figure/parameter-help.ts';
import type { codeFiles as filesOf } from '../figure/take-away/code-files.ts';
import { WORDS } from '../figure/words.ts';
import type * as Programs from './figure-programs.ts';

let file: typeof Programs | undefined;
let problem: unknown;
let loading: Promise<void> | undefined;
const here = signal(false);

export const programsAreHere: ReadonlySignal<boolean> = here;

/** The next figure that is ready tries again what has failed. */
export function loadPrograms(): Promise<void> {
  loading ??= import('./figure-programs.js' as string)
    .then(
      (loaded: typeof Programs) => {
        file = loaded;
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

/** None until the other file is here; the menu then asks again. */
export const codeFiles: typeof filesOf = (spec) => file?.codeFiles(spec) ?? {};

/** Nothing until the other file is here; the controls then ask again. */
export const parameterHelp: typeof helpOf = (encoding, { name }) => (here.value && file?.parameterHelp(encoding, name)) || '';

export const fieldHelp: typeof fieldHelpOf = (name) => (here.value && file?.fieldHelp(name)) || '';

/** A function of the other file, which is asynchronous anyway. */
const later =
  <Name extends 'channelOrder' | 'npyFile' | 'readFile' | 'requirementNumbers'>(name: Name) =>
  async (...args: Parameters<(typeof Programs)[Name]>) => {
    await loadPrograms();
    if (!file) throw new Error(WORDS.noSecondFile(messageOf(problem)));
    return (file[name] as (...args: unknown[]) => ReturnType<(typeof Programs)[Name]>)(...args);
  };
export const channelOrder = /* @__PURE__ */ later('channelOrder');
export const npyFile = /* @__PURE__ */ later('npyFile');
export const readFile = /* @__PURE__ */ later('readFile');
export const requirementNumbers = /* @__PURE__ */ later('requirementNumbers');

/** What a kind has as its `code`, to be called when the other file is here. */
export const codeOf =
  (id: string) =>
  (...args: never) => {
    const code = file?.programs[id];
    if (!code) throw new Error(WORDS.noPrograms(problem instanceof Error ? problem.message : undefined));
    return code(...args);
  };
