// What is below a figure that takes files of the reader's own.
import { either } from '../../views/english.ts';

export const BUTTON_WORDS = {
  button: 'Open a file …',
  hint: (types: readonly string[]) => `or drop or paste one here: ${either.format(types)}`,
  shown: (name: string) => `Shown: ${name}.`,
  back: 'Back',
  onlyOne: (count: number) => `${count} files were dropped; a figure shows one at a time`,
  notFile: 'what was dropped is not a file',
} as const;
