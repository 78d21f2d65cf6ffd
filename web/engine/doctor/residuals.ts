// Residuals of a hypothesis (`State`) by token and channel pair, and the first channel that deviates from it.

import type { Examination } from './examination.ts';
import { ANGLE_NOISE, MAX_RESIDUAL, MAX_TOKEN_RATIO } from './fit.ts';
import { pairChannels } from './planes.ts';
import type { FirstDifference, Residuals } from './report.ts';
import type { State } from './state.ts';

/** Errors above this multiple of the noise count as differences. */
const VISIBLE_NOISE = 6;
export const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Returns the residuals of the sampled tokens, or undefined if the core rejects the encoding of `state`. */
export function computeResiduals(examination: Examination, state: State): Residuals | undefined {
  const s = examination.statisticsOf(state.planes);
  const predicted = examination.angles.computeAngles(state);
  if (!predicted) return undefined;
  const columns = s.pairs + (s.unrotatedCount > 0 ? 1 : 0);
  const values = new Float64Array(s.tokens * columns);
  const relativeError = (squares: number, squaredLength: number) =>
    squaredLength > 0 ? Math.sqrt(squares / squaredLength) : squares > 0 ? 1 : 0;
  for (let token = 0; token < s.tokens; token++) {
    for (let t = 0; t < s.pairs; t++) {
      let [squares, squaredLength] = [0, 0];
      for (let head = 0; head < s.heads; head++) {
        const cell = (token * s.heads + head) * s.pairs + t;
        const angle = predicted.angles[predicted.perHead ? cell : token * s.pairs + t] as number;
        const projected = (s.re[cell] as number) * Math.cos(angle) + (s.im[cell] as number) * Math.sin(angle);
        squares += Math.max(
          0,
          (s.outputLengths[cell] as number) + state.gain ** 2 * (s.inputLengths[cell] as number) - 2 * state.gain * projected,
        );
        squaredLength += s.outputLengths[cell] as number;
      }
      values[token * columns + t] = relativeError(squares, squaredLength);
    }
    if (columns > s.pairs)
      values[token * columns + s.pairs] = relativeError(s.unrotatedErrors[token] as number, s.unrotatedLengths[token] as number);
  }
  return { pairs: s.pairs, columns, values };
}

/**
 * Finds the first token whose error relative to `state`, over all heads, exceeds six times the noise, and its first channel with such an error.
 * With `usesTokenLimit`, the limit for the token is that of an accepted explanation (MAX_TOKEN_RATIO * MAX_RESIDUAL).
 */
export function findFirstDifference(examination: Examination, state: State, usesTokenLimit = false): FirstDifference | undefined {
  const { inputVectors, outputVectors, noise } = examination;
  // States whose positions depend on the head are not compared: they would need separate angles for each head.
  const angles = state.heads ? undefined : examination.angles.computeAngles(state)?.angles;
  if (!angles) return undefined;
  const { dim } = inputVectors;
  const { read, written } = pairChannels(state.planes);
  const pairs = read.length / 2;
  const squaredLimit = (usesTokenLimit ? MAX_TOKEN_RATIO * MAX_RESIDUAL : VISIBLE_NOISE) ** 2;
  const [cosines, sines] = [new Float64Array(pairs), new Float64Array(pairs)];
  const unrotatedChannels = Int32Array.from(range(dim).filter((channel) => !written.includes(channel)));
  const [x, y] = [inputVectors.data, outputVectors.data];
  // Squared errors and squared lengths, summed over all heads, and noise variances: [dim] each.
  const [squaredErrors, squaredLengths, variances] = [new Float64Array(dim), new Float64Array(dim), new Float64Array(dim)];
  variances.fill(noise * noise);
  const addError = (channel: number, predicted: number, value: number) => {
    const error = value - predicted;
    squaredErrors[channel] = (squaredErrors[channel] as number) + error * error;
    squaredLengths[channel] = (squaredLengths[channel] as number) + value * value;
  };
  for (let token = 0; token < inputVectors.tokens; token++) {
    for (let t = 0; t < pairs; t++) {
      const angle = angles[token * pairs + t] as number;
      cosines[t] = state.gain * Math.cos(angle);
      sines[t] = state.gain * Math.sin(angle);
      const variance = noise * noise + (ANGLE_NOISE * angle) ** 2;
      variances[written[2 * t] as number] = variance;
      variances[written[2 * t + 1] as number] = variance;
    }
    squaredErrors.fill(0);
    squaredLengths.fill(0);
    for (let head = 0; head < inputVectors.heads; head++) {
      const beforeOffset = token * inputVectors.tokenStride + head * inputVectors.headStride;
      const afterOffset = token * outputVectors.tokenStride + head * outputVectors.headStride;
      for (let t = 0; t < pairs; t++) {
        const firstInput = x[beforeOffset + (read[2 * t] as number)] as number;
        const secondInput = x[beforeOffset + (read[2 * t + 1] as number)] as number;
        const cosine = cosines[t] as number;
        const sine = sines[t] as number;
        const [a, b] = [written[2 * t] as number, written[2 * t + 1] as number];
        addError(a, firstInput * cosine - secondInput * sine, y[afterOffset + a] as number);
        addError(b, secondInput * cosine + firstInput * sine, y[afterOffset + b] as number);
      }
      for (const channel of unrotatedChannels) addError(channel, x[beforeOffset + channel] as number, y[afterOffset + channel] as number);
    }
    let [sum, expected] = [0, 0];
    for (let channel = 0; channel < dim; channel++) {
      sum += squaredErrors[channel] as number;
      expected += (squaredLengths[channel] as number) * (variances[channel] as number);
    }
    if (sum <= squaredLimit * expected) continue;
    const channel = squaredErrors.findIndex((square, at) => square > (VISIBLE_NOISE * noise) ** 2 * (squaredLengths[at] as number));
    return { token, ...(channel < 0 ? {} : { channel }) };
  }
  return undefined;
}
