// The figure as programs.
import type { EncodingInfo } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { tableCode } from '../../export/table-code.ts';
import type { Spec } from './index.ts';

export function code(spec: Spec, encodings: readonly EncodingInfo[]): SourceCode {
  const { numpy, pytorch, phasor } = tableCode(spec, encodings);
  // The sign of a component is arbitrary: here its longest entry is positive, as in the core.
  return {
    numpy: `${numpy}centred = table - table.mean(axis=0)
_, lengths, directions = np.linalg.svd(centred, full_matrices=False)
directions = directions[:2]
longest = np.abs(directions).argmax(axis=1)
directions *= np.sign(directions[np.arange(2), longest])[:, None]
coordinates = centred @ directions.T
explained = lengths[:2] ** 2 / (lengths**2).sum()
`,
    pytorch: `${pytorch}centred = table.double() - table.double().mean(dim=0)
_, lengths, directions = torch.linalg.svd(centred, full_matrices=False)
directions = directions[:2]
longest = directions.abs().argmax(dim=1)
directions = directions * directions[torch.arange(2), longest].sign()[:, None]
coordinates = centred @ directions.T
explained = lengths[:2] ** 2 / (lengths**2).sum()
`,
    phasor: `${phasor}const { coordinates, explainedVarianceRatio: explained } = phasor.principalComponents({ table, components: 2 });
`,
  };
}
