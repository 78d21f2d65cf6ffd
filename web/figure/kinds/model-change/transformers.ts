// Generates Python programs that apply a change to a model of the Llama family in transformers 5. Most use hooks on the attention modules
// that replace the mask or the cosines and sines (half_split layout).
import type { ChangeId, ChangeScope } from './changes.ts';

interface ProgramOptions {
  readonly modelPath: string;
  readonly ids: readonly number[];
  readonly change: ChangeId;
  readonly amount: number | undefined;
  readonly scope: ChangeScope;
  readonly trainedLength: number | undefined;
}

interface Program {
  /** Python code that runs before the model is loaded. */
  readonly functionLines: readonly string[];
  /** The body of a loop over layers. The loop variable is `layer`. */
  readonly loopLines: readonly string[];
  /** Name of the attention function that `functionLines` registers, if any. */
  readonly attentionName?: string;
}

const indent = (lines: readonly string[]): string[] => lines.map((line) => (line === '' ? '' : `    ${line}`));

/** Creates a program with a forward pre-hook. `lines` assign new values to `cos` and `sin`. */
const hookProgram = (lines: readonly string[]): Program => ({
  functionLines: [
    'def change(attention, x, keywords):',
    ...indent(['cos, sin = keywords["position_embeddings"]', ...lines, 'return x, keywords | {"position_embeddings": (cos, sin)}']),
  ],
  loopLines: ['layer.self_attn.register_forward_pre_hook(change, with_kwargs=True)'],
});

/** Creates a program in which `lines` assign new values to `positions` or `frequencies`. */
const rotationProgram = (lines: readonly string[], scale = ''): Program =>
  hookProgram([
    'positions = torch.arange(cos.shape[1], dtype=torch.float64)',
    'frequencies = model.model.rotary_emb.inv_freq.double()',
    'pairs = len(frequencies)',
    ...lines,
    'angles = torch.outer(positions, frequencies).repeat(1, 2)[None]',
    `cos, sin = (angles.cos()${scale}).to(cos), (angles.sin()${scale}).to(sin)`,
  ]);

const stoppedPairsProgram = (range: string): Program =>
  hookProgram([
    'pairs = cos.shape[-1] // 2',
    'cos, sin = cos.clone(), sin.clone()',
    'for half in (0, pairs):',
    `    cos[..., half : half + pairs][..., ${range}] = 1`,
    `    sin[..., half : half + pairs][..., ${range}] = 0`,
  ]);

/** ReRoPE: computes scores as if distances greater than `clip` were `clip`. */
const clipProgram = (clip: number, layers: readonly number[] | undefined): Program => ({
  functionLines: [
    'def rotate(x, positions):',
    ...indent([
      'angles = torch.outer(positions, model.model.rotary_emb.inv_freq).repeat(1, 2)',
      'a, b = x.chunk(2, -1)',
      'return x * angles.cos() + torch.cat([-b, a], -1) * angles.sin()',
    ]),
    '',
    '',
    'def rerope(module, q, k, v, mask, scaling, **keywords):',
    ...indent([
      'k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], 1) for x in (k, v))',
      'positions = torch.arange(q.shape[2], dtype=torch.float32)',
      'distance = positions[:, None] - positions',
      `far_scores = rotate(rotate(q, -positions), torch.full_like(positions, ${clip})) @ rotate(k, -positions).mT`,
      `is_far = (distance > ${clip})${layers ? ` & (module.layer_idx in ${JSON.stringify(layers)})` : ''}`,
      'scores = torch.where(is_far, far_scores, q @ k.mT) * scaling',
      'weights = scores.masked_fill(distance < 0, -torch.inf).softmax(-1)',
      'return (weights @ v).transpose(1, 2).contiguous(), weights',
    ]),
    '',
    '',
    'AttentionInterface.register("rerope", rerope)',
  ],
  loopLines: [],
  attentionName: 'rerope',
});

function createProgram({ change, amount = 0, scope: { layers, heads }, trainedLength }: ProgramOptions): Program | undefined {
  if (change === 'silence') {
    const headDimExpression = 'layer.self_attn.head_dim';
    const zeroStatement = heads
      ? `x[0][..., ${heads[0]} * ${headDimExpression} : ${(heads[0] as number) + 1} * ${headDimExpression}] = 0`
      : 'x[0][:] = 0';
    return {
      functionLines: [
        'def silence(layer):',
        ...indent(['def hook(projection, x):', `    ${zeroStatement}`, '', 'layer.self_attn.o_proj.register_forward_pre_hook(hook)']),
      ],
      loopLines: ['silence(layer)'],
    };
  }
  if (heads) return undefined;
  switch (change) {
    case 'none':
      return hookProgram(['cos, sin = torch.ones_like(cos), torch.zeros_like(sin)']);
    case 'clip':
      return clipProgram(amount, layers);
    case 'linear':
      return rotationProgram([`positions = positions / ${amount}`]);
    case 'ntk':
      return rotationProgram([`frequencies = frequencies * ${amount} ** (-torch.arange(pairs) / (pairs - 1))`]);
    case 'yarn':
      return rotationProgram(
        [
          'base = frequencies[1].item() ** -pairs',
          `pair_at = lambda rotations: pairs * math.log(${trainedLength ?? 2048} / (rotations * 2 * math.pi)) / math.log(base)`,
          'low, high = max(math.floor(pair_at(32)), 0), min(math.ceil(pair_at(1)), 2 * pairs - 1)',
          'ramp = ((torch.arange(pairs) - low) / max(high - low, 0.001)).clamp(0, 1)',
          `frequencies = frequencies * (1 - ramp + ramp / ${amount})`,
        ],
        ` * ${1 + 0.1 * Math.log(amount)}`,
      );
    case 'base':
      return rotationProgram([`frequencies = ${amount} ** (-torch.arange(pairs, dtype=torch.float64) / pairs)`]);
    case 'shift':
      return rotationProgram([`positions = positions + ${amount}`]);
    case 'reverse':
      return rotationProgram(['positions = positions.flip(0)']);
    case 'still_slow':
      return stoppedPairsProgram(`pairs - ${amount} :`);
    case 'still_fast':
      return stoppedPairsProgram(`:${amount}`);
    case 'window':
      return {
        functionLines: [
          'def change(attention, x, keywords):',
          ...indent([
            'positions = torch.arange(keywords["position_embeddings"][0].shape[1])',
            'distance = positions[:, None] - positions',
            `hidden = (distance < 0) | (distance >= ${amount})`,
            'mask = torch.zeros(hidden.shape).masked_fill(hidden, -torch.inf)[None, None]',
            'return x, keywords | {"attention_mask": mask}',
          ]),
        ],
        loopLines: ['layer.self_attn.register_forward_pre_hook(change, with_kwargs=True)'],
      };
    case 'layout':
      return {
        functionLines: [
          'def swap_pairing(weight, head_dim):',
          ...indent(['return weight.view(-1, head_dim // 2, 2, weight.shape[1]).transpose(1, 2).reshape(weight.shape)']),
        ],
        loopLines: [
          'for projection in (layer.self_attn.q_proj, layer.self_attn.k_proj):',
          '    projection.weight.data = swap_pairing(projection.weight.data, layer.self_attn.head_dim)',
        ],
      };
    default:
      return undefined;
  }
}

/**
 * Returns the lines of a Python program that defines `changed(folder)`, or an empty array if transformers cannot limit
 * the change to one head.
 */
export function createTransformersProgram(options: ProgramOptions): readonly string[] {
  const program = createProgram(options);
  if (!program) return [];
  const { modelPath, ids, scope } = options;
  const { functionLines, loopLines, attentionName = 'eager' } = program;
  const layers = scope.layers ? `[model.model.layers[${scope.layers[0]}]]` : 'model.model.layers';
  return [
    '# The same change in transformers, for models of the Llama family: the most likely next tokens and their probabilities.',
    'def changed(folder):',
    ...indent([
      ...(functionLines.some((line) => line.includes('math.')) ? ['import math', ''] : []),
      'import torch',
      `from transformers import ${attentionName === 'eager' ? '' : 'AttentionInterface, '}AutoModelForCausalLM`,
      '',
      ...functionLines.filter((line) => !line.startsWith('AttentionInterface')),
      '',
      ...functionLines.filter((line) => line.startsWith('AttentionInterface')),
      `model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="${attentionName}")`,
      ...(loopLines.length > 0 ? [`for layer in ${layers}:`, ...indent(loopLines)] : []),
      'with torch.no_grad():',
      `    logits = model(torch.tensor([${JSON.stringify(ids)}])).logits[0, -1]`,
      'return logits.softmax(-1).topk(4)',
    ]),
    '',
    '',
    `# changed(${JSON.stringify(modelPath)})`,
  ];
}
