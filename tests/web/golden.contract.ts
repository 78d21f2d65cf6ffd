// The golden cases through the package's own functions: their results are compared with independent reference implementations. The
// C++ program (tests/cpp/golden) runs the same files against the library; the runners here read every param as those do.
// Independent of a test runner, like engine.contract.ts.

import type { AnyPhasor, ContractCase } from './engine.contract.ts';
import { attentions } from './golden/attention.ts';
import { Case, type GoldenFile, type Methods } from './golden/case.ts';
import { gradients } from './golden/gradients.ts';
import { imageRotations } from './golden/image-rotations.ts';
import { layers } from './golden/layers.ts';
import { ropeScalings } from './golden/rope-scaling.ts';
import { rotations } from './golden/rotations.ts';
import { scores } from './golden/scores.ts';
import { tables } from './golden/tables.ts';

export const families = [
  'alibi',
  'attention',
  'attention_medium',
  'bias_other',
  'fourier',
  'grad',
  'pos2d',
  'rope',
  'rope_scaling',
  'shaw',
  'simple',
  'sinusoidal',
  't5',
] as const;

/** Methods that no function of the package answers, and why. Only the C++ program runs them. */
export const onlyInCpp: Readonly<Record<string, string>> = {
  cope_bias: 'the gates are given: cope inside attention makes its own',
  transformer_xl_rel_shift: 'a step inside Transformer-XL, for code that is ported',
  deberta_log_bucket: 'buckets before they are clipped: attention has only those after',
  nope_attention_temperature: 'a number per layer of a model, not an encoding',
  irope_layer_pattern: 'a choice of layers of a model, not an encoding',
};

const methods: Methods = {
  ...tables,
  ...scores,
  ...rotations,
  ...imageRotations,
  ...ropeScalings,
  ...attentions,
  ...gradients,
  ...layers,
};

/** The cases of a file that the package can answer; a method that is not known becomes a case that fails. */
export function goldenCases(file: GoldenFile): readonly ContractCase[] {
  if (file.schema !== 'phasor-golden-1') throw new Error(`the schema ${file.schema} is not known`);
  return file.cases
    .filter(({ method }) => !Object.hasOwn(onlyInCpp, method))
    .map((entry) => ({
      name: `${entry.id} (${entry.method})`,
      run: async (phasor: AnyPhasor) => {
        const runner = Object.hasOwn(methods, entry.method) ? methods[entry.method] : undefined;
        if (!runner) throw new Error(`unknown method ${entry.method}`);
        const one = new Case(entry, file.tensors ?? {});
        await runner(one, phasor);
        one.finish();
      },
    }));
}
