// Exported programs. The JavaScript program runs the model. The Python program reads the measured losses and applies the change in
// transformers.
import type { EncodingInfo } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { pythonArray, pythonProgram } from '../../export/python-program.ts';
import { createPositionChanges } from './changes.ts';
import { type Results, type Spec, toTensor } from './compute.ts';
import { TARGET_TOKEN_COUNT } from './losses.ts';
import { createTransformersProgram } from './transformers.ts';

const toVector = (values: readonly number[]) => ({ shape: [values.length], data: Float32Array.from(values) });

export function code(spec: Spec, _: readonly EncodingInfo[], results?: Results): SourceCode {
  if (!results) return { python: '', phasor: '', data: {} };
  const { model, lines, lengths, loss, layerCosts, guesses, ids, change, amount, trainedLength } = results;
  const scope = { ...(spec.layer ? { layers: [spec.layer - 1] } : {}), ...(spec.head ? { heads: [spec.head - 1] } : {}) };
  const changesFor = (line: (typeof lines)[number]) => {
    if (line === 'trained') return [];
    const context = { info: model, trainedLength, tokens: ids.length };
    return line === 'none'
      ? createPositionChanges('none', { ...context, amount: undefined })
      : createPositionChanges(change, { ...context, ...scope, amount });
  };
  const modelPath = model.isShipped ? `models/${model.name}` : model.name;
  const getVariableName = (line: string): string => `next_${line}`;
  return {
    ...pythonProgram({
      values: {
        loss: pythonArray('loss', toTensor(loss)),
        cost: pythonArray('cost', toVector(layerCosts)),
        ...Object.fromEntries(
          lines.map((line, index) => [
            `log_${line}`,
            pythonArray(`log_${line}`, toVector((guesses[index] ?? []).map(({ logProbability }) => logProbability))),
          ]),
        ),
      },
      lines: [
        '',
        `# loss: (${lines.join(', ')}; tokens ${lengths.join(', ')}), nats over the last ${TARGET_TOKEN_COUNT} tokens; cost: the change in loss without positions in each layer.`,
        ...lines.map((line) => `${getVariableName(line)} = np.exp(log_${line})`),
        'lost = loss - loss[0]',
        '',
        ...createTransformersProgram({ modelPath, ids, change, amount, scope, trainedLength }),
      ],
    }),
    phasor: `import { openModel } from 'phasor/model';

// In Node, the path of the model's folder. In a page, pass the model's files instead.
const model = await openModel(${JSON.stringify(modelPath)});
const ids = ${JSON.stringify(ids)};
const softmax = async (changes) => {
  const { predictions } = await model.run(ids, { topK: ${guesses[0]?.length ?? 1}, logitsToKeep: 1, changes });
  const nextTokens = predictions[0];
  return { shape: [nextTokens.length], data: Float32Array.from(nextTokens, ({ logProbability }) => Math.exp(logProbability)) };
};
${lines.map((line) => `const ${getVariableName(line)} = await softmax(${JSON.stringify(changesFor(line))});`).join('\n')}
// Returns the mean loss over the last ${TARGET_TOKEN_COUNT} tokens of a passage, given as token ids.
const measureLoss = async (passage, changes) => {
  const { logProbabilities } = await model.run(passage, { outputs: ['loss'], logitsToKeep: ${TARGET_TOKEN_COUNT + 1}, changes });
  return -logProbabilities.slice(-${TARGET_TOKEN_COUNT}).reduce((sum, logProbability) => sum + logProbability) / ${TARGET_TOKEN_COUNT};
};
model.dispose();
`,
  };
}
