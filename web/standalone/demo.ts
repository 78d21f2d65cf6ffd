import './demo.css';
import { placePictures } from '../book/stills.ts';
import { startProgram } from './start-program.ts';

placePictures();
startProgram();
