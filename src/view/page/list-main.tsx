/**
 * The script of the list of runs: gets the runs from the program that serves the page, and shows them as they
 * are read.
 */
import { render } from 'preact';
import type { ListedRun, RunListPart } from '../run-list.js';
import { askForParts, PROBLEM_TEXTS, takeToken } from './load.js';
import { RunList } from './run-list.js';
import type { ListState } from './run-list.js';
import { restoreTheme } from './theme.js';

const FAILED_MS = 5000;

/** Polls for new runs until the list is complete or the server is gone. */
async function follow(token: string, show: (runs: readonly ListedRun[], state: ListState) => void) {
  let runs: readonly ListedRun[] = [];
  let parts = 0;
  for (;;) {
    const answer = await askForParts<RunListPart>(token, parts);
    if (answer === 'failed') {
      show(runs, { kind: 'lost', words: PROBLEM_TEXTS.failed });
      await new Promise((resolve) => setTimeout(resolve, FAILED_MS));
      continue;
    }
    if (typeof answer === 'string') return show(runs, { kind: 'lost', words: PROBLEM_TEXTS[answer] });
    parts += answer.length;
    runs = [...runs, ...answer.flatMap((part) => part.runs)];
    const end = answer.at(-1)?.end ?? null;
    show(runs, end === null ? { kind: 'reading' } : { kind: 'whole', ...end });
    if (end !== null) return;
  }
}

restoreTheme();
document.title = 'runs · orchestrate';
document.body.replaceChildren();
const token = takeToken();
void follow(token, (runs, state) =>
  render(<RunList runs={runs} state={state} token={token} />, document.body),
);
