/**
 * `ask <log> <question>`: asks an agent about one of its steps; the interview is stored in the log and
 * printed.
 */
import { existsSync } from 'node:fs';
import { interview, interviewModel } from '../../assembly/interview.js';
import { UsageError } from '../../base/errors.js';
import { LineInput } from '../terminal/line-input.js';
import { confirmedAddresses } from '../options/server-keys.js';
import { LogReader } from '../../log/reader.js';
import { sideQuestionDocument, sideQuestionText } from '../text/side-question-text.js';
import { KEYS } from '../options/allow-options.js';
import { command } from '../options/command-line.js';
import { argument, single, whole } from '../options/option.js';
import { fromCwd } from '../options/paths.js';
import { AS_JSON, BASE_URL, LOG, STEP_NUMBERS } from '../options/shared-options.js';
import type { Io } from '../terminal/io.js';
import { chooseRun, splitAddress } from '../logs/run-address.js';
import { displayNames, jsonText, painter } from '../terminal/style.js';
import { variablesOf } from '../options/variables.js';

const ARGUMENTS = { ...LOG, question: argument('What to ask') };
const OPTIONS = {
  ...KEYS,
  step: whole('Number of the step to ask about, as `show` prints it', ...STEP_NUMBERS),
  agent: single('Agent of the step'),
  model: single("Model to ask instead of the agent's own"),
  ...BASE_URL,
  ...AS_JSON,
};

export const askCommand = command({
  examples: [
    [
      '$0 ask run.sqlite --step 12 "Why did you go east?"',
      'sends the request of that step, its reply, and your question',
    ],
    ['$0 ask run.sqlite --step 12 --base-url http://localhost:8000/v1 "Why?"', 'with another server'],
  ],
  arguments: ARGUMENTS,
  options: OPTIONS,
  run: async (options, io) => {
    const { step, agent = null, question, model } = options;
    if (step === undefined) throw new UsageError('ask needs --step N', ['orchestrate show lists the steps']);
    const { path, runId, names } = findRun(options.log, io);
    const cancellation = new AbortController();
    const close = io.onInterrupt(() => cancellation.abort());
    try {
      const { 'base-url': baseUrl, key } = options;
      const interviewOptions = { log: path, runId, step, agent, question, model, baseUrl };
      const terminal = { io, lines: new LineInput(io.stdin), signal: cancellation.signal };
      const keys = await confirmedAddresses([interviewModel(interviewOptions)], { key, baseUrl }, terminal);
      const sideQuestion = await interview({
        ...interviewOptions,
        variables: variablesOf(io),
        keys,
        signal: cancellation.signal,
      });
      const text = (): string => sideQuestionText(sideQuestion, { names, paint: painter(io, io.out) });
      io.out.write(`${options.json ? jsonText(sideQuestionDocument(sideQuestion)) : text()}\n`);
      return 0;
    } catch (error) {
      if (!cancellation.signal.aborted) throw error;
      io.err.write('cancelled: no answer was stored\n');
      return 130;
    } finally {
      close();
    }
  },
});

function findRun(address: string, io: Io) {
  const location = splitAddress(address, (name) => existsSync(fromCwd(io, name)));
  const path = fromCwd(io, location.path);
  const reader = new LogReader(path);
  try {
    const { runId } = chooseRun(reader.runs(), location.runId, address);
    return { path, runId, names: displayNames(reader.run(runId).scenario.agents) };
  } finally {
    reader.close();
  }
}
