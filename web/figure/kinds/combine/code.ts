// The figure as programs.
import type { EncodingInfo } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { GAUSSIAN } from '../../export/gaussian-code.ts';
import { tableCode } from '../../export/table-code.ts';
import type { Spec } from './index.ts';

export function code({ encoding: choice, length, width, seed }: Spec, encodings: readonly EncodingInfo[]): SourceCode {
  const start = tableCode({ encoding: choice, length, width, offset: 0 }, encodings);
  return {
    numpy: `${start.numpy}

${GAUSSIAN}x = gaussian(${seed}, *table.shape)


def similarity(rows):
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    rows = rows / np.where(norms > 0, norms, 1)
    return rows @ rows.T


def probe(rows, ridge=1e-3):
    """Positions predicted by ridge regression, fitted on every second row."""
    seen, target = rows[::2], np.arange(len(rows))[::2]
    mean = seen.mean(axis=0)
    centred = seen - mean
    gram = centred.T @ centred + ridge * np.eye(rows.shape[1])
    weights = np.linalg.solve(gram, centred.T @ (target - target.mean()))
    return target.mean() + (rows - mean) @ weights


both = x + table, np.concatenate([x, table], axis=1)
added, concatenated = similarity(both[0]), similarity(both[1])
predictions = np.stack([probe(rows) for rows in both], axis=1)
`,
    pytorch: `${start.pytorch}import numpy as np


${GAUSSIAN}table = table.double()
x = torch.from_numpy(gaussian(${seed}, *table.shape))


def similarity(rows):
    rows = torch.nn.functional.normalize(rows, dim=1)
    return rows @ rows.T


def probe(rows, ridge=1e-3):
    """Positions predicted by ridge regression, fitted on every second row."""
    seen, target = rows[::2], torch.arange(len(rows), dtype=rows.dtype)[::2]
    mean = seen.mean(dim=0)
    centred = seen - mean
    gram = centred.T @ centred + ridge * torch.eye(rows.shape[1], dtype=rows.dtype)
    weights = torch.linalg.solve(gram, centred.T @ (target - target.mean()))
    return target.mean() + (rows - mean) @ weights


both = x + table, torch.cat([x, table], dim=1)
added, concatenated = similarity(both[0]), similarity(both[1])
predictions = torch.stack([probe(rows) for rows in both], dim=1)
`,
    phasor: `${start.phasor}const x = phasor.gaussian({ seed: ${seed}, shape: table.shape });
const both = ['add', 'concatenate'].map((mode) => phasor.combine({ x, table, mode }));
const [added, concatenated] = both.map((rows) => phasor.similarity({ table: rows }));
const probes = both.map((rows) => phasor.linearProbe({ table: rows }).predictions.data);
const predictions = { shape: [${length}, 2], data: Float32Array.from({ length: ${2 * length} }, (_, at) => probes[at % 2][at >> 1]) };
`,
  };
}
