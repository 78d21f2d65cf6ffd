// In the first file of phasor/figure, in the place of what is in the second one, beside it: programs, what parameters mean, and some work that few
// figures do or that begins when a reader asks for it (scripts/site/later-programs.mjs).
import { type ReadonlySignal, signal } from '@preact/signals-core';
import { WAIT } from '../engine/compile.ts';
import { messageOf } from '../engine/thrown.ts';
import { WORDS } from '../figure/contract/words.ts';
import type { fieldHelp as fieldHelpOf } from '../figure/controls/field-help.ts';
import type { parameterHelp as helpOf } from '../figure/controls/parameter-help.ts';
import type { codeFiles as filesOf } from '../figure/export/code-files.ts';
import type { ProgramsState } from '../figure/export/programs.ts';
import type * as Programs from './figure-programs.ts';

let file: typeof Programs | undefined;
let problem: string | undefined;
let loading: Promise<typeof Programs> | undefined;
const state = signal<ProgramsState>('coming');

export const programsState: ReadonlySignal<ProgramsState> = state;

/** The next figure that is ready tries again what has failed. A file that never comes has failed too, until it comes. */
function load(): Promise<typeof Programs> {
  loading ??= new Promise((resolve, reject) => {
    const failed = (why: string): void => {
      problem = why;
      loading = undefined;
      state.value = 'failed';
      reject(new Error(WORDS.noSecondFile(why)));
    };
    const timer = setTimeout(() => failed(WORDS.noAnswer(WAIT / 1000)), WAIT);
    import('./figure-programs.js' as string)
      .then(
        (loaded: typeof Programs) => {
          file = loaded;
          state.value = 'here';
          resolve(loaded);
        },
        (thrown: unknown) => failed(messageOf(thrown)),
      )
      .finally(() => clearTimeout(timer));
  });
  return loading;
}

export const loadPrograms = (): Promise<void> => load().then(() => {});

/** None until the other file is here; the menu then asks again. */
export const codeFiles: typeof filesOf = (spec) => file?.codeFiles(spec) ?? {};

/** Nothing until the other file is here; the controls then ask again. */
export const parameterHelp: typeof helpOf = (encoding, { name }) => (state.value === 'here' && file?.parameterHelp(encoding, name)) || '';

export const fieldHelp: typeof fieldHelpOf = (name) => (state.value === 'here' && file?.fieldHelp(name)) || '';

/** A function of the other file, which is asynchronous anyway. */
const later =
  <Name extends 'channelOrder' | 'npyFile' | 'readFile' | 'requirementNumbers'>(name: Name) =>
  async (...args: Parameters<(typeof Programs)[Name]>) => {
    const loaded = await load();
    return (loaded[name] as (...args: unknown[]) => ReturnType<(typeof Programs)[Name]>)(...args);
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
    if (!code) throw new Error(WORDS.noPrograms(problem));
    return code(...args);
  };
