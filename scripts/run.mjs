// Programs that scripts run.
import { spawnSync } from 'node:child_process';
import { root } from './root.mjs';

export const firstOnPath = (...names) => names.find((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0);

/** Ends the script with what a failing command printed. */
export function fail(command, args, words) {
  console.error(`${command} ${args.join(' ')}\n${words}`);
  process.exit(1);
}

/** Runs quietly; what a failing command printed is shown and ends the script. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28, ...options });
  if (result.status !== 0) fail(command, args, `${result.stdout ?? ''}${result.stderr ?? ''}${result.error ?? result.signal ?? ''}`);
  return result.stdout ?? '';
}
