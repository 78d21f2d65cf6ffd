// Runs once before the tests of what ships, which read dist as it is built from these sources.
import { isDistCurrent } from '../../scripts/build.mjs';

export function setup() {
  if (isDistCurrent()) return;
  // An error thrown here would be printed below "No test files found".
  console.error('vitest: dist is missing or older than its sources; run npm run build first');
  process.exit(1);
}
