// The layers of a pasted config.json, which the figure `layers` shows: the number of kinds, or why the core does not list them.

import { PhasorError } from '../../engine/errors.ts';
import type { RemotePhasor } from '../../engine/index.ts';
import { configOf } from '../../figure/compute/rope-config.ts';
import { FieldError } from '../../figure/contract/fields.ts';
import type { LabState } from '../state/state.ts';
import { CONFIG_STRINGS as STRINGS } from './config-strings.ts';

/** `refused`: the error of the core. */
export type FoundLayers = { readonly file: string; readonly count: number; readonly kinds: number } | { readonly refused: string };

/** Undefined if the text is not a file yet, which the dialog reports. */
export async function findLayers(text: string, engine: Pick<RemotePhasor, 'layersFromConfig'>): Promise<FoundLayers | undefined> {
  try {
    const config = configOf(text, STRINGS);
    if (!config) return undefined;
    const { layers } = await engine.layersFromConfig(config);
    return { file: JSON.stringify(config), count: layers.length, kinds: new Set(layers.map((layer) => JSON.stringify(layer))).size };
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
