// The learned bias of a trained model by distance. It comes when it is shown.

import { entryAt } from '../../../charts/entry-at.ts';
import type { Params } from '../../../engine/index.ts';
import type { EncodingSpec } from '../../contract/fields.ts';
import type { KindContext } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { type BiasNumbers, view } from './bias.ts';
import { biasWords } from './bias-strings.ts';
import { hasTable } from './heads.ts';
import type { Spec } from './index.ts';
import { modelsOf } from './model.ts';
import { shownNumbers } from './shown.ts';

export async function biasNumbers(spec: Spec, means: KindContext): Promise<BiasNumbers> {
  const { engine } = means;
  const { id } = spec.encoding;
  const info = engine.encodings.find((one) => one.id === id);
  if (!info || !hasTable(info)) throw new SpecError('show', `show: ${biasWords.noTable(id)}`);
  const models = await modelsOf(means);
  const model = await models.find(`text-${id}`);
  return shownNumbers(model, spec, means, async (trainer) => {
    const weights = await trainer.weights();
    const learned = info.params.flatMap(({ name }) => {
      const values = weights[`encoding.${name}`];
      return values ? [[name, values] as const] : [];
    });
    const { heads, length } = trainer.spec;
    const encoding = { ...trainer.spec.encoding, ...Object.fromEntries(learned) } as EncodingSpec & Params;
    const bias = await engine.bias({ encoding, heads, queries: length, keys: length });
    const curves = new Float32Array(heads * length);
    let spread = 0;
    for (let head = 0; head < heads; head++) {
      const data = bias.data.slice(head * length ** 2, (head + 1) * length ** 2);
      const last = data.subarray((length - 1) * length);
      for (let distance = 0; distance < length; distance++) curves[head * length + distance] = entryAt(last, length - 1 - distance);
      spread = Math.max(spread, (await engine.distanceProfile({ matrix: { shape: [length, length], data } })).spread);
    }
    return {
      show: 'bias' as const,
      view,
      encoding,
      learned,
      curves: { shape: [heads, length], data: curves },
      spread,
    };
  });
}
