// What a pasted config.json does with position in one sentence, and its layers for the figure `layers`.

import { PhasorError } from '../../engine/errors.ts';
import type { RemotePhasor } from '../../engine/index.ts';
import { configSentence } from '../../figure/compute/config-sentence.ts';
import { configOf } from '../../figure/compute/rope-config.ts';
import { FieldError } from '../../figure/contract/fields.ts';
import type { LabState } from '../state/state.ts';
import { CONFIG_STRINGS as STRINGS } from './config-strings.ts';

export interface FoundLayers {
  /** Undefined if the core does not read the file without a choice. */
  readonly sentence?: string;
  /** The file, if the core lists its layers. */
  readonly file?: string;
  /** Otherwise the error of the core. */
  readonly refused?: string;
}

/** Undefined if the text is not a file yet, which the dialog reports. */
export async function findLayers(
  text: string,
  engine: Pick<RemotePhasor, 'layersFromConfig' | 'encodingFromConfig'>,
): Promise<FoundLayers | undefined> {
  try {
    const config = configOf(text, STRINGS);
    if (!config) return undefined;
    const { sentence, layers, refused } = await configSentence(config, engine);
    return layers ? { sentence, file: JSON.stringify(config) } : { sentence, refused: refused ?? '' };
  } catch (thrown) {
    if (thrown instanceof FieldError) return undefined;
    return { refused: PhasorError.from(thrown).message };
  }
}

/** The state of a Lab that shows them. */
export function layersState(file: string, { figures }: LabState): Partial<LabState> {
  const others = Object.entries(figures).filter(([name]) => !/^layers\.(config|context)$/.test(name));
  return { question: 'reach', view: 'layers', figures: { ...Object.fromEntries(others), 'layers.config': file }, tour: 0 };
}
