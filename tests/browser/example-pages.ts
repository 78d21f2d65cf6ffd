// Serves docs/examples, and pages that a test writes, beside the package.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Page, test } from '@playwright/test';
import { serve } from './static-server.ts';

export const examples = join(process.cwd(), 'docs/examples');
let folder = '';
export let host: Awaited<ReturnType<typeof serve>>;

export function serveExamples(): void {
  test.beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'phasor-examples-'));
    host = await serve({
      '/phasor/': join(process.cwd(), 'dist/npm'),
      '/phasor-anywidget/': join(process.cwd(), 'dist/npm-anywidget'),
      '/made/phasor/': join(process.cwd(), 'dist/npm'),
      '/made/': folder,
      '/': examples,
    });
  });
  test.afterAll(() => {
    host.close();
    rmSync(folder, { recursive: true, force: true });
  });
}

/** Collects errors of the page and requests to other hosts. */
export function collectProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('request', (request) => {
    if (!request.url().startsWith(host.origin) && !/^(blob|data|about):/.test(request.url())) problems.push(`requests ${request.url()}`);
  });
  return problems;
}

export async function openCustomPage(page: Page, name: string, body: string): Promise<string[]> {
  const problems = collectProblems(page);
  writeFileSync(join(folder, name), `<!doctype html><meta charset="utf-8"><title>${name}</title><link rel="icon" href="data:,">${body}`);
  await page.goto(`${host.origin}/made/${name}`);
  return problems;
}
