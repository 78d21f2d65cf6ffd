// Verifies with golden cases that an engine computes correct results in this browser. The expected results are from reference
// implementations.
import address from '../../build/golden-cases.json?url';
import type { AnyPhasor } from './any-phasor.ts';
import { createGoldenCases, type GoldenFile } from './cases.ts';

const MAX_DURATION_MS = 60_000;

export interface CheckResult {
  readonly caseCount: number;
  readonly completedCount: number;
  readonly failures: readonly { readonly name: string; readonly reason: string }[];
  readonly seconds: number;
}

async function fetchCases(): Promise<ReturnType<typeof createGoldenCases>> {
  const response = await fetch(new URL(address, document.baseURI));
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim());
  return createGoldenCases((await response.json()) as GoldenFile);
}

/** Runs all cases. Rejects if the cases cannot be loaded. `report` is called with the number of completed cases. */
export async function checkEngine(phasor: AnyPhasor, report: (done: number, total: number) => void): Promise<CheckResult> {
  const cases = await fetchCases();
  // Without this check, an empty list of cases would pass.
  if (cases.length === 0) throw new Error('no cases were loaded');
  const failures: { name: string; reason: string }[] = [];
  const startTime = performance.now();
  let completedCount = 0;
  let isTimedOut = false;
  const timeout = new Promise<void>((resolve) => {
    setTimeout(() => {
      isTimedOut = true;
      resolve();
    }, MAX_DURATION_MS);
  });
  for (const { name, run } of cases) {
    const completion = run(phasor).catch((thrown: unknown) => {
      failures.push({ name, reason: thrown instanceof Error ? thrown.message : String(thrown) });
    });
    await Promise.race([completion, timeout]);
    if (isTimedOut) break;
    completedCount += 1;
    report(completedCount, cases.length);
  }
  return { caseCount: cases.length, completedCount, failures, seconds: (performance.now() - startTime) / 1000 };
}
