// What a layer may learn within attention beside its projections, on two tasks: positions by content, and an exact address. No prototypes had
// measured it.

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
    title: 'Counting, by what a layer may learn within attention',
    about:
      'The task `counting`, trained at 32 tokens: how many ones since the last zero. Each layer makes forget gates (`forgetting`) and reflections (`path`) of its own input; `sinks` and `qk_norm` are options of attention, here beside RoPE.',
    words: ['counting', '--lengths', String(columns)],
    columns,
    runs,
    claims: [],
  },
  E12b: {
    title: 'Three tokens back, by what a layer may learn within attention',
    about: 'The task `copy`, trained at 32 tokens, with the models of E12a.',
    words: ['copy', '--lengths', String(columns)],
    columns,
    runs,
    claims: [],
  },
};
