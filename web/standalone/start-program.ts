// Decompresses and starts the script of a single-file page. If this fails, the page shows the reason, and the figures remain static
// pictures.
import { unpack } from './unpack.ts';

async function start(): Promise<void> {
  const script = document.createElement('script');
  script.textContent = await unpack('program').text();
  document.head.append(script);
}

export function startProgram(): void {
  const showProblem = (reason: string): void => {
    (document.getElementById('state') as HTMLElement).textContent = `${reason}, so the figures on this page are static pictures.`;
  };
  // All major browsers have supported DecompressionStream and WebAssembly SIMD since 2023.
  if (typeof DecompressionStream === 'undefined')
    showProblem('This browser cannot unpack the program in this file (it has no DecompressionStream)');
  else start().catch((thrown: unknown) => showProblem(`The program in this file could not be unpacked (${thrown})`));
}
