/**
 * `mark <log> --step N`: a person's verdict on a step, stored next to the log for `export`. The log itself is
 * only read.
 */
import { existsSync } from 'node:fs';
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import { stageOpener } from '../../assembly/stage.js';
import { UsageError } from '../../base/errors.js';
import { marksPath } from '../../log/annotations.js';
import type { AnnotationEntry } from '../../log/annotations.js';
import { LogReader } from '../../log/reader.js';
import { annotateStep } from '../../replay/checked-annotation.js';
import { command } from '../options/command-line.js';
import { flag, requiredWhole, single, anyText } from '../options/option.js';
import type { Chosen } from '../options/option.js';
import { LOG, STEP_NUMBERS } from '../options/shared-options.js';
import { loadOwnParts, MODULES } from '../options/modules.js';
import { fromCwd } from '../options/paths.js';
import { chooseRun, splitAddress } from '../logs/run-address.js';
import { intentText } from '../../trajectory/act-text.js';

const OPTIONS = {
  ...MODULES,
  step: requiredWhole("Number of an agent's step, as `show` prints it", ...STEP_NUMBERS),
  accept: flag('Mark the reply as a good example'),
  reject: anyText('Mark the reply as a bad example, with the reason'),
  correct: single('What the agent should have answered: a whole reply, in its reply format'),
  clear: flag('Remove the mark of the step'),
};

type MarkOptions = Chosen<typeof LOG & typeof OPTIONS>;

export function markCommand(modules: readonly EnvironmentModule[]) {
  return command({
    examples: [
      ['$0 mark run.sqlite --step 3 --accept', 'this reply is a good example'],
      [
        '$0 mark run.sqlite --step 3 --reject "it walks past the key"',
        'a bad example: data sets leave it out',
      ],
      [
        '$0 mark run.sqlite --step 3 --correct "ACTION: TAKE brass key"',
        'the reply that the agent should have given',
      ],
    ],
    arguments: LOG,
    options: OPTIONS,
    run: async (options, io) => {
      const { log, step } = options;
      const verdict = verdictOf(options);
      const open = stageOpener(await loadOwnParts(options.modules, io, modules));
      const { path: typedPath, runId } = splitAddress(log, (name) => existsSync(fromCwd(io, name)));
      const path = fromCwd(io, typedPath);
      const reader = new LogReader(path);
      try {
        const run = chooseRun(reader.runs(), runId, log);
        const annotated = annotateStep(reader, { ...verdict, run: run.runId, step }, open);
        const outcome = verdict.verdict === 'none' ? 'removed the mark on' : verdict.verdict;
        io.out.write(`${outcome} ${annotated.agent}'s step ${step} (saved in ${marksPath(typedPath)})\n`);
        const { correction } = annotated;
        if (correction !== null)
          io.out.write(
            `understood as ${intentText(correction.intent)}${correction.isTried ? '' : UNCHECKED_NOTE}\n`,
          );
        return 0;
      } finally {
        reader.close();
      }
    },
  });
}

const UNCHECKED_NOTE =
  '; not checked against the rules, because the replayed world differs from the log (run verify)';

function verdictOf({
  accept,
  reject,
  correct,
  clear,
}: MarkOptions): Pick<AnnotationEntry, 'verdict' | 'text'> {
  const givenOptions = [accept, reject !== undefined, correct !== undefined, clear].filter(Boolean).length;
  if (givenOptions !== 1)
    throw new UsageError('give exactly one of --accept, --reject "why", --correct "…" and --clear');
  if (clear) return { verdict: 'none', text: '' };
  const text = reject ?? correct ?? '';
  return { verdict: accept ? 'accepted' : reject === undefined ? 'corrected' : 'rejected', text };
}
