// Generates a JavaScript program that runs the model, and a Python program that loads the selected head's weights.
import type { EncodingInfo } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { pythonArray, pythonProgram } from '../../export/python-program.ts';
import { getMeasureName, type Results, type Spec } from './compute.ts';

export function code({ headMeasure }: Spec, _: readonly EncodingInfo[], results?: Results): SourceCode {
  if (!results) return { python: '', phasor: '', data: {} };
  const { measure, chosenHead, ids, model } = results;
  const { layer, head } = chosenHead.location;
  const from = model.causal ? 1 : 0;
  return {
    ...pythonProgram({
      values: { measure: pythonArray('measure', measure), attention: pythonArray('attention', chosenHead.weights) },
      lines: [
        '',
        `# Attention weights of layer ${layer + 1}, head ${head + 1}, shape (tokens, tokens). In transformers:`,
        `# model(input_ids, output_attentions=True).attentions[${layer}][0, ${head}].`,
        'tokens = len(attention)',
        'place = np.arange(tokens)',
        'distance = np.abs(place[:, None] - place)',
        `rows = attention[${from}:]${from ? '  # the first token attends only to itself' : ''}`,
        'logs = np.log(np.where(rows > 0, rows, 1))',
        'chosen = np.array([',
        '    np.diagonal(attention, -1).mean(),',
        '    rows[:, 0].mean(),',
        `    (rows * distance[${from}:]).sum(axis=1).mean(),`,
        '    -(rows * logs).sum(axis=1).mean(),',
        '])',
      ],
    }),
    phasor: `import { openModel } from 'phasor/model';

// In Node, pass the path of the model folder; in a browser, pass its files.
const model = await openModel(${JSON.stringify(model.isShipped ? `models/${model.name}` : model.name)});
const ids = ${JSON.stringify(ids)};
const { headMeasures } = await model.run(ids, { outputs: ['headMeasures'] });
const measure = headMeasures.${getMeasureName(headMeasure)};
const { shape, data } = await model.attention(ids, { layer: ${layer}, head: ${head} });
const attention = { shape: shape.slice(1), data };
const names = ['previous', 'first', 'distance', 'entropy'];
const chosen = { shape: [4], data: Float32Array.from(names, (name) => headMeasures[name].data[${chosenHead.location.index}]) };
model.dispose();
`,
  };
}
