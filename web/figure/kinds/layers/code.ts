// The figure as programs: Python that derives the pattern from the keys of the file, as the model classes of transformers do, and the core's own call.
import type { EncodingInfo } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { chosen, type Layers } from './compute.ts';
import type { Spec } from './index.ts';

/** The file as a text of Python: raw where it holds nothing that a raw text cannot have, so that it can be read. */
function pythonText(config: object): string {
  const pretty = JSON.stringify(config, null, 1);
  return /"""|\\/.test(pretty) ? JSON.stringify(JSON.stringify(config)) : `r"""${pretty}"""`;
}

const derivation = (config: object, context: number): string => `config = json.loads(${pythonText(config)})
context = ${context}  # tokens of a text

text = config
for part in ["thinker_config", "text_config", "language_config", "llm_config"]:
    text = text.get(part) or text
name = text.get("model_type", config.get("model_type")).removesuffix("_text")
get = text.get
every = get("sliding_window_pattern")

# What the code of each family does, and what its config class has where the file leaves a key out.
family = {
    "gpt_oss": dict(base=150000, scaling=dict(rope_type="yarn", factor=32), every=2, window=128, sinks=1),
    "gemma2": dict(every=2, window=4096, softcap=get("attn_logit_softcapping", 50)),
    "gemma3": dict(base=1e6, local_base=get("rope_local_base_freq", 1e4), every=every or 6, window=4096, norm=1),
    "qwen3": dict(window=4096, from_layer=get("max_window_layers", 28), switch=1, norm=1),
    "olmo2": dict(norm=1, full=1),
    "olmo3": dict(local_scaling={}, every=4, window=4096, norm=1),
    "cohere2": dict(every=every or 4, window=4096, nope="full_attention"),
    "llama4": dict(base=500000, chunk=8192, nope="listed", norm=get("use_qk_norm", True), temperature=get("attn_temperature_tuning", True)),
    "smollm3": dict(base=2e6, switch=1, nope="listed"),
    "exaone4": dict(every=every or 4, window=4096, nope="full_attention", norm=1),
    "deepseek_v3": dict(full=1),
}[name]
window = get("sliding_window", family.get("window")) or 0
chunk = get("attention_chunk_size", family.get("chunk")) or 0 if "chunk" in family else 0
listed = get("no_rope_layers") or []


def rotation(kind):
    """Base and scaling factor of the layers of a type."""
    given = get("rope_parameters") or {}
    given = given.get(kind, given)
    local = kind == "sliding_attention"
    if local and "local_base" in family and not given:
        return family["local_base"], 1
    scaling = given or get("rope_scaling", family.get("scaling")) or {}
    if local and "local_scaling" in family:
        scaling = family["local_scaling"]
    base = given.get("rope_theta", get("rope_theta", family.get("base", 10000)))
    method = scaling.get("rope_type", scaling.get("type", "default"))
    return base, 1 if method == "default" else scaling.get("factor", 1)


def row(layer):
    turns = True
    if family.get("nope") == "listed":
        turns = bool(listed[layer]) if listed else (layer + 1) % get("no_rope_layer_interval", 4) != 0
    if "full" in family:
        local = False
    elif get("layer_types"):
        local = text["layer_types"][layer] != "full_attention"
    elif "chunk" in family:
        local = turns
    elif "every" in family:
        local = window > 0 and (layer + 1) % family["every"] != 0
    else:
        local = window > 0 and (layer >= family["from_layer"] if "from_layer" in family else not turns)
    local = local and (get("use_sliding_window", False) or "switch" not in family)
    if family.get("nope") == "full_attention":
        turns = local or (name == "exaone4" and window == 0)
    base, factor = rotation("sliding_attention" if local else "full_attention") if turns else (0, 1)
    near, own = (window, 0) if local and not chunk else (0, chunk if local else 0)
    norm = family.get("norm", 0) and (turns or name != "llama4")
    temperature = family.get("temperature", 0) and not turns
    flags = [family.get("sinks", 0), bool(norm), bool(temperature)]
    return [turns, base, factor, near, own, min(near or own or context, context), family.get("softcap") or 0, *flags]


rows = [[float(value) for value in row(layer)] for layer in range(text["num_hidden_layers"])]
`;

export function code(spec: Spec, _: readonly EncodingInfo[], numbers?: Layers): SourceCode {
  const { config, context } = numbers ?? { config: chosen(spec).config, context: spec.context || 131072 };
  const derived = derivation(config, context);
  return {
    numpy: `import json

import numpy as np

${derived}layers = np.array(rows)
`,
    pytorch: `import json

import torch

${derived}layers = torch.tensor(rows, dtype=torch.float64)
`,
    phasor: `import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const config = ${JSON.stringify(config, null, 1)};
const context = ${context};
const read = phasor.modelLayers(config).layers;
const rows = read.map(({ encoding, window = 0, chunk = 0, softcap = 0, sinks, qkNorm, temperature }) => [
  encoding.id === 'none' ? 0 : 1,
  encoding.base ?? 0,
  (encoding.scaling ?? 'none') === 'none' ? 1 : (encoding.factor ?? 1),
  window,
  chunk,
  Math.min(window || chunk || context, context),
  softcap,
  sinks ? 1 : 0,
  qkNorm ? 1 : 0,
  temperature ? 1 : 0,
]);
const layers = { shape: [rows.length, 10], data: Float32Array.from(rows.flat()) };
`,
  };
}
