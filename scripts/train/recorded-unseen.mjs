// What the figure `unseen` shows of losses: the model of RoPE that ships (E2b, seed 1) reads passages of up to eight times its trained length by each
// method. Slower pairs are read by the trainer of the package; other distances, which trainers refuse, by remapped.mjs, which is checked first.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { root } from '../root.mjs';
import { short } from './recorded-report.mjs';
import { remappedLoss, tensorsOf, testTokens } from './remapped.mjs';

const LENGTHS = [64, 128, 256, 512];
const PASSAGES = 128;
/** Between both readers: sums in another order. */
const TOLERANCE = 1e-5;

export async function recordUnseen({ createTrainer, phasor }) {
  const { module } = await runnerImport(join(root, 'web/figure/kinds/unseen/methods.ts'));
  const { METHODS, encodingOf } = /** @type {any} */ (module);
  const corpus = readFileSync(join(root, 'public/data/pride-and-prejudice.txt'), 'utf8');
  const { models } = JSON.parse(readFileSync(join(root, 'public/models/index.json'), 'utf8'));
  const { file, spec: given, chance } = models.find(({ id }) => id === 'text-rope');
  const trainer = await createTrainer({ ...given, corpus });
  await trainer.loadWeights(readFileSync(join(root, 'public/models', file)));
  const weights = await trainer.saveWeights();
  const { spec } = trainer;
  trainer.dispose();
  const model = { spec, weights: tensorsOf(weights), test: testTokens(corpus) };

  const byTrainer = async (encoding, length) => {
    const reader = await createTrainer({ ...given, corpus, encoding });
    await reader.loadWeights(weights);
    const { lengths } = await reader.evaluate({ lengths: [length], items: PASSAGES, observe: false });
    reader.dispose();
    return lengths[0].loss;
  };
  const difference = remappedLoss(phasor, model, { id: 'rope' }, LENGTHS[1], PASSAGES) - (await byTrainer({ id: 'rope' }, LENGTHS[1]));
  if (!(Math.abs(difference) < TOLERANCE))
    throw new Error(`remapped.mjs reads a loss that differs by ${difference} from that of the trainer`);

  const loss = {};
  for (const [id] of METHODS) {
    loss[id] = [];
    for (const length of LENGTHS) {
      // A text of the trained length is read as in training.
      const encoding = length === spec.length ? { id: 'rope' } : encodingOf(id, { trained: spec.length, factor: length / spec.length });
      loss[id].push(short(encoding.remap ? remappedLoss(phasor, model, encoding, length, PASSAGES) : await byTrainer(encoding, length)));
      console.log(`unseen ${id} ${length}: ${loss[id].at(-1)}`);
    }
  }
  return {
    command: 'npm run recorded -- unseen',
    model: 'text-rope',
    seed: spec.seed,
    trained: spec.length,
    passages: PASSAGES,
    chance,
    lengths: LENGTHS,
    loss,
  };
}
