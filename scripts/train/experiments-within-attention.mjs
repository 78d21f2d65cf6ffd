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
      'The task `counting`, trained at 32 tokens: count the ones since the last zero. Each layer computes forget gates (`forgetting`) and reflections (`path`) from its input; `sinks` and `qk_norm` are options of attention, combined with RoPE here. The claims below were derived from these runs, not predicted.',
    words: ['counting', '--lengths', String(columns)],
    columns,
    runs,
    claims: [
      [
        'models with any encoding count better than models without one',
        (of) => ['rope', 'alibi', 'forgetting', 'path'].every((run) => of(run) > of('none') + 0.1),
      ],
      [
        'at the trained length RoPE and PaTH count better than forget gates, and forget gates count better than ALiBi',
        (of) => Math.min(of('rope'), of('path')) > of('forgetting') && of('forgetting') > of('alibi'),
      ],
      [
        'at 8 times the length PaTH, forget gates and ALiBi still count, and RoPE does not',
        (of) => ['path', 'forgetting', 'alibi'].every((run) => of(run, 256) > of('rope', 256) + 0.3),
      ],
      [
        'forget gates and ALiBi lose no accuracy in longer texts',
        (of) => ['forgetting', 'alibi'].every((run) => of(run, 256) > of(run) - 0.02),
      ],
      [
        'neither sinks nor qk_norm make RoPE count in longer texts',
        (of) => ['rope, sinks', 'rope, qk_norm'].every((run) => of(run, 256) < of('rope', 256) + 0.05),
      ],
    ],
  },
  E12b: {
    title: 'Three tokens back with learned parts of attention',
    about:
      'The task `copy`, trained at 32 tokens, with the models of E12a. Beyond that length the three seeds differ widely with RoPE and agree with RoPE and `qk_norm`. At this length, training with PaTH takes more than five times as long as with RoPE. The claims below were derived from these runs, not predicted.',
    words: ['copy', '--lengths', String(columns)],
    columns,
    runs,
    claims: [
      [
        'at the trained length RoPE copies, and PaTH and forget gates copy nearly as well',
        (of) => of('rope') > 0.99 && of('path') > 0.95 && of('forgetting') > 0.9,
      ],
      ['ALiBi and models without an encoding fail', (of) => ['alibi', 'none'].every((run) => of(run) < 0.6)],
      [
        'at 8 times the length PaTH and forget gates still copy, and RoPE does not',
        (of) => ['path', 'forgetting'].every((run) => of(run, 256) > of('rope', 256) + 0.3),
      ],
      ['forget gates lose no accuracy in longer texts', (of) => of('forgetting', 256) > of('forgetting') - 0.02],
      [
        'neither sinks nor qk_norm make RoPE copy at 8 times the length',
        (of) => ['rope, sinks', 'rope, qk_norm'].every((run) => of(run, 256) < of('rope', 256) + 0.1),
      ],
    ],
  },
};
