// Finds the imports of a source file with the TypeScript parser: static, dynamic, `import.meta.glob` and type-only.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

export interface Import {
  /** A path from the root of the repository, or a module name: a package, '#glue' or 'virtual:photographs'. */
  readonly to: string;
  readonly isPath: boolean;
  readonly typeOnly: boolean;
}

/** Returns the files below a folder whose path matches, without those of node_modules. */
export const filesBelow = (folder: string, pattern: RegExp): string[] =>
  readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((name) => pattern.test(name) && !name.includes('node_modules'));

/** Returns the files that match glob patterns; a pattern with '!' excludes files. */
function matching(patterns: readonly string[], folder: string): string[] {
  const tests = patterns.map((pattern) => {
    const path = normalize(join(folder, pattern.replace(/^!/, '')));
    const words = path
      .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll(/\*\*\/?|\*/g, (wildcard) => (wildcard === '*' ? '[^/]*' : '.*'));
    return {
      below: path.slice(0, path.indexOf('*')).replace(/[^/]*$/, ''),
      test: new RegExp(`^${words}$`),
      takes: pattern.startsWith('!'),
    };
  });
  const listedFiles = tests.filter(({ takes: isIncluded }) => !isIncluded).flatMap(({ below: folder, test }) => filesBelow(folder, test));
  return listedFiles.filter((file) => !tests.some(({ takes: isIncluded, test }) => isIncluded && test.test(file)));
}

const texts = (node: ts.Node | undefined): string[] => {
  if (node === undefined) return [];
  return ts.isArrayLiteralExpression(node) ? node.elements.flatMap(texts) : ts.isStringLiteralLike(node) ? [node.text] : [];
};

const isTypesOnly = (names: ts.NamedImportBindings | ts.NamedExportBindings | undefined): boolean =>
  names !== undefined &&
  (ts.isNamedImports(names) || ts.isNamedExports(names)) &&
  names.elements.length > 0 &&
  names.elements.every(({ isTypeOnly }) => isTypeOnly);

const read = new Map<string, readonly Import[]>();

/** Returns all imports of a file without queries ('?raw'). Cached. */
export function importsOf(file: string): readonly Import[] {
  const cachedImports = read.get(file);
  if (cachedImports) return cachedImports;
  const imports: Import[] = [];
  read.set(file, imports);
  const add = (names: readonly string[], typeOnly: boolean) => {
    for (const name of names) {
      const isPath = name.startsWith('.');
      imports.push({ to: isPath ? normalize(join(dirname(file), name.replace(/\?.*/, ''))) : name, isPath, typeOnly });
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      const clause = node.importClause;
      const typeOnly = clause !== undefined && (clause.isTypeOnly || (clause.name === undefined && isTypesOnly(clause.namedBindings)));
      add(texts(node.moduleSpecifier), typeOnly);
    } else if (ts.isExportDeclaration(node)) add(texts(node.moduleSpecifier), node.isTypeOnly || isTypesOnly(node.exportClause));
    else if (ts.isImportTypeNode(node)) add(ts.isLiteralTypeNode(node.argument) ? texts(node.argument.literal) : [], true);
    else if (ts.isCallExpression(node)) {
      if (node.expression.kind === ts.SyntaxKind.ImportKeyword) add(texts(node.arguments[0]), false);
      else if (/^import\.meta\.glob\b/.test(node.expression.getText()))
        for (const path of matching(texts(node.arguments[0]), dirname(file))) imports.push({ to: path, isPath: true, typeOnly: false });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
  return imports;
}
