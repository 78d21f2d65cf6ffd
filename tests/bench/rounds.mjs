// Times of tasks that are compared with one another. A machine has fast and slow minutes, so the tasks take turns in one process:
// a round calls each of them once, and each is judged by the median of its rounds.

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length % 2 ? sorted[(sorted.length - 1) / 2] : (sorted[sorted.length / 2 - 1] + sorted[sorted.length / 2]) / 2;
};

/** Short calls are timed several at a time, so that a turn takes so many ms. */
const shortest = 5;
const mostRepeats = 200;

/** Wall and processor time of one call, in ms. What other programs do on the machine is in the first and not in the second. */
async function timed(run, repeat = 1) {
  const cpu = process.cpuUsage();
  const start = performance.now();
  let result;
  for (let i = 0; i < repeat; i += 1) {
    result = run();
    if (result instanceof Promise) result = await result;
  }
  const wall = (performance.now() - start) / repeat;
  const { user, system } = process.cpuUsage(cpu);
  return { result, wall, cpu: (user + system) / 1000 / repeat };
}

/**
 * @param {{ what: string, run: () => unknown }[]} tasks a task may be asynchronous
 * @param {(results: unknown[]) => void} check sees what the very first calls gave, before anything else is timed
 * @returns {Promise<{ what: string, first: number, milliseconds: number, cpu: number, rounds: number }[]>} `first` is the wall
 *   time of the very first call, the others are medians
 */
export async function rounds(tasks, check, { warm = 10, count = 21 } = {}) {
  const firsts = [];
  for (const task of tasks) firsts.push(await timed(task.run));
  check(firsts.map(({ result }) => result));
  const times = tasks.map(() => []);
  const repeats = tasks.map(() => 1);
  for (let round = 0; round < warm + count; round += 1) {
    for (let turn = 0; turn < tasks.length; turn += 1) {
      // The next round begins with another task, so that none always pays for the garbage of the same one.
      const index = (turn + round) % tasks.length;
      const { wall, cpu } = await timed(tasks[index].run, repeats[index]);
      if (round >= warm) times[index].push({ wall, cpu });
      else repeats[index] = Math.max(1, Math.min(mostRepeats, Math.round(shortest / wall)));
    }
  }
  return tasks.map(({ what }, index) => ({
    what,
    first: firsts[index].wall,
    milliseconds: median(times[index].map(({ wall }) => wall)),
    cpu: median(times[index].map(({ cpu }) => cpu)),
    rounds: count,
  }));
}
