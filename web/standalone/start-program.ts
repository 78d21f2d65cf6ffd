// Decompresses and starts the script of a page in one file. Until then, and on failure, its figures are still pictures, with a sentence
// that gives the reason.
import { unpack } from './unpack.ts';

async function start(): Promise<void> {
  const script = document.createElement('script');
  script.textContent = await unpack('program').text();
  document.head.append(script);
}

export function startProgram(): void {
  const showProblem = (why: string): void => {
    (document.getElementById('state') as HTMLElement).textContent = `${why}, so the figures on this page are static pictures.`;
  };
  // Supported by browsers since 2023, like WebAssembly SIMD.
  if (typeof DecompressionStream === 'undefined')
    showProblem('This browser cannot unpack the program in this file (it has no DecompressionStream)');
  else start().catch((thrown: unknown) => showProblem(`The program in this file could not be unpacked (${thrown})`));
}
