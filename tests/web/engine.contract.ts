// The contract of every engine, on the calling thread or in a worker, in Node or in a browser. Independent of a
// test runner: tests/web/engine.test.ts runs it under Vitest, tests/browser/engine.spec.ts inside Chromium.

import { analysisCases } from './analysis.contract.ts';
import { arrayCases } from './arrays.contract.ts';
import { attentionCases } from './attention.contract.ts';
import { cacheCases } from './caches.contract.ts';
import type { ContractCase } from './contract-checks.ts';
import { encodingHandleCases } from './encoding-handles.contract.ts';
import { encodingCases } from './encodings.contract.ts';
import { errorCases } from './errors.contract.ts';
import { fieldCases } from './fields.contract.ts';
import { formCases } from './forms.contract.ts';
import { gradientCases } from './gradients.contract.ts';
import { handleCases } from './handles.contract.ts';
import { headCases } from './heads.contract.ts';
import { latentCacheCases } from './latent-caches.contract.ts';
import { maskCases } from './masks.contract.ts';
import { modelCases } from './models.contract.ts';
import { optionCases } from './options.contract.ts';
import { outCases } from './out.contract.ts';
import { positionCases } from './positions.contract.ts';
import { reliabilityCases } from './reliability.contract.ts';
import { requestCases } from './requests.contract.ts';
import { rotaryModelCases } from './rotary-models.contract.ts';
import { segmentCases } from './segments.contract.ts';
import { stepCases } from './steps.contract.ts';
import { strideCases } from './strides.contract.ts';
import { tensorHandleCases } from './tensor-handles.contract.ts';
import { tokenTensorCases } from './token-tensors.contract.ts';

export type { AnyPhasor, ContractCase } from './contract-checks.ts';

export const contract: readonly ContractCase[] = [
  ...encodingCases,
  ...attentionCases,
  ...optionCases,
  ...positionCases,
  ...segmentCases,
  ...maskCases,
  ...gradientCases,
  ...analysisCases,
  ...stepCases,
  ...modelCases,
  ...rotaryModelCases,
  ...reliabilityCases,
  ...errorCases,
  ...requestCases,
  ...fieldCases,
  ...formCases,
  ...arrayCases,
  ...strideCases,
  ...headCases,
  ...handleCases,
  ...tensorHandleCases,
  ...encodingHandleCases,
  ...cacheCases,
  ...latentCacheCases,
  ...outCases,
  ...tokenTensorCases,
].map(([name, run]) => ({ name, run }));
