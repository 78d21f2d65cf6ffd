// A training as a program in PyTorch: public/reference/transformer.py with the config of the reader's figure.
import { PhasorError } from '../../engine/errors.ts';
import type { FullTrainSpec } from '../../engine/index.ts';
import { pytorchConfig } from '../../engine/train/pytorch.ts';

/** Writes the config and runs the file; `--fresh` is left out where weights lie beside it. A comment with the reason where it has no such model. */
export function trainerProgram(spec: FullTrainSpec, name: string, options: readonly string[] = ['--fresh']): string {
  try {
    const corpus = ['text', 'probe', 'masked_text'].includes(spec.task) ? ['--corpus', 'pride-and-prejudice.txt'] : [];
    const words = ['transformer.py', `${name}.json`, ...corpus, ...options].map((word) => `'${word}'`).join(', ');
    return `# Needs transformer.py and the files that it imports, of the folder reference/ of the site.
import runpy
import sys

config = r"""${pytorchConfig(spec).trim()}"""
with open('${name}.json', 'w') as file:
    file.write(config)
sys.argv = [${words}]
runpy.run_path('transformer.py', run_name='__main__')
`;
  } catch (thrown) {
    return `# ${PhasorError.from(thrown).message}\n`;
  }
}
