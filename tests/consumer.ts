// Projects of users: empty folders with the packed package installed.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class Consumers {
  readonly folder = mkdtempSync(join(tmpdir(), 'phasor-consumers-'));
  readonly #tarball = execFileSync('npm', ['pack', '--silent', '--pack-destination', this.folder], {
    cwd: 'dist/npm',
    encoding: 'utf8',
  }).trim();
  /** The node_modules of the first project. Other projects copy it, which saves a second each. */
  #installed = '';

  /** Creates a project with these files and the package installed. @returns its folder */
  project(name: string, files: Record<string, string>): string {
    const path = join(this.folder, name);
    mkdirSync(path);
    writeFileSync(join(path, 'package.json'), JSON.stringify({ name, private: true, type: 'module' }));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
    const modules = join(path, 'node_modules');
    if (this.#installed) {
      cpSync(this.#installed, modules, { recursive: true });
    } else {
      execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', '--offline', join(this.folder, this.#tarball)], { cwd: path });
      this.#installed = modules;
    }
    return path;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The path of a program in node_modules of this repository. */
export const program = (name: string) => join(process.cwd(), 'node_modules/.bin', name);
