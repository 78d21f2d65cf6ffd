// Describes the positions in a pasted config.json.
import { PhasorError } from '../../engine/errors.ts';
import type { RemotePhasor } from '../../engine/index.ts';
import { writeConfigSentence } from '../../figure/compute/config-sentence.ts';
import { parseConfig, TEXT_CONFIG_KEYS } from '../../figure/compute/rope-config.ts';
import { FieldError } from '../../figure/contract/fields.ts';
import { startEngine } from '../../figure/runtime/engine.ts';
import { printLink } from '../../lab/state/link.ts';
import { INITIAL_STATE } from '../../lab/state/state.ts';
import { fromRoot } from '../site.ts';
import { MODEL_STRINGS as STRINGS } from '../strings.ts';

export interface ConfigAnswer {
  /** A sentence about the layers, or the reason why the file was rejected. */
  readonly answerText: string;
  readonly model_type?: string;
  readonly labUrl?: string;
}

let engine: Promise<RemotePhasor> | undefined;

export async function describeConfig(text: string): Promise<ConfigAnswer> {
  try {
    const config = parseConfig(text, STRINGS) ?? {};
    engine ??= startEngine(false);
    const { sentence, layers } = await writeConfigSentence(config, await engine);
    const configs = [config, ...TEXT_CONFIG_KEYS.map((name) => config[name] as { readonly model_type?: unknown } | undefined)];
    const model_type = configs.map((partConfig) => partConfig?.model_type).find((name) => typeof name === 'string') as string | undefined;
    const figureFields = { 'layers.config': JSON.stringify(config) };
    return {
      answerText: sentence,
      ...(model_type === undefined ? {} : { model_type }),
      ...(layers
        ? {
            labUrl: `${fromRoot('lab/').href}#${printLink({ ...INITIAL_STATE, question: 'reach', view: 'layers', figures: figureFields })}`,
          }
        : {}),
    };
  } catch (thrown) {
    return { answerText: thrown instanceof FieldError ? thrown.message : `${PhasorError.from(thrown).message}.` };
  }
}
