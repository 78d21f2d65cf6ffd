// A small page in one file.
import './demo.css';
import { startProgram } from './start-program.ts';

startProgram();
