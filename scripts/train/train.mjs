// `npm run train -- TASK --encoding ID`: builds the trainer natively and runs it. Without arguments, or with --help, it prints its options.
import { buildProgram, runProgram } from './program.mjs';

const words = process.argv.slice(2);
// npm changes to the package's folder; the path is relative to the caller's.
const cwd = process.env.INIT_CWD ?? process.cwd();
process.exitCode = await runProgram(await buildProgram(), words.length > 0 ? words : ['--help'], { cwd, stdio: 'inherit' });
