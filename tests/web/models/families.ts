// The model families, by their names in the reference.

import { bert } from './bert.ts';
import { bloom } from './bloom.ts';
import { Checkpoint } from './checkpoint.ts';
import type { Family } from './family.ts';
import { gptNeox } from './gpt-neox.ts';
import { gpt2 } from './gpt2.ts';
import { gptj } from './gptj.ts';
import { llama } from './llama.ts';
import { opt } from './opt.ts';
import type { Reference } from './reference.ts';
import { SafeTensors } from './safetensors.ts';
import { t5 } from './t5.ts';

export const families: Readonly<Record<string, Family>> = { bert, bloom, gpt2, gpt_neox: gptNeox, gptj, llama, opt, qwen2: llama, t5 };

export interface ModelFiles {
  readonly config: object;
  /** Contents of model.safetensors. */
  readonly bytes: Uint8Array;
  readonly expected: Reference;
}

export function readModel({ config, bytes, expected }: ModelFiles): { family: Family; model: Checkpoint } {
  if (expected.schema !== 'phasor-model-golden-1') throw new Error(`unknown schema ${expected.schema}`);
  const family = Object.hasOwn(families, expected.family) ? families[expected.family] : undefined;
  if (!family) throw new Error(`the family ${expected.family} is not known`);
  return { family, model: new Checkpoint(config, new SafeTensors(bytes), family.prefix) };
}
