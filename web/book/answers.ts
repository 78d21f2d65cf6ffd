// Sets up the quiz questions on a page. The solution appears when its question is answered or skipped.
import { currentPage, loadReaderData, saveReaderData } from './site.ts';
import { ANSWER_STRINGS as STRINGS } from './strings.ts';

interface QuizQuestion {
  readonly section: HTMLElement;
  readonly form: HTMLFormElement;
  readonly details: HTMLDetailsElement;
}

/**
 * Parses a number with a decimal point or comma, spaces or commas between thousands, and a minus sign or hyphen. Returns undefined for other text.
 */
export function parseNumber(text: string): number | undefined {
  const numeral = text
    .trim()
    .replace('−', '-')
    .replaceAll(/(?<=\d)[ ,](?=\d{3}\b)/g, '')
    .replace(/(?<=\d),(?=\d)/, '.');
  return numeral !== '' && Number.isFinite(Number(numeral)) ? Number(numeral) : undefined;
}

/**
 * Checks an answer: a choice must equal the correct one, and a number must be within the tolerance. Returns undefined if the answer is missing or not
 * a number.
 */
export function isCorrectAnswer({ dataset }: HTMLFormElement, readerInput: string): boolean | undefined {
  if (dataset.correct !== undefined) return readerInput === '' ? undefined : readerInput === dataset.correct;
  const value = parseNumber(readerInput);
  if (value === undefined) return undefined;
  const answer = Number(dataset.answer);
  const tolerance = Number(dataset.within);
  return Math.abs(value - answer) <= (dataset.percent === undefined ? tolerance : (Math.abs(answer) * tolerance) / 100);
}

const readAnswer = ({ form, section }: QuizQuestion): string => String(new FormData(form).get(section.id) ?? '');

/**
 * Shows the solution, and marks the correct and the chosen option.
 * @param input the chosen option; empty if the question was skipped
 */
function showSolution({ form, details }: QuizQuestion, input: string): void {
  details.hidden = false;
  details.open = true;
  for (const option of form.querySelectorAll<HTMLElement>('.option')) {
    const { value } = option.querySelector('input') as HTMLInputElement;
    option.dataset.is = value === form.dataset.correct ? 'right' : value === input ? 'chosen' : '';
  }
}

function skipQuestion(question: QuizQuestion): void {
  question.section.dataset.result = 'skipped';
  question.section.querySelector('.result')?.remove();
  showSolution(question, '');
  question.details.querySelector('summary')?.focus();
}

function showResult(question: QuizQuestion, input: string): void {
  const { section, form, details } = question;
  const isCorrect = isCorrectAnswer(form, input);
  if (isCorrect === undefined) return;
  showSolution(question, input);
  section.dataset.result = isCorrect ? 'right' : 'wrong';
  const resultElement = section.querySelector('.result') ?? section.insertBefore(document.createElement('p'), details);
  resultElement.className = 'result';
  resultElement.setAttribute('role', 'status');
  const messages = form.dataset.published === undefined ? STRINGS : STRINGS.publishedResults;
  resultElement.textContent = isCorrect ? messages.correct : messages.incorrect;
}

function restoreAnswer({ form, section }: QuizQuestion, earlierInput: string): void {
  const field = form.elements.namedItem(section.id);
  if (field instanceof RadioNodeList || field instanceof HTMLInputElement) field.value = earlierInput;
}

export function setUpQuestions(): void {
  for (const section of document.querySelectorAll<HTMLElement>('section.predict')) {
    const form = section.querySelector('form');
    const details = section.querySelector<HTMLDetailsElement>(':scope > details.answer');
    const button = form?.querySelector('button');
    if (!form || !details || !button) continue;
    const question = { section, form, details };
    const key = `${currentPage()}${section.id}`;
    button.hidden = false;
    const skipButton = document.createElement('button');
    skipButton.type = 'button';
    skipButton.className = 'skip-question';
    skipButton.textContent = STRINGS.skipQuestion;
    skipButton.addEventListener('click', () => skipQuestion(question));
    button.after(skipButton);
    const earlierAnswer = loadReaderData().answers[key];
    if (earlierAnswer === undefined) details.hidden = true;
    else {
      restoreAnswer(question, earlierAnswer);
      showResult(question, earlierAnswer);
    }
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const readerAnswer = readAnswer(question);
      if (isCorrectAnswer(form, readerAnswer) === undefined) {
        const resultElement = section.querySelector('.result') ?? form.appendChild(document.createElement('p'));
        resultElement.className = 'result';
        resultElement.setAttribute('role', 'status');
        resultElement.textContent = form.dataset.correct === undefined ? STRINGS.missingNumber : STRINGS.missingChoice;
        return;
      }
      form.querySelector('.result')?.remove();
      showResult(question, readerAnswer);
      const memory = loadReaderData();
      const storageResult = saveReaderData({ ...memory, answers: { ...memory.answers, [key]: readerAnswer } });
      if (storageResult === 'full') section.querySelector('.result')?.append(` ${STRINGS.storageFull}`);
    });
  }
}
