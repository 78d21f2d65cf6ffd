// Converts the golden cases in tests/golden to functions that test an engine. They need no test runner.
import type { AnyPhasor } from './any-phasor.ts';
import { attentions } from './golden/attention.ts';
import { attentionOptions } from './golden/attention-options.ts';
import { Case, type GoldenFile, type Methods } from './golden/case.ts';
import { contentPositions } from './golden/content-position.ts';
import { frontierDape } from './golden/frontier-dape.ts';
import { frontierEncodings } from './golden/frontier-encodings.ts';
import { gradients } from './golden/gradients.ts';
import { imageRotations } from './golden/image-rotations.ts';
import { latentAttention } from './golden/latent-attention.ts';
import { layers } from './golden/layers.ts';
import { modelFamilies } from './golden/model-families.ts';
import { modelLayers } from './golden/model-layers.ts';
import { ropeScalings } from './golden/rope-scaling.ts';
import { rotations } from './golden/rotations.ts';
import { scores } from './golden/scores.ts';
import { tables } from './golden/tables.ts';

export type { GoldenFile };

/** A golden case. `run` rejects with an Error if the engine's result differs from the reference. */
export interface GoldenCase {
  readonly name: string;
  readonly run: (phasor: AnyPhasor) => Promise<void>;
}

/** Methods of golden cases that only the C++ tests run, each with the reason why the package has no such function. */
export const cppOnlyMethods: Readonly<Record<string, string>> = {
  cope_bias: 'the case provides the gates, but cope computes them from queries and keys',
  transformer_xl_rel_shift: 'an intermediate step of Transformer-XL, for ports of its code',
  deberta_log_bucket: 'buckets before clipping; attention uses only clipped buckets',
  nope_attention_temperature: 'one factor per layer of a model, not an encoding',
  irope_layer_pattern: 'a pattern of layers in a model, not an encoding',
};

const methods: Methods = {
  ...tables,
  ...scores,
  ...rotations,
  ...imageRotations,
  ...ropeScalings,
  ...attentions,
  ...attentionOptions,
  ...gradients,
  ...contentPositions,
  ...layers,
  ...modelLayers,
  ...modelFamilies,
  ...frontierDape,
  ...frontierEncodings,
  ...latentAttention,
};

/** Creates the cases of a golden file, except those for C++ only. Running a case with an unknown method fails. */
export function createGoldenCases(file: GoldenFile): readonly GoldenCase[] {
  if (file.schema !== 'phasor-golden-1') throw new Error(`unknown schema ${file.schema}`);
  return file.cases
    .filter(({ method }) => !Object.hasOwn(cppOnlyMethods, method))
    .map((entry) => ({
      name: `${entry.id} (${entry.method})`,
      run: async (phasor: AnyPhasor) => {
        const runner = Object.hasOwn(methods, entry.method) ? methods[entry.method] : undefined;
        if (!runner) throw new Error(`unknown method ${entry.method}`);
        const testCase = new Case(entry, file.tensors ?? {});
        await runner(testCase, phasor);
        testCase.finish();
      },
    }));
}
