// The attention suite in Node. As a program, `attention-node.mjs ENGINE TOKENS` prints the row of the first call in a new process.
import { execFileSync } from 'node:child_process';
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-wasm';
import * as ort from 'onnxruntime-web';
import { attentionRows, coldEngines, coldRow } from './attention-rows.mjs';

async function place() {
  ort.env.wasm.numThreads = 1;
  return { package: { ...(await import('../../dist/npm/node.js')), ...(await import('../../dist/npm/workers.node.js')) }, ort, tf };
}

export async function nodeRows(plan) {
  const rows = await attentionRows(await place(), plan);
  for (const tokens of plan.cold) {
    for (const name of coldEngines) {
      const printed = execFileSync(process.execPath, [import.meta.filename, name, String(tokens)], { encoding: 'utf8' });
      rows.push(JSON.parse(printed.trim().split('\n').at(-1)));
    }
  }
  return rows;
}

if (process.argv[1] === import.meta.filename) {
  console.log(JSON.stringify(await coldRow(await place(), process.argv[2], Number(process.argv[3]))));
}
