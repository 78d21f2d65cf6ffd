// Experiments on learned parameters within attention beside projections, on two tasks: positions by content, and an exact address. There are no
// prototypes.

/** @param {string} id @param {...string} more */
const encoding = (id, ...more) => ({ words: ['--encoding', id, ...more], expected: [] });

const runs = {
  none: encoding('none'),
  rope: encoding('rope'),
  alibi: encoding('alibi'),
  forgetting: encoding('forgetting'),
  path: encoding('path'),
  'rope, sinks': encoding('rope', '--sinks', 'true'),
  'rope, qk_norm': encoding('rope', '--qk_norm', 'true'),
};
const columns = [32, 64, 128, 256];

/** @type {Record<string, import('./experiment-list.mjs').Experiment>} */
export const withinAttention = {
  E12a: {
    title: 'Counting with learned parts of attention',
    about:
      'The task `counting`, trained at 32 tokens: the number of ones since the last zero. Each layer computes forget gates (`forgetting`) and reflections (`path`) from its input; `sinks` and `qk_norm` are options of attention, here beside RoPE. The claims below were derived from these runs, not predicted.',
    words: ['counting', '--lengths', String(columns)],
    columns,
    runs,
    claims: [
      [
        'every encoding counts better than none',
        (of) => ['rope', 'alibi', 'forgetting', 'path'].every((run) => of(run) > of('none') + 0.1),
      ],
      [
        'at the trained length RoPE and PaTH count better than forget gates, and these better than ALiBi',
        (of) => Math.min(of('rope'), of('path')) > of('forgetting') && of('forgetting') > of('alibi'),
      ],
      [
        'at 8 times the length PaTH, forget gates and ALiBi still count, and RoPE does not',
        (of) => ['path', 'forgetting', 'alibi'].every((run) => of(run, 256) > of('rope', 256) + 0.3),
      ],
      [
        'forget gates and ALiBi lose nothing with the length',
        (of) => ['forgetting', 'alibi'].every((run) => of(run, 256) > of(run) - 0.02),
      ],
      [
        'neither sinks nor qk_norm let RoPE count in longer texts',
        (of) => ['rope, sinks', 'rope, qk_norm'].every((run) => of(run, 256) < of('rope', 256) + 0.05),
      ],
    ],
  },
  E12b: {
    title: 'Three tokens back with learned parts of attention',
    about:
      'The task `copy`, trained at 32 tokens, with the models of E12a. Beyond that length the three seeds of RoPE differ widely; with `qk_norm` they agree. PaTH takes four to five times as long to train as RoPE at this length. The claims below were derived from these runs, not predicted.',
    words: ['copy', '--lengths', String(columns)],
    columns,
    runs,
    claims: [
      [
        'RoPE copies at the trained length, PaTH and forget gates nearly so',
        (of) => of('rope') > 0.99 && of('path') > 0.95 && of('forgetting') > 0.9,
      ],
      ['ALiBi and no encoding fail', (of) => ['alibi', 'none'].every((run) => of(run) < 0.6)],
      [
        'at 8 times the length PaTH and forget gates still copy, and RoPE does not',
        (of) => ['path', 'forgetting'].every((run) => of(run, 256) > of('rope', 256) + 0.3),
      ],
      ['forget gates lose nothing with the length', (of) => of('forgetting', 256) > of('forgetting') - 0.02],
      [
        'neither sinks nor qk_norm let RoPE copy in texts of 8 times the length',
        (of) => ['rope, sinks', 'rope, qk_norm'].every((run) => of(run, 256) < of('rope', 256) + 0.1),
      ],
    ],
  },
};
