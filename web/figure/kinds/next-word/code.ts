// Generates a JavaScript program that runs the model, and a Python program that loads its logits and weights.
import type { EncodingInfo } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { pythonArray, pythonProgram } from '../../export/python-program.ts';
import type { HeadLocation, Results, Spec } from './compute.ts';

const toJson = (value: unknown): string => JSON.stringify(value);

export function code(_: Spec, __: readonly EncodingInfo[], results?: Results): SourceCode {
  if (!results) return { python: '', phasor: '', data: {} };
  const { model, placedWords, firstPosition, logits, symbols, weights, previousWeights, copyingHead, previousHead } = results;
  const assignments = symbols.map((of) => toJson(of)).join(', ');
  const inputWords = placedWords.slice(firstPosition).map((word) => word.toLocaleLowerCase('en'));
  const guessWords = results.guesses.map(({ word }) => word.toLocaleLowerCase('en'));
  const tokens = symbols.map((of) => toJson(inputWords.map((word) => of[guessWords.indexOf(word)]))).join(', ');
  const column = (tensor: Float32Array) => ({ shape: [tensor.length], data: tensor });
  const headIndexExpression = ({ layer, head }: HeadLocation): string => `${layer - 1} * 4 + ${head - 1}`;
  const unreadCondition = firstPosition > 0 ? `place < ${firstPosition} ? NaN : ` : '';
  return {
    ...pythonProgram({
      values: {
        logits: pythonArray('logits', logits),
        weights: pythonArray('weights', column(weights)),
        previous: pythonArray('previous', column(previousWeights)),
      },
      lines: [
        '',
        `# One row per assignment of symbols to words. logits: next-symbol logits of ${model.file}. symbols: the symbols of the distinct words, the most likely word first.`,
        `symbols = np.array([${assignments}])`,
        'p = np.exp(logits - logits.max(axis=1, keepdims=True))',
        'p /= p.sum(axis=1, keepdims=True)',
        'guesses = np.take_along_axis(p, symbols, axis=1).mean(axis=0)',
      ],
    }),
    phasor: `import { createTrainer } from 'phasor/train';

const trainer = await createTrainer(${toJson(model.spec)});
// A file in the website's models/ folder.
const file = await fetch('${model.file}');
await trainer.loadWeights(await file.arrayBuffer());
// The model predicts symbols, which can represent any words. Results are averaged over several assignments of symbols to words. Each row of
// texts encodes the text in one assignment; each row of symbols lists the distinct words' symbols, the most likely word first.
const texts = [${tokens}];
const symbols = [${assignments}];
const mean = (values) => values.reduce((sum, value) => sum + value) / values.length;
const softmax = (row) => {
  const exponentials = row.map((logit) => Math.exp(logit - Math.max(...row)));
  return exponentials.map((exponential) => exponential / exponentials.reduce((sum, each) => sum + each));
};
const outputs = [];
for (const text of texts)
  outputs.push({ p: softmax([...(await trainer.logits(text)).data.slice(-26)]), maps: (await trainer.attentionWeights(text)).data });
trainer.dispose();
const side = ${inputWords.length};
const meanWeight = (head, query, key) => mean(outputs.map(({ maps }) => maps[(head * side + query) * side + key]));
const guesses = { shape: [${guessWords.length}], data: Float32Array.from(symbols[0], (_, word) => mean(outputs.map(({ p }, assignment) => p[symbols[assignment][word]]))) };
const weights = { shape: [${placedWords.length}], data: Float32Array.from({ length: ${placedWords.length} }, (_, place) => ${unreadCondition}meanWeight(${headIndexExpression(copyingHead)}, side - 1, place - ${firstPosition})) };
const previous = { shape: [${placedWords.length}], data: Float32Array.from({ length: ${placedWords.length} }, (_, place) => place <= ${firstPosition} ? NaN : meanWeight(${headIndexExpression(previousHead)}, place - ${firstPosition}, place - ${firstPosition} - 1)) };
`,
  };
}
