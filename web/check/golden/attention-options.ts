// Options of attention: sinks, soft caps.

import type { AttentionRequest, EncodingChoice } from '../../engine/types/api.ts';
import { ATTENTION, type Case, GRADIENT, type Methods, type Runner } from './case.ts';
import { alibi, halfSplit, interleaved } from './encoding.ts';
import { readInputs, readMask, readScale } from './request.ts';

function encodingOf(c: Case): EncodingChoice {
  const base = c.has('base') ? { base: c.number('base') } : {};
  const known = {
    none: () => 'none',
    alibi: () => ({ id: 'alibi', ...alibi(c) }),
    rope_half_split: () => ({ id: 'rope', ...halfSplit(), ...base }),
    rope_interleaved: () => ({ id: 'rope', ...interleaved(), ...base }),
  };
  return (c.has('encoding') ? c.word('encoding', known)() : 'none') as EncodingChoice;
}

/** What every method of the family has. */
function readRequest(c: Case): AttentionRequest {
  const { q, k, v } = readInputs(c);
  return {
    q,
    k,
    v,
    encoding: encodingOf(c),
    ...readMask(c),
    ...readScale(c, q.shape[2] ?? 0),
    ...(c.has('window') ? { window: c.integer('window') } : {}),
    ...(c.has('q_offset') ? { offset: c.number('q_offset') } : {}),
    ...(c.hasInput('sinks') ? { sinks: c.tensor('sinks') } : {}),
    ...(c.has('softcap') ? { softcap: c.number('softcap') } : {}),
    ...(c.has('cap_includes_bias') ? { capIncludesBias: c.boolean('cap_includes_bias') } : {}),
  };
}

const forward: Runner = async (c, phasor) => {
  const request = readRequest(c);
  const { output, weights } = await phasor.attention({ ...request, want: ['weights'] });
  c.expect('weights', weights, ATTENTION, 'weights');
  c.expect('out', output, ATTENTION);
  if (c.hasOutput('scores')) {
    // Those of the file are before the mask.
    const { scores } = await phasor.attention({ ...request, mask: 'none', keyMask: undefined, window: undefined, want: ['scores'] });
    c.expect('scores', scores, ATTENTION);
  }
  if (!c.hasOutput('sink_weight')) return;
  // Rows of weights are whole; without them the keys stream through in tiles.
  const streamed = await phasor.attention({ ...request, want: ['sinkWeights'] });
  c.expect('out', streamed.output, ATTENTION);
  c.expect('sink_weight', streamed.sinkWeights, ATTENTION, 'weights');
};

const backward: Runner = async (c, phasor) => {
  const request = readRequest(c);
  const { dq, dk, dv, dSinks } = await phasor.attentionGradient({ ...request, dOutput: c.tensor('dout', 3) });
  c.expect('out', (await phasor.attention(request)).output, ATTENTION);
  c.expect('dq', dq, GRADIENT);
  c.expect('dk', dk, GRADIENT);
  c.expect('dv', dv, GRADIENT);
  if (dSinks) c.expect('dsinks', dSinks, GRADIENT);
};

export const attentionOptions: Methods = {
  attention_sinks: forward,
  grad_attention_sinks: backward,
  attention_softcap: forward,
  grad_attention_softcap: backward,
};
