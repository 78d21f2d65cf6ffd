// Runs tiny checkpoints in the Hugging Face layout and compares them with the outputs of transformers (tests/golden-models). Positions
// and attention come from the package, everything else from plain loops in double. Independent of a test runner.

import type { AnyPhasor, ContractCase } from './contract-checks.ts';
import { Decoding, FullSequence } from './models/attend.ts';
import { families, type ModelFiles, readModel } from './models/families.ts';
import type { Text } from './models/family.ts';
import { type Batch, checkFields, compare, crossEntropy, OUTPUT, POSITION, part, shaped, texts, WEIGHT } from './models/reference.ts';
import { t5DecoderCases } from './models/t5-decoder.ts';

const outputOf = ({ logits, last_hidden_state }: Batch) => {
  if (!logits === !last_hidden_state) throw new Error('inputs: one of logits and last_hidden_state is needed');
  return (logits ?? last_hidden_state)!;
};

async function compareWhole(files: ModelFiles, batch: Batch, phasor: AnyPhasor): Promise<void> {
  checkFields(batch);
  const { family, model } = readModel(files);
  for (const [i, text] of texts(batch).entries()) {
    const attention = new FullSequence(phasor, text.attentionMask);
    const { output, states } = await family.run(model, text, attention, phasor);
    const unreadNames = model.unread(family.aside);
    if (unreadNames.length > 0) throw new Error(`no layer used ${unreadNames.join()}`);
    if ((batch.hidden_states ?? states).length !== states.length) throw new Error(`there are ${states.length} states`);
    batch.hidden_states?.forEach((expected, state) => {
      compare(`text ${i}, state ${state}`, shaped(states[state]!), part(expected, i), OUTPUT);
    });
    if (attention.weights.length !== batch.attentions.length) throw new Error(`${attention.weights.length} layers have attended`);
    attention.weights.forEach((weights, layer) => {
      compare(`text ${i}, weights of layer ${layer}`, weights, part(batch.attentions[layer]!, i), WEIGHT, 'weights');
    });
    compare(`text ${i}, output`, shaped(output), part(outputOf(batch), i), OUTPUT);
    if (batch.next_token_ce !== undefined && batch.ppl !== undefined) {
      const loss = crossEntropy(output, text.ids);
      compare(
        'cross-entropy and perplexity',
        { shape: [2], data: [loss, Math.exp(loss)] },
        { shape: [2], data: [batch.next_token_ce, batch.ppl] },
        OUTPUT,
      );
    }
  }
}

/** Computes the logits of a sequence: prefills the first `prompt` tokens and decodes the others one by one. */
async function decode(files: ModelFiles, text: Text, prompt: number, phasor: AnyPhasor) {
  const { family, model } = readModel(files);
  const caches = new Decoding(phasor, text.ids.length);
  const steps: number[] = [];
  for (let first = 0, count = prompt; first < text.ids.length; first += count, count = 1) {
    const slice = <T>(list: readonly T[]) => list.slice(first, first + count);
    const next = { ids: slice(text.ids), first, attentionMask: slice(text.attentionMask), types: slice(text.types) };
    const { output } = await family.run(model, next, caches, phasor);
    steps.push(...output.data);
  }
  await caches.close();
  return { shape: [text.ids.length, steps.length / text.ids.length], data: steps };
}

/** Whether the family has cases here. The others run only in tests/cpp/model. */
export const hasModelCases = (family: string) => Object.hasOwn(families, family);

export function modelCases(files: ModelFiles): readonly ContractCase[] {
  const { expected } = files;
  const { family, model } = readModel(files);
  const cases: ContractCase[] = expected.inputs.map((batch) => ({
    name: `${expected.case}: ${batch.input_ids.length} x ${batch.input_ids[0]?.length} tokens`,
    run: (phasor) => compareWhole(files, batch, phasor),
  }));
  for (const batch of family.causal ? expected.inputs : []) {
    const [text] = texts(batch) as [Text];
    const prompt = text.ids.length > 10 ? 10 : 1;
    cases.push({
      name: `${expected.case}: ${text.ids.length} tokens decoded, the first ${prompt} at once`,
      run: async (phasor) => compare('logits', await decode(files, text, prompt, phasor), part(outputOf(batch), 0), OUTPUT),
    });
  }
  for (const batch of family.causal ? expected.inputs.slice(1) : []) {
    const [text] = texts(batch) as [Text];
    cases.push({
      name: `${expected.case}: ${text.ids.length} tokens behind padding`,
      run: async (phasor) => {
        const attentionMask = [0, 0, 0, ...text.attentionMask] as const;
        const padded = { ...text, ids: [0, 0, 0, ...text.ids], attentionMask, types: [0, 0, 0, ...text.types] };
        const { output } = await family.run(model, padded, new FullSequence(phasor, padded.attentionMask), phasor);
        const data = output.data.subarray(3 * output.columns);
        compare('logits', { shape: [text.ids.length, output.columns], data }, part(outputOf(batch), 0), OUTPUT);
      },
    });
  }
  if (expected.position) {
    const { relative_position = [], ...fields } = expected.position;
    cases.push({
      name: `${expected.case}: ${Object.keys(fields).join()}`,
      run: async (phasor) => {
        const actual = (await family.positions?.(model, phasor, relative_position)) ?? {};
        if (Object.keys(actual).join() !== Object.keys(fields).join())
          throw new Error(`position: ${Object.keys(actual).join()} is computed here`);
        for (const [name, { shape, data }] of Object.entries(fields))
          compare(name, { shape, data: actual[name]! }, { shape, data }, POSITION);
      },
    });
  }
  return model.has('decoder.final_layer_norm.weight') ? [...cases, ...t5DecoderCases(files)] : cases;
}
