// Collects the files that a Python program needs: its data, and the source code of the reference programs that it imports.
import type { Tensor } from '../../engine/index.ts';
import type { SourceCode } from '../contract/kind.ts';
import { encodeNpy } from './npy.ts';
import { referenceTexts } from './reference-texts.ts';

export const REFERENCE_FILES: { readonly [file: string]: string } = Object.fromEntries(
  Object.entries(referenceTexts).map(([path, text]) => [path.slice(path.lastIndexOf('/') + 1), text]),
);

/** Finds the reference programs that a program imports, directly or indirectly, and sorts them by name. */
export function findImportedReferences(program: string): string[] {
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

export const collectProgramFiles = ({ python, data }: SourceCode): SourceCode['data'] => ({
  ...data,
  ...Object.fromEntries(findImportedReferences(python).map((file) => [file, REFERENCE_FILES[file] ?? ''])),
});

export const encodeContent = (content: Tensor | string): Uint8Array<ArrayBuffer> =>
  typeof content === 'string' ? new TextEncoder().encode(content) : encodeNpy(content);
