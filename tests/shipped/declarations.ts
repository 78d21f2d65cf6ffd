// The declarations of the packages, read from dist as an editor reads them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const FOLDER = join(import.meta.dirname, '../../dist/npm');
const WIDGET = join(import.meta.dirname, '../../dist/npm-anywidget');
const manifest = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8')) as {
  exports: Record<string, { types?: string }>;
};

/** The declaration files of all entries except phasor/worker.js and the WebAssembly, which export nothing to describe. */
export const ENTRIES = [
  ...Object.entries(manifest.exports).flatMap(([name, { types }]) => (types && !/\.(js|wasm)$/.test(name) ? [join(FOLDER, types)] : [])),
  join(WIDGET, 'anywidget.d.ts'),
];

export interface Declared {
  /** Interface, class or function, and the member: `KeptMethods.keep`. */
  readonly name: string;
  readonly isCallable: boolean;
  readonly text: string;
  /** By tag name: 'throws', 'example'. */
  readonly tags: ReadonlyMap<string, string>;
}

const isNamed = (node: ts.Node): node is ts.NamedDeclaration => (node as ts.NamedDeclaration).name !== undefined;
const nameOf = (node: ts.Node): string =>
  ts.isConstructorDeclaration(node) ? 'constructor' : isNamed(node) ? (node.name?.getText() ?? '') : '';

/** Exported declarations need a description, and so does every member of them. */
const isStatement = (node: ts.Node) =>
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isClassDeclaration(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isVariableDeclaration(node);
const isMember = (node: ts.Node) =>
  ts.isPropertySignature(node) ||
  ts.isMethodSignature(node) ||
  ts.isPropertyDeclaration(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isGetAccessorDeclaration(node) ||
  ts.isConstructorDeclaration(node);

function isCallable(node: ts.Node): boolean {
  if (ts.isMethodSignature(node) || ts.isMethodDeclaration(node) || ts.isFunctionDeclaration(node)) return true;
  return ts.isVariableDeclaration(node) && node.type !== undefined && ts.isFunctionTypeNode(node.type);
}

export function program(): ts.Program {
  const options = { strict: true, noEmit: true, target: ts.ScriptTarget.ES2022, moduleResolution: ts.ModuleResolutionKind.Bundler };
  return ts.createProgram(ENTRIES, {
    ...options,
    module: ts.ModuleKind.ESNext,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.esnext.disposable.d.ts'],
    types: [],
  });
}

function describeNode(node: ts.Node, name: string): Declared {
  const holder = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  const comments = ts.getJSDocCommentsAndTags(holder).filter(ts.isJSDoc);
  const tags = comments.flatMap((comment) => [...(comment.tags ?? [])]);
  const textOf = (comment: ts.JSDoc['comment']) => ts.getTextOfJSDocComment(comment) ?? '';
  return {
    name,
    isCallable: isCallable(node),
    text: comments.map(({ comment }) => textOf(comment)).join('\n'),
    tags: new Map(tags.map((tag) => [tag.tagName.text, tag.getText().replaceAll(/^\s*\* ?/gm, '')])),
  };
}

/** All declarations that the entries export, and the members of package types to which these declarations refer. */
export function declarations(): Declared[] {
  const reader = program();
  const checker = reader.getTypeChecker();
  const declared: Declared[] = [];
  const visited = new Set<ts.Node>();
  const isOwn = (node: ts.Node) => [FOLDER, WIDGET].some((folder) => node.getSourceFile().fileName.startsWith(`${folder}/`));
  const visitSymbol = (symbol: ts.Symbol | undefined, isPublic: boolean): void => {
    const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    for (const declaration of target?.declarations ?? []) if (isOwn(declaration) && isStatement(declaration)) visit(declaration, isPublic);
  };
  const visit = (statement: ts.Node, isPublic: boolean): void => {
    if (visited.has(statement)) return;
    visited.add(statement);
    if (isPublic) declared.push(describeNode(statement, nameOf(statement)));
    const members = (node: ts.Node, path: string): void => {
      // The type after "extends" in a conditional type is not part of the API.
      if (ts.isConditionalTypeNode(node.parent) && node.parent.extendsType === node) return;
      const name = isMember(node) ? `${path}.${nameOf(node)}` : path;
      if (isMember(node)) declared.push(describeNode(node, name));
      // Types to which a declaration refers may not be exported themselves.
      if (ts.isIdentifier(node) && !(isNamed(node.parent) && node.parent.name === node))
        visitSymbol(checker.getSymbolAtLocation(node), false);
      ts.forEachChild(node, (child) => members(child, name));
    };
    ts.forEachChild(statement, (child) => members(child, nameOf(statement)));
  };
  for (const entry of ENTRIES) {
    const module = checker.getSymbolAtLocation(reader.getSourceFile(entry) as ts.SourceFile);
    if (!module) throw new Error(`${entry} is no module`);
    for (const symbol of checker.getExportsOfModule(module)) visitSymbol(symbol, true);
  }
  return declared;
}

/** The descriptions that an editor shows for the members of a type, by name. */
export function hovers(type: string): Map<string, string> {
  const reader = program();
  const checker = reader.getTypeChecker();
  const module = checker.getSymbolAtLocation(reader.getSourceFile(ENTRIES[0] as string) as ts.SourceFile) as ts.Symbol;
  const symbol = checker.getExportsOfModule(module).find(({ name }) => name === type) as ts.Symbol;
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const members = checker.getDeclaredTypeOfSymbol(target).getProperties();
  return new Map(members.map((member) => [member.name, ts.displayPartsToString(member.getDocumentationComment(checker))]));
}

export const exampleOf = ({ tags }: Declared): string => /```js\n(.*?)\n```/s.exec(tags.get('example') ?? '')?.[1] ?? '';
