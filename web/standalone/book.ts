// Script of the single-file book, with its interactive parts and figures.
import '../book/styles/book.css';
import './book.css';
import { setUpQuestions } from '../book/answers.ts';
import { prepareForPrinting } from '../book/printing.ts';
import { placePictures } from '../book/stills.ts';
import { highlightSymbols } from '../book/symbols.ts';
import { restoreSavedState } from './saved-state.ts';
import { startProgram } from './start-program.ts';

restoreSavedState();
placePictures();
setUpQuestions();
highlightSymbols();
prepareForPrinting();
startProgram();
