// Exported programs: the JavaScript program runs the model, and the Python program reads the exported arrays.
import type { EncodingInfo } from '../../../engine/index.ts';
import type { TrainConfig } from '../../../engine/types/train-config.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { withAnalysis } from '../../export/analysis-import.ts';
import { generateBiasCode } from '../../export/bias-code.ts';
import { pythonArray, pythonProgram } from '../../export/python-program.ts';
import { createTrainerCommand } from '../../export/trainer-program.ts';
import type { BiasResults } from './bias.ts';
import { frequenciesCode } from './frequencies-code.ts';
import { getHeadIndex, type HeadResults } from './heads.ts';
import type { Results, Spec } from './index.ts';
import { getDisplayedStep, type Training } from './model.ts';
import { describeModel, modelCode, stepsCode, toLiteral } from './model-code.ts';
import { NUM_SNAPSHOTS } from './snapshots.ts';
import type { TableResults } from './table.ts';

/** Returns the comments and files with which a user can continue this training in PyTorch. */
function createTrainingCommand({ origin, config, model }: Training) {
  const name = `${config.task}_${config.encoding.id}`;
  const isRecorded = origin === 'recorded';
  const { comment, data } = createTrainerCommand(config, name, isRecorded ? [] : undefined);
  const note = isRecorded
    ? `# To load the weights, save models/${model.file} from the website as ${name}.safetensors next to this program.`
    : '# Trained in the browser: --fresh starts from different random weights and reads the same batches.';
  return { comments: [note, comment], data };
}
export type TrainingCommand = ReturnType<typeof createTrainingCommand>;

function headsCode(spec: Spec, results: HeadResults): SourceCode {
  const { modelInput, layers, heads } = results;
  const characterCount = modelInput.characters.length;
  const index = getHeadIndex(results, spec);
  const text = modelInput.characters.join('');
  const training = createTrainingCommand(results);
  return {
    ...pythonProgram({
      imports: ['from analysis import mean_by_distance'],
      values: { maps: pythonArray('maps', { shape: [layers * heads * characterCount, characterCount], data: results.maps.data }) },
      data: training.data,
      lines: [
        '',
        `# Attention on ${JSON.stringify(text)} by ${describeModel(results)}.`,
        ...training.comments,
        `heads = maps.reshape(${layers * heads}, ${characterCount}, ${characterCount})`,
        `weights, back = heads[${index}], mean_by_distance(heads)`,
        'first = heads[:, :, 0].mean(axis=1)  # the mean weight on the first character',
      ],
    }),
    phasor: `${modelCode(results)}const { data } = await trainer.attentionWeights(await trainer.tokens(${toLiteral(text)}));
// Layer ${Math.floor(index / heads) + 1}, head ${(index % heads) + 1}; NaN where the key comes after the query.
const maskedWeights = data.map((weight, at) => (at % ${characterCount} > Math.floor(at / ${characterCount}) % ${characterCount} ? NaN : weight));
const weights = { shape: [${characterCount}, ${characterCount}], data: maskedWeights.slice(${index * characterCount ** 2}, ${(index + 1) * characterCount ** 2}) };
const maps = { shape: [${layers * heads * characterCount}, ${characterCount}], data: maskedWeights };
// The mean weight on the first character.
const meanOnFirst = (head) => Array.from({ length: ${characterCount} }, (_, query) => maskedWeights[(head * ${characterCount} + query) * ${characterCount}]).reduce((sum, weight) => sum + weight) / ${characterCount};
const first = { shape: [${layers * heads}], data: Float32Array.from({ length: ${layers * heads} }, (_, head) => meanOnFirst(head)) };
trainer.dispose();
`,
  };
}

function tableCode(results: TableResults): SourceCode {
  const { config, model } = results;
  const { seed, steps: totalSteps } = config;
  const step = getDisplayedStep(results);
  const training = createTrainingCommand(results);
  const trainConfig: TrainConfig = { ...model.spec, seed };
  return {
    ...pythonProgram({
      imports: ['from analysis import row_similarity'],
      values: { rows: pythonArray('rows', results.rows) },
      data: training.data,
      lines: [
        '',
        `# The table (positions, dim) after ${step} steps.`,
        ...training.comments,
        'after = row_similarity(rows - rows.mean(axis=0))',
      ],
    }),
    phasor: withAnalysis(`import { createPhasor } from 'phasor';
import { createTrainer } from 'phasor/train';

const phasor = await createPhasor();
const trainer = await createTrainer(${toLiteral(trainConfig)});
// Cosines between rows after subtracting the mean row. Coordinates along all principal components have the same angles.
const computeCosines = async () => {
  const { 'encoding.table': table } = await trainer.weights();
  const { coordinates } = analysis.principalComponents(phasor, { table, components: ${Math.min(config.sequenceLength, config.embedDim)} });
  return { rows: table, similarity: analysis.similarity(phasor, { table: coordinates }) };
};
const { similarity: before } = await computeCosines();
// The page takes a snapshot every ${totalSteps / NUM_SNAPSHOTS} steps.
${stepsCode(step)}const { rows, similarity: after } = await computeCosines();
trainer.dispose();
`),
  };
}

function biasesCode({ encoding, config }: BiasResults, encodings: readonly EncodingInfo[]): SourceCode {
  const { heads, sequenceLength, embedDim, seed } = config;
  const { values, lines, phasor } = generateBiasCode({ encoding, heads, dim: embedDim / heads, length: sequenceLength, seed }, encodings);
  return {
    ...pythonProgram({ values, lines: [...lines, 'curves = biases[:, -1, ::-1]  # from the last character back'] }),
    phasor: `${phasor}// Biases for the last query, by distance back.
const rows = Array.from({ length: ${heads} }, (_, head) => {
  const end = (head + 1) * ${sequenceLength ** 2};
  return [...biases.data.slice(end - ${sequenceLength}, end)].reverse();
});
const curves = { shape: [${heads}, ${sequenceLength}], data: Float32Array.from(rows.flat()) };
`,
  };
}

export function code(spec: Spec, encodings: readonly EncodingInfo[], results: Results): SourceCode {
  if (results.show === 'heads') return headsCode(spec, results);
  if (results.show === 'frequencies') return frequenciesCode(results, createTrainingCommand(results));
  return results.show === 'table' ? tableCode(results) : biasesCode(results, encodings);
}
