// Runs once before the tests in tests/shipped, which read dist and need a current build.
import { isDistCurrent } from '../../scripts/build.mjs';

export function setup() {
  if (isDistCurrent()) return;
  // An error thrown here would be printed below "No test files found".
  console.error('vitest: dist is missing or older than its sources; run npm run build first');
  process.exit(1);
}
