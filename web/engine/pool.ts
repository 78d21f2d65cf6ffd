import { PhasorError } from './errors.ts';
import { ownRequest } from './flat-request.ts';
import type { Lane } from './lane.ts';
import type { Facts } from './messages.ts';
import { requestOf } from './methods.ts';
import { plain } from './plain.ts';
import { joinResults, partOf, queryRanges } from './query-ranges.ts';
import { callOptions, disposed, remotePhasor } from './remote.ts';
import type { AttentionRequest, AttentionResult, PhasorPool } from './types.ts';

const MOST_WORKERS = 64;

/** How many workers: as many as asked for, else one a core and at most 8. */
export function workerCount(wanted: number | undefined, cores: number): number {
  if (wanted === undefined) return Math.min(8, Math.max(1, cores));
  if (Number.isInteger(wanted) && wanted >= 1 && wanted <= MOST_WORKERS) return wanted;
  throw new PhasorError('invalid_argument', `workers: ${String(wanted)} is not a whole number from 1 to ${MOST_WORKERS}`);
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

/** Several workers as one engine: each attention is cut between them, everything else goes to the first. */
export function poolPhasor(lanes: readonly [Lane, ...Lane[]], facts: Facts): PhasorPool {
  const idlest = () => lanes.reduce((best, lane) => (lane.length < best.length ? lane : best));

  const attention = async (...given: unknown[]): Promise<AttentionResult> => {
    const { signal } = callOptions('attention', given);
    const request = plain(given[0], 'attention: argument 1');
    const flat = (part: unknown) => ownRequest('attention', requestOf('attention', [part]));
    const whole = () => idlest().call('attention', flat(request), signal) as Promise<AttentionResult>;
    const ranges = isObject(request) ? queryRanges(request as AttentionRequest, lanes.length) : [];
    if (ranges.length < 2) return whole();

    const parts = ranges.map((range) => flat(partOf(request as AttentionRequest, range)));
    const calls = parts.map((part, i) => (lanes[i] as Lane).call('attention', part, signal));
    const answers = await Promise.allSettled(calls);
    const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [PhasorError.from(answer.reason)] : []));
    if (failures.length === 0) return joinResults(await Promise.all(calls as Promise<AttentionResult>[]));
    const lost = failures.find(({ code }) => code === 'cancelled' || code === 'internal');
    if (lost) throw lost;
    // A part was refused in words about its own rows; the whole request is refused in words about itself.
    return whole();
  };
  const dispose = () => {
    for (const lane of lanes) lane.end(disposed());
  };
  return { ...remotePhasor(lanes[0], facts, dispose), attention, workers: lanes.length };
}
