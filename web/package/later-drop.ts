// In phasor/figure, in the place of web/figure/drop.ts: what takes files of readers is in the file that also reads them, and comes with it after the first
// picture (scripts/vite/later-programs.mjs).
import { nothing, type TemplateResult } from 'lit';
import type { Figure } from '../figure/controller.ts';
import type { FileDrop as Drop, Host } from '../figure/drop.ts';
import { loadedPrograms } from './later-programs.ts';

export class FileDrop implements Pick<Drop, 'part'> {
  private drop: Drop | undefined;

  constructor(
    private readonly host: Host,
    private readonly figure: () => Figure | undefined,
    private readonly changed: (figure: Figure, field: string) => void,
  ) {}

  part(figure: Figure): TemplateResult | typeof nothing {
    const file = loadedPrograms();
    if (!file || !figure.kind.accept) return nothing;
    this.drop ??= new file.FileDrop(this.host, this.figure, this.changed);
    return this.drop.part(figure);
  }
}
