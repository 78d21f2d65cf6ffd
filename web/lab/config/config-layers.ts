// Describes the position encoding in a pasted config.json, and lists the layers for the figure `layers`.

import { PhasorError } from '../../engine/errors.ts';
import type { ConfigLayers, EncodingConfig, RemotePhasor } from '../../engine/index.ts';
import { writeConfigSentence } from '../../figure/compute/config-sentence.ts';
import { parseConfig } from '../../figure/compute/rope-config.ts';
import { FieldError } from '../../figure/contract/fields.ts';
import type { LabState } from '../state/state.ts';
import { type ConfigEngine, fitParams } from './config-reading.ts';
import { CONFIG_STRINGS as STRINGS } from './config-strings.ts';

export interface LayersReading {
  /** A sentence about the position encoding in the file; undefined if the user must choose an option first. */
  readonly sentence?: string;
  /** The config as JSON, if the core can list its layers. */
  readonly configText?: string;
  /** The most common encoding of the layers that have one. */
  readonly encoding?: EncodingConfig;
  /** The core's error message, if it cannot list the layers. */
  readonly layersProblem?: string;
}

function findMostCommonEncoding(layers: ConfigLayers['layers']): EncodingConfig | undefined {
  const countsByEncoding = new Map<string, { readonly encoding: EncodingConfig; count: number }>();
  for (const { encoding } of layers) {
    if (!encoding || encoding.id === 'none') continue;
    const text = JSON.stringify(encoding);
    const entry = countsByEncoding.get(text);
    if (entry) entry.count += 1;
    else countsByEncoding.set(text, { encoding, count: 1 });
  }
  return [...countsByEncoding.values()].sort((a, b) => b.count - a.count)[0]?.encoding;
}

/** Lists the layers of a config.json. Returns undefined if the text cannot be parsed. */
export async function findLayers(
  text: string,
  engine: Pick<RemotePhasor, 'layersFromConfig' | 'encodingFromConfig'>,
): Promise<LayersReading | undefined> {
  try {
    const config = parseConfig(text, STRINGS);
    if (!config) return undefined;
    const { sentence, layers, rejection } = await writeConfigSentence(config, engine);
    if (!layers) return { sentence, layersProblem: rejection ?? '' };
    const encoding = findMostCommonEncoding(layers);
    return { sentence, configText: JSON.stringify(config), ...(encoding ? { encoding } : {}) };
  } catch (thrown) {
    if (thrown instanceof FieldError) return undefined;
    return { layersProblem: PhasorError.from(thrown).message };
  }
}

/** Returns the Lab state that shows the layers. Selects their most common encoding if the sentence supports it. */
export async function stateFromLayers(
  { configText = '', encoding }: LayersReading,
  engine: ConfigEngine,
  { figures, dim, heads }: Pick<LabState, 'figures' | 'dim' | 'heads'>,
): Promise<Partial<LabState>> {
  const { id = '', ...allParams } = encoding ?? {};
  const { params } = encoding ? await fitParams(id, allParams, engine, { dim, heads }) : { params: undefined };
  const selection = params === undefined ? {} : { encoding: id, params };
  const otherFigureFields = Object.entries(figures).filter(([name]) => !/^layers\.(config|context)$/.test(name));
  return {
    ...selection,
    question: 'reach',
    view: 'layers',
    figures: { ...Object.fromEntries(otherFigureFields), 'layers.config': configText },
    tour: 0,
  };
}
