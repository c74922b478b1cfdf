/**
 * `show <log>`: a logged run as text, or one step in full. It reads only the log; only --regret opens the
 * environment.
 */
import { meantOf } from '../../base/nearest.js';
import { existsSync } from 'node:fs';
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import { stageOpener } from '../../assembly/stage.js';
import { runLength } from '../text/run-length.js';
import { UsageError } from '../../base/errors.js';
import type { ExitCode } from '../../base/errors.js';
import { drawnText } from '../../scenario/scenario.js';
import { callPlayer, namesIn, seatsText } from '../../trajectory/player-names.js';
import { LogReader } from '../../log/reader.js';
import type { LoggedCall, RunRecord } from '../../trajectory/records.js';
import type { RunSummary } from '../../trajectory/run-summary.js';
import type { LoggedProbe } from '../../trajectory/records.js';
import { WORLD_ID } from '../../base/ids.js';
import { oneLine } from '../../base/text.js';
import { sideQuestionDocument, sideQuestionsText, probesText } from '../text/side-question-text.js';
import { command } from '../options/command-line.js';
import { inlinePicture } from '../terminal/inline-picture.js';
import { isOver } from '../../replay/restored-history.js';
import { sentFrame } from '../../replay/sent-frame.js';
import { fromCwd } from '../options/paths.js';
import { loadOwnParts, MODULES } from '../options/modules.js';
import { REGRET_EFFORT } from '../logs/logged-costs.js';
import { chooseRun, splitAddress } from '../logs/run-address.js';
import { regretText } from '../text/regret-text.js';
import { flag, single, whole } from '../options/option.js';
import type { Chosen } from '../options/option.js';
import { PLAYER_FILTER } from '../options/player-filter.js';
import { EFFORT } from '../options/regret-options.js';
import { AS_JSON, LOG, STEP_NUMBERS } from '../options/shared-options.js';
import type { Io } from '../terminal/io.js';
import { ReturnSums } from '../text/rewards-text.js';
import { ticksText } from '../text/ticks-text.js';
import { TickSums } from '../../trajectory/tick-sums.js';
import { stepLines } from '../text/step-line.js';
import type { ReplyWords } from '../../replay/thought.js';
import { savePictures, stepPage } from '../text/step-page.js';
import { runTree, treeDocument, treeText } from '../text/run-tree.js';
import { shellWord } from '../../base/shell-words.js';
import { displayNames, jsonText, painter } from '../terminal/style.js';

const OPTIONS = {
  ...MODULES,
  ...PLAYER_FILTER,
  step: whole(
    'Show this step: the text of its turn, the reply, the result; its pictures are saved in the folder LOG.frames',
    ...STEP_NUMBERS,
  ),
  tree: flag('Show the runs of the file, forks below their parents'),
  agent: single("Only this agent's steps"),
  regret: flag('Show what each step cost: by how many turns it delayed success'),
  ...EFFORT,
  ...AS_JSON,
};

type ShowOptions = Chosen<typeof LOG & typeof OPTIONS>;

export function showCommand(modules: readonly EnvironmentModule[]) {
  return command({
    examples: [
      ['$0 show run.sqlite', 'one line per step'],
      ['$0 show run.sqlite --step 12', 'one step: picture, text, reply with the accepted span, result'],
      ['$0 show run.sqlite --regret', 'by how many turns each step delayed success'],
      ['$0 show file.sqlite#run-id', 'one run of a file that contains several'],
      ['$0 show file.sqlite --tree', 'all runs of a file: forks below their parents, with their changes'],
    ],
    arguments: LOG,
    options: OPTIONS,
    run: async (options, io) => {
      const { path, runId } = splitAddress(options.log, (name) => existsSync(fromCwd(io, name)));
      const reader = new LogReader(fromCwd(io, path));
      try {
        const isOneChosen =
          runId !== null || options.step !== undefined || options.agent !== undefined || options.regret;
        const isChosenByPlayer = options.player !== undefined || options.model !== undefined;
        const runs = isChosenByPlayer
          ? (await import('../logs/played-runs.js')).playedRuns(reader, options)
          : reader.runs();
        if (options.tree || (runs.length > 1 && !isOneChosen))
          return showTree(reader, runs, { ...options, log: path }, io);
        const summary = chooseRun(runs, runId, options.log);
        const { scenario } = reader.run(summary.runId);
        const ids = [...scenario.agents.map((agent) => agent.id), WORLD_ID];
        if (options.agent !== undefined && !ids.includes(options.agent))
          throw new UsageError(`the run has no agent "${options.agent}"`, [
            meantOf(options.agent, ids, 'its agents'),
          ]);
        if (options.regret) {
          const { effort = REGRET_EFFORT } = options;
          const open = stageOpener(await loadOwnParts(options.modules, io, modules));
          io.out.write(regretText(reader, summary, { ...options, effort }, open));
          return 0;
        }
        if (options.step !== undefined)
          return await showStep(reader, summary, { ...options, step: options.step }, io);
        return options.json
          ? showRunAsJson(reader, summary, options, io)
          : showRun(reader, summary, options, io);
      } finally {
        reader.close();
      }
    },
  });
}

function showTree(
  reader: LogReader,
  runs: readonly RunSummary[],
  { log, json }: ShowOptions,
  io: Io,
): ExitCode {
  const shown = new Set(runs.map(({ runId }) => runId));
  const tree = runTree(reader).filter(({ summary }) => shown.has(summary.runId));
  const paint = painter(io, io.out);
  if (json) {
    io.out.write(`${jsonText(treeDocument(tree))}\n`);
    return 0;
  }
  io.out.write(treeText(tree, { paint, columns: io.out.isTerminal ? io.out.columns : 160 }));
  const [first] = tree;
  if (first === undefined) return 0;
  const address = shellWord(`${log}#${first.summary.runId}`);
  io.out.write(`\nnext  ${paint('cyan', `${io.program} show ${address}`)}\n`);
  return 0;
}

function namesOf(run: RunRecord): Readonly<Record<string, string>> {
  return displayNames(run.scenario.agents);
}

function showRun(reader: LogReader, summary: RunSummary, options: ShowOptions, io: Io): ExitCode {
  const run = reader.run(summary.runId);
  const paint = painter(io, io.out);
  const columns = io.out.isTerminal ? io.out.columns : 160;
  const names = namesIn(reader.sessions(run.runId), { leases: reader.leases(run.runId) });
  const seats = seatsText(names.seats);
  const players = `${names.players.join(' + ') || 'nobody'}${seats === '' ? '' : ` (${seats})`}`;
  io.out.write(
    `${paint('bold', oneLine(run.scenario.title))}  ${paint('dim', oneLine(`seed ${run.seed} · ${players} · run ${run.runId}`))}\n`,
  );
  const { draw } = run.scenario;
  if (draw !== undefined) io.out.write(`${paint('dim', oneLine(`drawn: ${drawnText(draw.drawn)}`))}\n`);
  const returns = new ReturnSums();
  const ticks = new TickSums();
  let agentSteps = 0;
  for (const step of reader.steps(
    summary.runId,
    options.agent === undefined ? {} : { agent: options.agent },
  )) {
    returns.add(step);
    ticks.add(step);
    if (step.agent !== WORLD_ID) agentSteps += 1;
    const number = paint('dim', String(step.step).padStart(5));
    // The answers to the calls that decided the step, by call.
    const replies = new Map<number, ReplyWords>();
    for (const call of step.calls) {
      const answer = reader.call(step.runId, call)?.end;
      if (answer?.kind === 'replied') replies.set(call, answer.reply);
    }
    const lines = stepLines(step, { paint, columns: columns - 6, names: namesOf(run), replies });
    lines.forEach((line, i) => io.out.write(`${i === 0 ? number : '     '} ${line}\n`));
  }
  const end = reader.ending(summary.runId);
  if (end === null) {
    io.out.write(`\n${paint('yellow', 'incomplete')}: still running, or killed\n`);
  } else {
    const colour = end.status === 'succeeded' || end.status === 'ended' ? 'green' : 'red';
    io.out.write(`\n${paint([colour, 'bold'], end.status)}: ${end.reason}\n`);
    const length = runLength(end, options.agent === undefined ? agentSteps : null);
    io.out.write(`${length}, chain ${end.chain.slice(0, 16)}\n`);
  }
  io.out.write(ticksText(ticks.figures()));
  // With --agent, the sum would be incomplete: an agent is also rewarded at other steps.
  if (options.agent === undefined) io.out.write(returns.text());
  io.out.write(probesText(shownProbes(reader, summary, options), paint));
  io.out.write(
    sideQuestionsText(shownSideQuestions(reader, summary, options), { names: namesOf(run), paint }),
  );
  const next = `${io.program} ${continueCommand(reader, summary, options.log)}`;
  if (!isOver(summary.status)) io.out.write(`\nnext  ${paint('cyan', next)}\n`);
  return 0;
}

/** The command that continues a run. */
function continueCommand(reader: LogReader, { runId }: RunSummary, log: string): string {
  if (reader.serving(runId) !== null) return `serve ${shellWord(log)} --resume`;
  // The user has to name the programs of players again, because the log does not contain their commands.
  const { controllers } = reader.run(runId);
  const playedByProgram = Object.entries(controllers).filter(([, who]) =>
    String(Object(who).name).startsWith('process:'),
  );
  return `resume ${shellWord(log)}${playedByProgram.map(([agent]) => ` --process ${shellWord(agent)}="…"`).join('')}`;
}

function showRunAsJson(reader: LogReader, summary: RunSummary, options: ShowOptions, io: Io): ExitCode {
  const { scenario, seed, versions } = reader.run(summary.runId);
  const filter = options.agent === undefined ? {} : { agent: options.agent };
  const names = namesIn(reader.sessions(summary.runId), { leases: reader.leases(summary.runId) });
  const head = {
    run_id: summary.runId,
    scenario: scenario.name,
    seed,
    drawn: scenario.draw?.drawn ?? null,
    players: names.players.join(' + '),
    ...(Object.keys(names.seats).length === 0 ? {} : { seats: names.seats }),
    versions,
  };
  // The log is read twice, because a long run is never held in memory as a whole: damage is found before
  // anything is printed, so there is either a complete document or none.
  let to = 0;
  for (const { step } of reader.steps(summary.runId, filter)) to = step;
  const steps = reader.steps(summary.runId, { ...filter, to });
  const end = reader.ending(summary.runId);
  const sideQuestions = shownSideQuestions(reader, summary, options).map(sideQuestionDocument);
  const probes = shownProbes(reader, summary, options);
  io.out.write(`${jsonText(head).slice(0, -1)},"steps":[`);
  let first = true;
  for (const step of steps) {
    io.out.write(`${first ? '' : ','}\n${jsonText(step)}`);
    first = false;
  }
  io.out.write(
    `\n],"end":${jsonText(end)},"asides":${jsonText(sideQuestions)},"probes":${jsonText(probes)}}\n`,
  );
  return 0;
}

function shownProbes(
  reader: LogReader,
  { runId }: RunSummary,
  { agent }: ShowOptions,
): readonly LoggedProbe[] {
  return reader.probes(runId).filter((probe) => agent === undefined || probe.agent === agent);
}

function shownSideQuestions(
  reader: LogReader,
  { runId }: RunSummary,
  { agent }: ShowOptions,
): readonly LoggedCall[] {
  return reader.asides(runId).filter(({ request }) => agent === undefined || request.agent === agent);
}

async function showStep(
  reader: LogReader,
  summary: RunSummary,
  options: ShowOptions & { step: number },
  io: Io,
): Promise<ExitCode> {
  const step = reader.step(summary.runId, options.step);
  if (step === null) {
    throw new UsageError(`the run has no step ${options.step}`, [`its last step is ${summary.steps}`]);
  }
  const calls = reader.calls(summary.runId, options.step);
  const requests = calls.map(({ request }) => request);
  const pictures = savePictures(reader, requests, io);
  const probes = reader.probes(summary.runId).filter((probe) => probe.step === options.step);
  const outside = reader.outside(summary.runId, options.step);
  if (options.json) {
    const callDocuments = calls.map(({ request, end }, i) => ({
      ...request,
      messages: request.messages.map(({ role, parts }) => ({
        role,
        parts: parts.map((part) =>
          part.kind === 'text' ? part : { kind: 'image', frameHash: part.frameHash },
        ),
      })),
      picture: pictures[i]?.present ?? null,
      past_pictures: pictures[i]?.past ?? [],
      end,
    }));
    io.out.write(`${jsonText({ ...step, calls: callDocuments, probes, outside })}\n`);
    return 0;
  }
  const run = reader.run(summary.runId);
  io.out.write(await inlinePicture(sentFrame(reader, step)?.png ?? null, io, io.out));
  const players = calls.map(({ request }) => callPlayer(reader.sessions(summary.runId), request));
  const paint = painter(io, io.out);
  const { turns } = reader.run(step.runId).scenario;
  io.out.write(
    stepPage({ step, calls, outside, players, probes, pictures, names: namesOf(run), turns, paint }),
  );
  return 0;
}
