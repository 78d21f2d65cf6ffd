"""What every layer of a published model does with positions, read from its config.json as the model classes of transformers do."""

import numpy as np

# What the code of each family does, and the value of its config class where the file leaves a key out.
FAMILIES = {
    'gpt_oss': dict(base=150000, scaling=dict(rope_type='yarn', factor=32), every=2, window=128, sinks=True),
    'gemma2': dict(every=2, window=4096, softcap=50),
    'gemma3': dict(base=1e6, local_base=1e4, every=6, window=4096, norm=True),
    'qwen3': dict(window=4096, from_layer=28, has_switch=True, norm=True),
    'olmo2': dict(norm=True, is_full=True),
    'olmo3': dict(local_scaling={}, every=4, window=4096, norm=True),
    'cohere2': dict(every=4, window=4096, nope='full_attention'),
    'llama4': dict(base=500000, chunk=8192, nope='listed', qk_norm=True, temperature=True),
    'smollm3': dict(base=2e6, has_switch=True, nope='listed'),
    'exaone4': dict(every=4, window=4096, nope='full_attention', norm=True),
    'deepseek_v3': dict(is_full=True),
}
# Keys of the file that replace values of the family.
KEYS = {
    'attn_logit_softcapping': 'softcap',
    'rope_local_base_freq': 'local_base',
    'max_window_layers': 'from_layer',
    'use_qk_norm': 'qk_norm',
    'attn_temperature_tuning': 'temperature',
    'sliding_window': 'window',
    'attention_chunk_size': 'chunk',
    'rope_scaling': 'scaling',
}
PATTERNED = ['gemma3', 'cohere2', 'exaone4']  # whose files may have sliding_window_pattern
PARTS = ['thinker_config', 'text_config', 'language_config', 'llm_config']


def rotary_base(text, family, kind):
    """Base and scaling factor of RoPE in the layers of a type."""
    parameters = text.get('rope_parameters') or {}
    parameters = parameters.get(kind, parameters)
    is_local = kind == 'sliding_attention'
    if is_local and 'local_base' in family and not parameters:
        return family['local_base'], 1
    scaling = parameters or family.get('scaling') or {}
    if is_local and 'local_scaling' in family:
        scaling = family['local_scaling']
    base = parameters.get('rope_theta', text.get('rope_theta', family.get('base', 10000)))
    method = scaling.get('rope_type', scaling.get('type', 'default'))
    return base, 1 if method == 'default' else scaling.get('factor', 1)


def layer_row(text, family, name, layer, context):
    """Rotation, base, factor, window, chunk, visible keys, softcap, sinks, QK norm and temperature of one layer."""
    rotates, window, chunk = True, family.get('window') or 0, family.get('chunk') or 0
    if family.get('nope') == 'listed':
        listed = text.get('no_rope_layers')
        rotates = bool(listed[layer]) if listed else (layer + 1) % text.get('no_rope_layer_interval', 4) != 0
    if 'is_full' in family:
        is_local = False
    elif text.get('layer_types'):
        is_local = text['layer_types'][layer] != 'full_attention'
    elif 'chunk' in family:
        is_local = rotates
    elif 'every' in family:
        is_local = window > 0 and (layer + 1) % family['every'] != 0
    else:
        is_local = window > 0 and (layer >= family['from_layer'] if 'from_layer' in family else not rotates)
    is_local = is_local and (text.get('use_sliding_window', False) or 'has_switch' not in family)
    if family.get('nope') == 'full_attention':
        rotates = is_local or (name == 'exaone4' and window == 0)
    base, factor = rotary_base(text, family, 'sliding_attention' if is_local else 'full_attention') if rotates else (0, 1)
    window, chunk = (0 if chunk or not is_local else window), (chunk if is_local else 0)
    norm = family.get('norm', False) or (bool(family.get('qk_norm')) and rotates)
    temperature = bool(family.get('temperature')) and not rotates
    visible = min(window or chunk or context, context)
    flags = [family.get('sinks', False), norm, temperature]
    return [rotates, base, factor, window, chunk, visible, family.get('softcap') or 0, *flags]


def model_layers(config, context):
    """A row for each layer of a model that reads `context` tokens, see layer_row: (layers, 10)."""
    text = config
    for part in PARTS:
        text = text.get(part) or text
    name = text.get('model_type', config.get('model_type')).removesuffix('_text')
    if name not in FAMILIES:
        raise ValueError(f'model_type: "{name}" is not in this file; there are {", ".join(FAMILIES)}')
    family = dict(FAMILIES[name])
    for key, value in KEYS.items():
        if key in text and (value in family or value in ('window', 'scaling')):
            family[value] = text[key]
    if name in PATTERNED and text.get('sliding_window_pattern'):
        family['every'] = text['sliding_window_pattern']
    rows = [layer_row(text, family, name, layer, context) for layer in range(text['num_hidden_layers'])]
    return np.array(rows, dtype=float)
