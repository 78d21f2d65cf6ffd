// Generates the command that trains a figure's model in PyTorch with public/reference/transformer.py.
import { PhasorError } from '../../engine/errors.ts';
import type { ResolvedTrainConfig } from '../../engine/index.ts';
import { createPytorchConfig } from '../../engine/train/pytorch.ts';
import type { ProgramFiles } from '../contract/kind.ts';

/**
 * Returns the command as a comment, and the config file that the command reads. If transformer.py cannot train this
 * model, the comment contains the reason. Without --fresh, training continues from the weights in the current folder.
 */
export function createTrainerCommand(
  config: ResolvedTrainConfig,
  name: string,
  options: readonly string[] = ['--fresh'],
): { readonly comment: string; readonly data: ProgramFiles } {
  try {
    const configText = createPytorchConfig(config);
    const corpus = ['text', 'probe', 'masked_text'].includes(config.task) ? ['--corpus', 'pride-and-prejudice.txt'] : [];
    const command = ['python', 'transformer.py', `${name}.json`, ...corpus, ...options];
    return { comment: `# Training in PyTorch: ${command.join(' ')}`, data: { [`${name}.json`]: configText } };
  } catch (thrown) {
    return { comment: `# ${PhasorError.from(thrown).message}`, data: {} };
  }
}
