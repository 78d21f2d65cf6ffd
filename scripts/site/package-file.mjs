// The package files that the site serves: the npm package, packed by `npm pack` from dist/npm, and the wheel for notebooks.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../root.mjs';

const PACKAGE = join(root, 'dist/npm');
const WHEELS = join(root, 'dist/python');
/** @typedef {{ name: string, bytes: Buffer }} PackageFile */

/** @type {PackageFile | undefined} */
let created;

/** @returns {PackageFile | undefined} undefined if the package is not built */
export function packageFile() {
  if (!existsSync(join(PACKAGE, 'package.json'))) return undefined;
  if (created) return created;
  const folder = mkdtempSync(join(tmpdir(), 'phasor-pack-'));
  try {
    execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: PACKAGE });
    const [name] = readdirSync(folder);
    if (name === undefined) throw new Error('npm pack wrote no file');
    created = { name, bytes: readFileSync(join(folder, name)) };
    return created;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns {PackageFile | undefined} undefined if the wheel is not built */
export function wheelFile() {
  const [name] = existsSync(WHEELS) ? readdirSync(WHEELS) : [];
  return name === undefined ? undefined : { name, bytes: readFileSync(join(WHEELS, name)) };
}
