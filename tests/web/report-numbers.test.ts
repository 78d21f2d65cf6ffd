// The report on a language model: values from its configuration and its heads.
import { describe, expect, it } from 'vitest';
import { createPhasor } from '../../web/engine/node.ts';
import { computeReportNumbers } from '../../web/figure/export/report-numbers.ts';
import { REPORT_STRINGS } from '../../web/figure/export/report-strings.ts';
import { toAsyncEngine } from '../../web/figure/runtime/promised-engine.ts';
import { languageModel } from './kinds/language-model.ts';

const engine = toAsyncEngine(await createPhasor({ variant: 'simd' }));
const model = await languageModel();
const text = 'Mr. Darcy smiled at Elizabeth, and Elizabeth smiled at Mr.';

describe('computeReportNumbers', () => {
  it('returns the position sentence and the entries of the config', async () => {
    const { positionSentence, configEntries } = await computeReportNumbers(model, text, engine);
    expect(positionSentence?.sentence).toContain('base 10,000');
    expect(configEntries.fileEntries).toContainEqual(['rope_theta', '10000']);
    expect(configEntries.fileEntries).toContainEqual(['model_type', 'llama']);
  });

  it('counts the channel pairs that complete no rotation within the maximum length', async () => {
    const { rotationGroups } = await computeReportNumbers(model, text, engine);
    // Heads of 16 channels: a rotation takes 2 pi 10000^(p / 8) tokens, which is below 128 for p = 0, 1 and 2.
    const expected = [0, 1, 2, 3, 4, 5, 6, 7].filter((pair) => 2 * Math.PI * 10_000 ** (pair / 8) > 128).length;
    expect(rotationGroups).toEqual([{ layers: [0, 1, 2, 3], pairCount: 8, incompletePairCount: expected }]);
    expect(REPORT_STRINGS.turns(rotationGroups[0] as never, 128, true)).toContain(
      `${expected} of 8 channel pairs do not complete a rotation within 128 tokens, the maximum length in the configuration. A text of 129 tokens`,
    );
  });

  it('returns the strongest heads and the contribution of each channel pair', async () => {
    const { firstTokenHeads, previousTokenHeads, pairs, meanWeightOnFirst, tokenCount } = await computeReportNumbers(model, text, engine);
    const { ids } = await (model.tokenizer as NonNullable<typeof model.tokenizer>).tokenize(text);
    expect(tokenCount).toBe(ids.length);
    const { headMeasures } = await model.model.run(ids, { outputs: ['headMeasures'] });
    expect(firstTokenHeads[0]?.share).toBe(Math.max(...headMeasures.first.data));
    expect(previousTokenHeads[0]?.share).toBe(Math.max(...headMeasures.previous.data));
    const { layer, head } = firstTokenHeads[0] as (typeof firstTokenHeads)[number];
    expect(headMeasures.first.data[layer * 8 + head]).toBe(firstTokenHeads[0]?.share);
    expect(meanWeightOnFirst).toBeGreaterThan(0);
    expect(meanWeightOnFirst).toBeLessThan(firstTokenHeads[0]?.share as number);
    expect(pairs).toHaveLength(4);
    for (const { contributions } of pairs) expect(contributions.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 4);
  });

  it('returns the positional keys of a GGUF file in place of a config', async () => {
    const gguf = {
      ...model,
      config: undefined,
      metadata: { 'llama.rope.freq_base': 10000, 'llama.context_length': 128, 'general.name': 'x' },
    };
    const { positionSentence, configEntries, rotationGroups } = await computeReportNumbers(gguf, text, engine);
    expect(positionSentence).toBeUndefined();
    expect(rotationGroups).toEqual([]);
    expect(configEntries.fileEntries).toEqual([
      ['llama.rope.freq_base', '10000'],
      ['llama.context_length', '128'],
    ]);
  });

  it('rejects a text of too few tokens', async () => {
    await expect(computeReportNumbers(model, '', engine)).rejects.toThrow('text: has 0 tokens for this model; expected at least 2');
  });
});

it('REPORT_STRINGS.turns names layers as ranges, counted from 1', () => {
  const describeTurns = (layers: readonly number[]) => REPORT_STRINGS.turns({ layers, pairCount: 4, incompletePairCount: 0 }, 8, false);
  expect(describeTurns([0, 1, 2, 4])).toContain('In layers 1 to 3 and 5, each');
  expect(describeTurns([5])).toContain('In layer 6, each');
});
