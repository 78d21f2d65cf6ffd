// Finds sources that depend on the text of an error message, parsed by TypeScript.
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const READING = new Set([
  'endsWith',
  'exec',
  'includes',
  'indexOf',
  'match',
  'matchAll',
  'replace',
  'replaceAll',
  'search',
  'split',
  'startsWith',
  'test',
]);

/** `message`, `error.message` */
const isMessage = (node: ts.Node): boolean =>
  (ts.isIdentifier(node) && node.text === 'message') || (ts.isPropertyAccessExpression(node) && node.name.text === 'message');

/** `message.split(..)`, `/../.exec(error.message)` */
function isReading(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { expression, name } = node.expression;
  return READING.has(name.text) && (isMessage(expression) || node.arguments.some(isMessage));
}

export function readsMessages(file: string): boolean {
  const containsReading = (node: ts.Node): boolean =>
    isReading(node) || (ts.forEachChild(node, (child) => containsReading(child) || undefined) ?? false);
  return containsReading(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest));
}
