// Times of tasks that are compared with one another. The speed of a machine varies over minutes, so the tasks take turns in one process:
// a round calls each task once, and the time of a task is the median over the rounds.

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

/** Shorter calls are timed several at a time, ms. */
const shortest = 5;
const mostRepeats = 200;

/** Wall and processor time of one call in ms. Only the wall time includes other programs. */
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

/** The first call of each task, and the times of each task by round. */
async function turns(tasks, check, { warm, count }) {
  const firsts = [];
  for (const task of tasks) firsts.push(await timed(task.run));
  check(firsts.map(({ result }) => result));
  const times = tasks.map(() => []);
  const repeats = tasks.map(() => 1);
  for (let round = 0; round < warm + count; round += 1) {
    for (let turn = 0; turn < tasks.length; turn += 1) {
      // Each round begins with another task, so that no task always collects the garbage of the same one.
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
 * @param {(results: unknown[]) => void} check receives the results of the first calls and throws if they differ too much
 * @returns {Promise<{ what: string, first: number, milliseconds: number, cpu: number, rounds: number }[]>} `first` is the wall
 *   time of the first call; the other times are medians
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
 * The quotient of the processor times of two tasks in each round; other load slows both tasks of a round alike.
 * @returns the quartiles of the quotients, and the medians of both times in ms
 */
export async function quotients(without, own, { warm = 3, count = 41 } = {}) {
  const { times } = await turns([{ run: without }, { run: own }], () => {}, { warm, count });
  const [below, above] = times.map((all) => all.map(({ cpu }) => cpu));
  return { times: quartiles(above.map((cpu, round) => cpu / below[round])), without: median(below), cpu: median(above), rounds: count };
}
