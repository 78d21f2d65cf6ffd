// Importing this module enables relaxed SIMD in Node 20 (a flag of V8), for this process and its workers.
import { setFlagsFromString } from 'node:v8';
import { hasRelaxedSimd } from '../../web/engine/load/simd.ts';

if (!hasRelaxedSimd()) setFlagsFromString('--experimental-wasm-relaxed-simd');
if (!hasRelaxedSimd()) throw new Error('this Node has no relaxed SIMD');
