/**
 * `reparse <log…>`: parses stored replies with today's parser, and reports what is parsed differently than
 * before. Changes nothing.
 */
import { stageOpener } from '../../assembly/stage.js';
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import { PARSER_VERSION } from '../../parse/protocols.js';
import { readAgain } from '../../replay/reparse.js';
import { ReparseTally } from '../../replay/reparse-tally.js';
import { command } from '../options/command-line.js';
import { wholeOr } from '../options/option.js';
import { AS_JSON, LOGS } from '../options/shared-options.js';
import { eachLoggedRun } from '../logs/logged-runs.js';
import { DIFFERENCES, reparseText } from '../text/reparse-text.js';
import { loadOwnParts, MODULES } from '../options/modules.js';
import { jsonText } from '../terminal/style.js';

const OPTIONS = {
  ...MODULES,
  examples: wholeOr(2, 'Number of examples of each kind to show per row', 0, 100),
  ...AS_JSON,
};

export function reparseCommand(modules: readonly EnvironmentModule[]) {
  return command({
    examples: [
      [
        '$0 reparse runs/*.sqlite',
        'counts per model, protocol and rule, and what differs; exit code 0: nothing differs',
      ],
      ['$0 reparse run.sqlite --examples 10', 'more examples of each kind'],
      ['$0 reparse file.sqlite#run-id --json', 'one run of a file that contains several, as JSON'],
    ],
    arguments: LOGS,
    options: OPTIONS,
    run: async (options, io) => {
      // Exit code 1 if anything is parsed differently. A log that can't be read counts more, and does not prevent
      // the others from being read.
      const tally = new ReparseTally(options.examples);
      const open = stageOpener(await loadOwnParts(options.modules, io, modules));
      let runs = 0;
      let worst = await eachLoggedRun(options.log, io, (log) => ({ reader, run }) => {
        for (const one of readAgain(reader, run.runId, open)) tally.add(one, { log, run: run.runId });
        runs += 1;
        return 0;
      });
      const { same, recovered, lost, changed } = tally.total;
      if (recovered + lost + changed > 0 && worst === 0) worst = 1;
      const document = {
        ok: worst === 0,
        parser: PARSER_VERSION,
        runs,
        replies: same + recovered + lost + changed,
        ...tally.total,
        told_otherwise: tally.changedMessages,
        rows: tally.rows,
        examples: DIFFERENCES.flatMap((kind) => tally.examples(kind)),
      };
      if (options.json) io.out.write(`${jsonText(document)}\n`);
      else if (runs > 0) io.out.write(reparseText(tally, { runs, io }));
      return worst;
    },
  });
}
