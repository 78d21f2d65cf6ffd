// Predictions: the core or published numbers, shown with their source, determine the solution.
import { describe, expect, it } from 'vitest';
import { html, refusal } from './read-book.ts';

/** The sine of 1. */
const ONE = "at(positionTable({ encoding: 'sinusoidal', length: 4, dim: 4 }), 1, 0)";
const SOURCE = 'source: [Press et al. 2022](https://arxiv.org/abs/2108.12409), Table 2';

const predict = (...lines: string[]) => `::: predict\nWhich?\n${lines.join('\n')}\n\nBecause.\n:::`;

describe('prediction decided by the core', () => {
  it('marks the correct option', async () => {
    const text = await html(predict(`- No {correct if ${ONE} < 0.5}`, `- Yes {correct if ${ONE} > 0.5}`));
    expect(text).toContain('data-correct="1"');
    expect(text).toContain('<details class="answer">');
    expect(text).toMatch(/Decided by the core: <data [^>]*>0\.841<\/data> &lt; /);
    expect(await html(predict('- No {otherwise}', `- Yes {correct if ${ONE} > 0.9}`))).toContain('data-correct="0"');
  });

  it('computes the numeric answer', async () => {
    expect(await html(predict(`answer: ${ONE} within 10% units`))).toMatch(/data-answer="0\.84\d+" data-within="10" data-percent>/);
  });
});

describe('prediction decided by published numbers', () => {
  it('compares neighbouring numbers to find the correct order, and cites the source', async () => {
    const order = (...items: number[]) => `{correct if published ${items.join(' > ')}}`;
    const text = await html(predict(`- a ${order(21.37, 43.54, 18.79)}`, `- b ${order(43.54, 21.37, 18.79)}`, SOURCE));
    expect(text).toContain('data-correct="1" data-published>');
    expect(text).toContain(
      'Published: 43.54 > 21.37 > 18.79 (<a href="https://arxiv.org/abs/2108.12409">Press et al. 2022</a>, Table 2)</span>',
    );
    expect(text).not.toContain('source:');
    expect(text).not.toContain('core');
    expect(text).toContain('<p>Because.</p>');
  });

  it('prints the answer as published', async () => {
    const text = await html(predict('answer: published 1,012.50 within 2 tokens', SOURCE));
    expect(text).toContain('data-answer="1012.5" data-within="2" data-published>');
    expect(text).toContain('<b>Answer:</b> 1,012.50 tokens <span class="decided">Published (<a ');
  });
});

describe('invalid prediction', () => {
  it.each([
    ['::: predict\nNo options\n:::', /^a\.md:6: predict: after the question come options/],
    [
      `::: predict\nWhich?\n- a {correct if ${ONE} > 0.5}\n- b {correct if ${ONE} < 2}\n:::`,
      /^a\.md:6: predict: by the core 2 options are correct/,
    ],
    ['::: predict\nWhich?\n- a\n- b\n:::', /^a\.md:6: predict: by the core 0 options/],
    ['::: predict\nWhich?\n- a {correct if 1}\n- b\n:::', /^a\.md:8: predict: “1” compares nothing/],
    [predict('- a {correct if 1 < 2}', '- b'), /^a\.md:8: predict: “1 < 2” asks the core nothing/],
    [predict('- a {correct if published 2 > 1}', '- b'), /^a\.md:8: predict: published numbers need a line “source:/],
    [predict('answer: published 2 within 10%'), /^a\.md:8: predict: published numbers need a line “source:/],
    [predict('- a {correct if published 2 > 1}', '- b', 'source:'), /^a\.md:10: predict: “source:” names the paper/],
    [predict('- a {correct if published 2 > 1}', '- b', '', SOURCE), /^a\.md:11: predict: “source:” is one line directly below/],
    [predict('- a {correct if published 2 > 1}', '- b', SOURCE, SOURCE), /^a\.md:11: predict: “source:” is one line directly below/],
    [predict(`- a {correct if ${ONE} > 2}`, '- b {otherwise}', SOURCE), /^a\.md:8: predict: there is a source, but no “published” number/],
    [predict(`- a {correct if ${ONE} > 2}`, '- b {correct if published 2 > 1}', SOURCE), /^a\.md:6: predict: either the core decides or/],
    [predict('- a {correct if published 2}', '- b', SOURCE), /^a\.md:8: predict: “published 2” compares nothing/],
    [predict('- a {correct if published 2 > table}', '- b', SOURCE), /^a\.md:8: predict: “table” is no number as a table prints it/],
    [predict('- a {correct if published 2 > 1 >}', '- b', SOURCE), /^a\.md:8: predict: “” is no number as a table prints it/],
    [predict('- a {correct if published 1 > 2}', '- b', SOURCE), /^a\.md:6: predict: by the published numbers 0 options are correct/],
    [predict('answer: published about 2 within 10%', SOURCE), /^a\.md:8: predict: “about 2” is no number/],
  ])('rejects %j', async (body, sentence) => {
    expect(await refusal(body)).toMatch(sentence);
  });
});
