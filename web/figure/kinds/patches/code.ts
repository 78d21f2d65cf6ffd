// The figure of patches as programs. They begin with the patches and their order, which are files that the figure offers.
import type { EncodingInfo, Tensor } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { encodingCode } from '../../export/encoding-code.ts';
import { layerCode } from '../../export/layer-code.ts';
import { gridEncoding, type PatchesSpec, sideOf } from './compute.ts';

const ORDER = '# For each place the number of the patch there.\n';

function orderInPhasor({ arrangement, chosen, partner, seed }: PatchesSpec, patches: number): string {
  const written = `Array.from({ length: ${patches} }, (_, place) => place)`;
  if (arrangement === 'original') return `const order = ${written};`;
  if (arrangement === 'swapped')
    return `const order = ${written};\n[order[${chosen}], order[${partner}]] = [order[${partner}], order[${chosen}]];`;
  return `const { data: drawn } = phasor.gaussian({ seed: ${seed}, shape: [${patches}] });
const order = Array.from(drawn.keys()).sort((a, b) => drawn[a] - drawn[b]);`;
}

export function code(spec: PatchesSpec, encodings: readonly EncodingInfo[], numbers?: { readonly embeddings: Tensor }): SourceCode {
  const side = sideOf(spec);
  const patches = side * side;
  const width = 3 * Number(spec.patch) ** 2;
  const { heads, projections, seed } = spec;
  const head = Math.min(spec.head, heads) - 1;
  const isTable = spec.encoding.id === 'sinusoidal_grid';
  const encoding = isTable ? { id: 'none' } : gridEncoding(spec);
  const layer = { encoding, heads, projections, seed, width, mask: 'none', offset: 0 } as const;
  const { numpy, pytorch, phasor, request } = layerCode(layer, encodings, patches, numbers?.embeddings);
  const shown = `weights = weights[${head}]\n`;
  const order = `// For each place the number of the patch there.\n${orderInPhasor(spec, patches)}\n`;
  if (!isTable) {
    const twice = 'before = layer(embeddings)[2]\n_, weights, after = layer(embeddings[order])\n';
    return {
      numpy: `${numpy}${ORDER}order = np.load('order.npy').astype(int)\n${twice}${shown}differences = np.abs(after - before[order]).max(axis=1)\n`,
      pytorch: `import numpy as np\n${pytorch}${ORDER}order = torch.from_numpy(np.load('order.npy')).long()\n${twice}${shown}differences = (after - before[order]).abs().max(dim=1).values\n`,
      phasor: `${phasor}${order}const { weights, before, output: after, perToken: differences } = phasor.reorder({ x: embeddings, order, head: ${head}, want: ['weights'], ${request} });
`,
    };
  }
  // A layer counts its tokens in one row, so the table of rows and columns is added before.
  const own = encodingCode(spec.encoding, encodings);
  const added = 'before = layer(embeddings + table)[2]\n_, weights, after = layer(embeddings[order] + table)\n';
  return {
    numpy: `${own.numpy}
${numpy}${ORDER}order = np.load('order.npy').astype(int)
# Row and column of each place.
places = np.stack(np.divmod(np.arange(${patches}), ${side}), axis=1)
table = encode(places, ${width})
${added}${shown}differences = np.abs(after - before[order]).max(axis=1)
`,
    pytorch: `${own.pytorch}
import numpy as np
${pytorch}${ORDER}order = torch.from_numpy(np.load('order.npy')).long()
# Row and column of each place.
places = torch.arange(${patches})
places = torch.stack([places // ${side}, places % ${side}], dim=1)
table = encode(places, ${width})
${added}${shown}differences = (after - before[order]).abs().max(dim=1).values
`,
    phasor: `${phasor}${order}// Row and column of each place.
const positions = { shape: [${patches}, 2], data: order.flatMap((_, place) => [Math.floor(place / ${side}), place % ${side}]) };
const table = phasor.table({ encoding: ${own.choice}, positions, width: ${width} });
const shuffled = { shape: embeddings.shape, data: Float32Array.from(order.flatMap((patch) => [...embeddings.data.subarray(${width} * patch, ${width} * (patch + 1))])) };
const [{ output: before }, { output: after, weights }] = [embeddings, shuffled].map((x) =>
  phasor.layer({ x: phasor.combine({ x, table }), head: ${head}, want: ['weights'], ${request} }),
);
const { perToken: differences } = phasor.permutationError({ before, after, order });
`,
  };
}
