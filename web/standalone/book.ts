// The script of the single-file book: interactive parts and figures.
import '../book/styles/book.css';
import './book.css';
import { answering } from '../book/answers.ts';
import { prepareForPrinting } from '../book/printing.ts';
import { placePictures } from '../book/stills.ts';
import { lightSymbols } from '../book/symbols.ts';
import { openSaved } from './saved-state.ts';
import { startProgram } from './start-program.ts';

openSaved();
placePictures();
answering();
lightSymbols();
prepareForPrinting();
startProgram();
