// The figure as programs: in JavaScript the model itself, in PyTorch the file of the trainer; NumPy starts from the numbers that the figure offers.
import type { EncodingInfo } from '../../../engine/index.ts';
import type { TrainSpec } from '../../../engine/types/train-spec.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { biasCode } from '../../export/bias-code.ts';
import { trainerProgram } from '../../export/trainer-program.ts';
import type { BiasNumbers } from './bias.ts';
import { frequenciesCode } from './frequencies-code.ts';
import { type HeadNumbers, headIndex } from './heads.ts';
import type { Numbers, Spec } from './index.ts';
import { stepShown, type Training } from './model.ts';
import { literal, modelCode, modelName, stepsCode } from './model-code.ts';
import { SNAPSHOTS } from './snapshots.ts';
import type { TableNumbers } from './table.ts';

/** The trainer's program, which goes on from the weights beside it; or why there is none. */
function trainingProgram({ origin, spec, model }: Training): string {
  const name = `${spec.task}_${spec.encoding.id}`;
  return origin === 'recorded'
    ? `# Weights: ${model.file} of the folder models/ of the site, named ${name}.safetensors beside this program.\n${trainerProgram(spec, name, [])}`
    : `# Trained here: --fresh begins with other random weights than this figure and reads the same batches.\n${trainerProgram(spec, name)}`;
}

function headsCode(spec: Spec, numbers: HeadNumbers): SourceCode {
  const { reading, layers, heads } = numbers;
  const side = reading.characters.length;
  const index = headIndex(numbers, spec);
  const text = reading.characters.join('');
  return {
    numpy: `import numpy as np

# ${JSON.stringify(text)}, as attended to by ${modelName(numbers)}: a file that this figure offers.
every = np.load('maps.npy').reshape(${layers * heads}, ${side}, ${side})
weights = every[${index}]
# The mean weight so many characters back: those along a diagonal.
back = np.array([[np.diagonal(one, -distance).mean() for distance in range(${side})] for one in every])
# The mean weight on the first character.
first = every[:, :, 0].mean(axis=1)
`,
    pytorch: trainingProgram(numbers),
    phasor: `${modelCode(numbers)}const { data } = await trainer.attentionMaps(await trainer.tokens(${literal(text)}));
// Layer ${Math.floor(index / heads) + 1}, head ${(index % heads) + 1}; NaN where a character comes later.
const all = data.map((weight, at) => (at % ${side} > Math.floor(at / ${side}) % ${side} ? NaN : weight));
const weights = { shape: [${side}, ${side}], data: all.slice(${index * side ** 2}, ${(index + 1) * side ** 2}) };
const maps = { shape: [${layers * heads * side}, ${side}], data: all };
// The mean weight on the first character.
const firstOf = (head) => Array.from({ length: ${side} }, (_, query) => all[(head * ${side} + query) * ${side}]).reduce((sum, weight) => sum + weight) / ${side};
const first = { shape: [${layers * heads}], data: Float32Array.from({ length: ${layers * heads} }, (_, head) => firstOf(head)) };
trainer.dispose();
`,
  };
}

function tableCode(numbers: TableNumbers): SourceCode {
  const { spec, model } = numbers;
  const { seed, steps: total } = spec;
  const step = stepShown(numbers);
  const choice: TrainSpec = { ...model.spec, seed };
  return {
    numpy: `import numpy as np

# [positions, width] after ${step} steps: a file that this figure offers.
rows = np.load('rows.npy')
centred = rows - rows.mean(axis=0)
unit = centred / np.linalg.norm(centred, axis=1, keepdims=True)
after = unit @ unit.T
`,
    pytorch: trainingProgram(numbers),
    phasor: `import { createPhasor } from 'phasor';
import { createTrainer } from 'phasor/train';

const phasor = await createPhasor();
const trainer = await createTrainer(${literal(choice)});
// Cosines of rows, less their mean: coordinates along all principal components have the same angles.
const cosines = async () => {
  const { 'encoding.table': table } = await trainer.weights();
  const { coordinates } = phasor.principalComponents({ table, components: ${Math.min(spec.length, spec.width)} });
  return { rows: table, similarity: phasor.similarity({ table: coordinates }) };
};
const { similarity: before } = await cosines();
// A snapshot each ${total / SNAPSHOTS} steps.
${stepsCode(step)}const { rows, similarity: after } = await cosines();
trainer.dispose();
`,
  };
}

function biasesCode({ encoding, spec }: BiasNumbers, encodings: readonly EncodingInfo[]): SourceCode {
  const { heads, length, width, seed } = spec;
  const { numpy, pytorch, phasor } = biasCode({ encoding, heads, width: width / heads, length, seed }, encodings);
  return {
    numpy: `${numpy}# From the last character back.\ncurves = biases[:, -1, ::-1]\n`,
    pytorch: `${pytorch}# From the last character back.\ncurves = biases[:, -1].flip(-1)\n`,
    phasor: `${phasor}// From the last character back.
const rows = Array.from({ length: ${heads} }, (_, head) => {
  const end = (head + 1) * ${length ** 2};
  return [...biases.data.slice(end - ${length}, end)].reverse();
});
const curves = { shape: [${heads}, ${length}], data: Float32Array.from(rows.flat()) };
`,
  };
}

export function code(spec: Spec, encodings: readonly EncodingInfo[], numbers: Numbers): SourceCode {
  if (numbers.show === 'heads') return headsCode(spec, numbers);
  if (numbers.show === 'frequencies') return frequenciesCode(numbers, trainingProgram(numbers));
  return numbers.show === 'table' ? tableCode(numbers) : biasesCode(numbers, encodings);
}
