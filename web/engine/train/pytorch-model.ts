// The model of exported programs: cpp/src/train/transformer.h in PyTorch, whose names its weights have.

import type { FullTrainSpec } from '../types/train-spec.ts';
import type { EncodingText } from './pytorch-encodings.ts';

const activations = { gelu: 'F.gelu(x)', gelu_tanh: 'F.gelu(x, approximate="tanh")', relu: 'F.relu(x)' };

const rmsNorm = (name: 'Norm' | 'HeadNorm') => `class ${name}(nn.Module):
    """${name === 'Norm' ? 'Zhang and Sennrich 2019.' : 'Queries or keys of each head over their root mean square (Henry et al. 2020, Qwen 3).'}"""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(${name === 'Norm' ? 'WIDTH' : 'HEAD_WIDTH'}))

    def forward(self, x):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6) * self.weight


`;

const feedForward = (activation: FullTrainSpec['activation']) =>
  activation === 'swiglu'
    ? `class FeedForward(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(WIDTH, 2 * FEED_FORWARD, bias=False)  # the gates first
        self.down = nn.Linear(FEED_FORWARD, WIDTH, bias=False)

    def forward(self, x):
        gate, value = self.up(x).chunk(2, -1)
        return self.down(F.silu(gate) * value)
`
    : `class FeedForward(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(WIDTH, FEED_FORWARD)
        self.down = nn.Linear(FEED_FORWARD, WIDTH)

    def forward(self, x):
        x = self.up(x)
        return self.down(${activations[activation]})
`;

export function modelText(spec: FullTrainSpec, encoding: EncodingText, pooled: boolean): string {
  const norm = spec.norm === 'layer_norm' ? 'nn.LayerNorm(WIDTH)' : 'Norm()';
  const own = encoding.code.startsWith('class');
  const lines = (...all: (string | false | undefined)[]) => all.filter((line) => typeof line === 'string').join('\n');
  const mixed = encoding.atValues
    ? `        weights = scores.softmax(-1)${spec.sinks ? '[..., :tokens]' : ''}
        mixed = weights @ v + ${encoding.atValues}`
    : `        mixed = scores.softmax(-1)${spec.sinks ? '[..., :tokens]' : ''} @ v`;
  return `${encoding.code}${spec.norm === 'rms_norm' ? rmsNorm('Norm') : ''}${spec.qkNorm ? rmsNorm('HeadNorm') : ''}class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.in_proj_weight = nn.Parameter(torch.empty(3 * WIDTH, WIDTH))
        nn.init.uniform_(self.in_proj_weight, -(WIDTH**-0.5), WIDTH**-0.5)
        self.out_proj = nn.Linear(WIDTH, WIDTH, bias=False)
${lines(
  encoding.ofLayer,
  spec.sinks && '        self.sinks = nn.Parameter(torch.zeros(HEADS))',
  spec.qkNorm && '        self.q_norm, self.k_norm = HeadNorm(), HeadNorm()',
  '',
)}
    def forward(self, x, positions, encoding):  # (items, tokens, WIDTH), (tokens)
        items, tokens, _ = x.shape
        q, k, v = F.linear(x, self.in_proj_weight).view(items, tokens, 3, HEADS, HEAD_WIDTH).permute(2, 0, 3, 1, 4)
${lines(
  spec.qkNorm && '        q, k = self.q_norm(q), self.k_norm(k)',
  encoding.atQueriesAndKeys && `        ${encoding.atQueriesAndKeys}`,
  `        scores = SCALE * ${encoding.atProducts ?? '(q @ k.transpose(-2, -1))'}${encoding.atContent ? '' : (encoding.atScores ?? '')}  # (items, HEADS, tokens, tokens)`,
  encoding.atContent && `        ${encoding.atContent}`,
  encoding.atContent && encoding.atScores && `        scores = scores${encoding.atScores}`,
  spec.causal && '        later = torch.ones(tokens, tokens, dtype=torch.bool, device=x.device).triu(1)',
  spec.causal && '        scores = scores.masked_fill(later, float("-inf"))',
  spec.sinks &&
    '        scores = torch.cat((scores, self.sinks.view(HEADS, 1, 1).expand(items, HEADS, tokens, 1)), -1)  # no key, no value',
  mixed,
)}
        return self.out_proj(mixed.transpose(1, 2).reshape(items, tokens, WIDTH))


${feedForward(spec.activation)}

class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.attention = ${norm}, Attention()
        self.norm2, self.feed_forward = ${norm}, FeedForward()

    def forward(self, x, positions, encoding):
        x = x + self.attention(self.norm1(x), positions, encoding)
        return x + self.feed_forward(self.norm2(x))


class Model(nn.Module):
    """A transformer with its norms first (Xiong et al. 2020) and embeddings times sqrt(WIDTH)."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(SYMBOLS, WIDTH)
        nn.init.normal_(self.embedding.weight, std=WIDTH**-0.5)
${lines(
  own && '        self.encoding = Encoding()',
  '        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))',
  `        self.norm = ${norm}`,
  !spec.tiedHead && '        self.head = nn.Linear(WIDTH, CLASSES)',
)}

    def forward(self, tokens, positions):  # (items, tokens), (tokens) -> ${pooled ? '(items, CLASSES)' : '(items, tokens, CLASSES)'}
        x = WIDTH**0.5 * self.embedding(tokens)
${lines(
  encoding.atInput && `        ${encoding.atInput}`,
  '        for layer in self.layers:',
  `            x = layer(x, positions, ${own ? 'self.encoding' : 'None'})`,
  '        x = self.norm(x)',
  pooled && '        x = x.mean(1)',
  `        return ${spec.tiedHead ? 'F.linear(x, self.embedding.weight)' : 'self.head(x)'}`,
)}
`;
}
