// The files of a Python program: its data, and the source code of the reference programs that it imports.
import type { Tensor } from '../../engine/index.ts';
import type { SourceCode } from '../contract/kind.ts';
import { npyBytes } from './npy.ts';
import { texts } from './reference-texts.ts';

/** The reference programs by file name, such as 'rope.py'. */
export const REFERENCE_FILES: { readonly [file: string]: string } = Object.fromEntries(
  Object.entries(texts).map(([path, text]) => [path.slice(path.lastIndexOf('/') + 1), text]),
);

/** The reference programs that a program imports, directly or indirectly, in sorted order. */
export function importedReferences(program: string): string[] {
  const files = new Set<string>();
  const collectImports = (text: string): void => {
    for (const [, module] of text.matchAll(/^from (\w+) import/gm)) {
      const file = `${module}.py`;
      const source = REFERENCE_FILES[file];
      if (source === undefined || files.has(file)) continue;
      files.add(file);
      collectImports(source);
    }
  };
  collectImports(program);
  return [...files].sort();
}

/** The files that a Python program imports and reads, by name. */
export const filesOf = ({ python, data }: SourceCode): SourceCode['data'] => ({
  ...data,
  ...Object.fromEntries(importedReferences(python).map((file) => [file, REFERENCE_FILES[file] ?? ''])),
});

export const bytesOf = (content: Tensor | string): Uint8Array<ArrayBuffer> =>
  typeof content === 'string' ? new TextEncoder().encode(content) : npyBytes(content);
