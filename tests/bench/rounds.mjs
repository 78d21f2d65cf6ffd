// Times of tasks that are compared with one another. A machine has fast and slow minutes, so the tasks take turns in one process:
// a round calls each of them once, and each is judged by the median of its rounds.

/** The median, and the quarters of the values that are below and above. */
export function quartiles(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (part) => {
    const place = (sorted.length - 1) * part;
    const low = Math.floor(place);
    return sorted[low] + (sorted[Math.ceil(place)] - sorted[low]) * (place - low);
  };
  return { lower: at(0.25), median: at(0.5), upper: at(0.75) };
}

export const median = (values) => quartiles(values).median;

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

/** Times of tasks that take turns, those of each round beside each other, and what the very first calls gave. */
async function turns(tasks, check, { warm, count }) {
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
  return { firsts, times };
}

/**
 * @param {{ what: string, run: () => unknown }[]} tasks a task may be asynchronous
 * @param {(results: unknown[]) => void} check sees what the very first calls gave, before anything else is timed
 * @returns {Promise<{ what: string, first: number, milliseconds: number, cpu: number, rounds: number }[]>} `first` is the wall
 *   time of the very first call, the others are medians
 */
export async function rounds(tasks, check, { warm = 10, count = 21 } = {}) {
  const { firsts, times } = await turns(tasks, check, { warm, count });
  return tasks.map(({ what }, index) => ({
    what,
    first: firsts[index].wall,
    milliseconds: median(times[index].map(({ wall }) => wall)),
    cpu: median(times[index].map(({ cpu }) => cpu)),
    rounds: count,
  }));
}

/**
 * How many times as much processor time a task takes as another, of each round: other work on the machine slows both of a round.
 * @returns the quartiles of that, and the medians of both in ms
 */
export async function quotients(without, own, { warm = 3, count = 41 } = {}) {
  const { times } = await turns([{ run: without }, { run: own }], () => {}, { warm, count });
  const [below, above] = times.map((all) => all.map(({ cpu }) => cpu));
  return { times: quartiles(above.map((cpu, round) => cpu / below[round])), without: median(below), cpu: median(above), rounds: count };
}
