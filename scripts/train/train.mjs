// `npm run train -- TASK --encoding ID`: builds the trainer natively and runs it. Without words, or with --help, it says what there is.
import { buildProgram, runProgram } from './program.mjs';

const words = process.argv.slice(2);
// npm changes to the package's folder; files are named as seen from where the command was typed.
const cwd = process.env.INIT_CWD ?? process.cwd();
process.exitCode = await runProgram(await buildProgram(), words.length > 0 ? words : ['--help'], { cwd, stdio: 'inherit' });
