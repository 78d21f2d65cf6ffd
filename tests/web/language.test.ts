// The style of comments and documents: a listed word may not become more frequent.
// Lower a limit when its count falls.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

interface Rule {
  readonly pattern: RegExp;
  /** The recommended replacement. */
  readonly instead: string;
  /** The maximum number of occurrences. */
  readonly limit: number;
}

const RULES: Record<string, Rule> = {
  said: { pattern: /\bsaid\b/gi, instead: 'the verb of the subject: returned, printed, documented', limit: 32 },
  asks: { pattern: /\b(?:asks|asked)\b/gi, instead: 'needs, requires, requested', limit: 39 },
  stands: { pattern: /\bstands?\b(?!-| for\b)/gi, instead: 'is, are', limit: 29 },
  brought: { pattern: /\b(?:brings?|brought)\b/gi, instead: 'provides, provided', limit: 14 },
  forgets: { pattern: /\bforgets\b/gi, instead: 'clears, drops', limit: 1 },
  refused: { pattern: /\brefuse[sd]?\b/gi, instead: 'reject, rejected', limit: 25 },
  answers: { pattern: /\b(?:that|which|it|engine|function|server) answers\b/gi, instead: 'returns, responds', limit: 4 },
  'what is given': { pattern: /\bwhat is (?:given|made|wanted|kept)\b/gi, instead: 'a noun: arguments, results', limit: 3 },
  'of its own': { pattern: /\bof its own\b/gi, instead: 'separate, own', limit: 26 },
  What: { pattern: /(?:^|[.:] )What [^?.]*\.(?= |$)/g, instead: 'a noun phrase', limit: 55 },
};

const filesIn = (folder: string, ending: RegExp): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name) && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name));

function commentsOf(text: string): string[] {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, text);
  const comments: string[] = [];
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan())
    if (kind === ts.SyntaxKind.SingleLineCommentTrivia || kind === ts.SyntaxKind.MultiLineCommentTrivia)
      comments.push(scanner.getTokenText());
  return comments;
}

/** A comment as prose: without comment markers, on one line. */
const proseOf = (comment: string) => comment.replaceAll(/^\s*(?:\/\*\*?|\*\/|\*|\/\/)\s?|\*\/\s*$/gm, '').replaceAll(/\s*\n\s*/g, ' ');

function textsOf(): { file: string; text: string }[] {
  const scripts = [...filesIn('web', /\.ts$/), ...filesIn('tests', /\.ts$/), ...filesIn('scripts', /\.mjs$/)].map((file) => ({
    file,
    text: commentsOf(readFileSync(file, 'utf8')).map(proseOf).join('\n'),
  }));
  const programs = [...filesIn('cpp', /\.(?:h|cpp)$/), ...filesIn('tests/cpp', /\.(?:h|cpp)$/)].map((file) => ({
    file,
    text: (readFileSync(file, 'utf8').match(/(?:^[ \t]*\/\/.*\n)+|\/\/.*$/gm) ?? []).map(proseOf).join('\n'),
  }));
  const documents = ['README.md', 'CONTRIBUTING.md', 'web/engine/README.md', ...filesIn('docs', /\.md$/)]
    .filter((file) => file !== 'docs/names.md')
    .map((file) => ({
      file,
      text: readFileSync(file, 'utf8')
        .replaceAll(/^```[\s\S]*?^```/gm, '')
        .replaceAll(/`[^`\n]*`/g, ''),
    }));
  return [...scripts, ...programs, ...documents];
}

it('uses no listed word more often than its limit', () => {
  const texts = textsOf();
  const counts = Object.entries(RULES).map(([name, { pattern, limit }]) => {
    const matches = texts.map(({ file, text }) => ({ file, count: text.match(pattern)?.length ?? 0 })).filter(({ count }) => count > 0);
    return { name, limit, count: matches.reduce((sum, { count }) => sum + count, 0), found: matches };
  });
  const over = counts.filter(({ count, limit }) => count > limit);
  const topFiles = (matches: { file: string; count: number }[]) =>
    matches
      .toSorted((a, b) => b.count - a.count)
      .slice(0, 3)
      .map(({ file }) => file);
  expect(
    over.map(
      ({ name, count, limit, found: matches }) =>
        `${name}: ${count}, at most ${limit}; write ${RULES[name]?.instead}; most in ${topFiles(matches).join(', ')}`,
    ),
  ).toEqual([]);
});
