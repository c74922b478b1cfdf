/**
 * `check <scenario>`: reports every mistake of a scenario at once; if there is none, whether it can be won,
 * and how.
 */
import { counted } from '../../base/counted.js';
import { ScenarioError, UsageError } from '../../base/errors.js';
import type { Diagnostic, ExitCode } from '../../base/errors.js';
import { compareText } from '../../base/ids.js';
import { LIMITS } from '../../base/limits.js';
import { oneLine } from '../../base/text.js';
import { ENV } from '../options/allow-options.js';
import { command } from '../options/command-line.js';
import { printError } from '../text/error-text.js';
import type { Io } from '../terminal/io.js';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openForCommand } from '../play/open.js';
import { fit, jsonText, painter } from '../terminal/style.js';
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import type { OpenedScenario } from '../../assembly/opened-scenario.js';
import type { Winnable } from '../../assembly/winnable.js';
import type { OwnParts } from '../../assembly/own-modules.js';
import { readReplies } from '../../scenario/replies-file.js';
import { possibleWorlds } from '../../scenario/possible-worlds.js';
import { drawnText } from '../../scenario/scenario.js';
import type { Drawn, Scenario } from '../../scenario/scenario.js';
import { loadOwnParts, MODULES } from '../options/modules.js';
import { flag, repeated, single, whole } from '../options/option.js';
import type { Chosen } from '../options/option.js';
import { AS_JSON, ROOT, SCENARIOS, SET } from '../options/shared-options.js';
import { fromCwd } from '../options/paths.js';
import { gateLines } from '../text/gate-text.js';
import type { GateResult } from '../text/gate-text.js';
import { planLines, proofLines, refusedIn, winLine } from '../text/win-text.js';
import type { WinProof, RefusedMove } from '../text/win-text.js';
import type { StepRecord } from '../../trajectory/records.js';

/** What searches and plays, loaded on demand: a scenario's mistakes are printed without it. */
const loadSearch = () => import('../../assembly/winnable.js');

/** With so many seeds, a rate of 20 % is known to about 10 points. */
const GATE_SEEDS = 60;

const OPTIONS = {
  ...ENV,
  ...MODULES,
  ...SET,
  plan: flag('Print the winning moves'),
  effort: whole(
    `Maximum number of steps to search; 0: no search [${LIMITS.searchedSteps}]`,
    0,
    1_000_000_000,
  ),
  without: repeated('Search as if no agent had this action'),
  seat: single('Search as if only this agent did anything'),
  gate: flag('Play the scenarios, or those in a folder, and compare with what they say they measure'),
  seeds: whole(`Number of seeds that --gate plays [${GATE_SEEDS}]`, 1, LIMITS.batchRuns),
  replies: single('File with a list of replies for each agent; if they win, the scenario can be won'),
  ...ROOT,
  ...AS_JSON,
};

export function checkCommand(modules: readonly EnvironmentModule[]) {
  return command({
    examples: [
      ['$0 check scenarios/crypt.yaml', 'each mistake with its line and a suggestion'],
      ['$0 check scenarios/brass-key.yaml --plan', 'also prints the winning moves'],
      [
        '$0 check scenarios/two-keepers.yaml --without SPEAK --without ANNOUNCE',
        'tests whether the agents must talk',
      ],
      ['$0 check --gate my-family', 'whether the scenarios of a folder measure what they say'],
    ],
    arguments: SCENARIOS,
    options: OPTIONS,
    run: async (options, io) => {
      const parts = await loadOwnParts(options.modules, io, modules);
      if (options.gate) return gate(options, { io, parts });
      const results: CheckedScenario[] = [];
      for (const path of options.scenario) results.push(await check(path, options, { io, parts }));
      if (options.json) io.out.write(`${jsonText(results.length === 1 ? results[0] : results)}\n`);
      if (results.some(({ diagnostics }) => diagnostics.some(({ severity }) => severity === 'error')))
        return 2;
      return results.some(({ ok }) => !ok) ? 1 : 0;
    },
  });
}

/** Plays all scenarios with the reference players; 1 if something speaks against one of them, 2 if one can't be played. */
async function gate(
  {
    scenario: paths,
    seeds = GATE_SEEDS,
    set = [],
    env,
    root,
    json,
  }: Chosen<typeof SCENARIOS & typeof OPTIONS>,
  { io, parts }: { io: Io; parts: OwnParts },
): Promise<ExitCode> {
  const { gateFigures, gateFaults, gateName } = await import('../../gate/gate.js');
  const files = new Set(paths.flatMap((path) => scenariosIn(path, io)));
  const names = [...files].map((path) => gateName(path));
  const sorted = names.toSorted((a, b) => compareText(a.family, b.family) || a.level - b.level);
  const results: GateResult[] = [];
  const refused: { path: string; error: string }[] = [];
  for (const name of sorted) {
    const open = (seed: string, change: (scenario: Scenario) => Scenario): Promise<OpenedScenario> =>
      openForCommand(name.path, { io, parts, set, env, root, seed, change, quiet: true });
    const allSeeds = Array.from({ length: seeds }, (_, i) => String(i + 1));
    try {
      const figures = await gateFigures(name, open, allSeeds);
      const before = results.at(-1)?.figures;
      const easier = before?.family === name.family ? before : null;
      const result = { figures, faults: gateFaults(figures, easier) };
      results.push(result);
      if (!json) io.out.write(`${gateLines(result, painter(io, io.out)).join('\n')}\n`);
    } catch (error) {
      if (!(error instanceof ScenarioError || error instanceof UsageError)) throw error;
      refused.push({ path: name.path, error: error.message });
      // The mistakes of a scenario name its file.
      const isNamed = error instanceof ScenarioError || error.message.includes(name.path);
      if (!json)
        printError(isNamed ? error : new UsageError(`${name.path}: ${error.message}`, error.hints), io);
    }
  }
  const shown = [...results.map(({ figures, faults }) => ({ ...figures, faults })), ...refused];
  if (json) io.out.write(`${jsonText(shown)}\n`);
  if (refused.length > 0) return 2;
  return results.some(({ faults }) => faults.length > 0) ? 1 : 0;
}

/** The scenarios of a folder, or the one that is named. */
function scenariosIn(path: string, io: Io): readonly string[] {
  const folder = fromCwd(io, path);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [path];
  const files = readdirSync(folder).filter(
    (file) => /\.ya?ml$/i.test(file) && statSync(join(folder, file), { throwIfNoEntry: false })?.isFile(),
  );
  // A batch may lie beside its scenarios.
  const scenarios = files.filter((file) => !/^scenarios\s*:/m.test(readFileSync(join(folder, file), 'utf8')));
  if (scenarios.length === 0)
    throw new UsageError(`there is no scenario in ${path}`, ['--gate takes scenarios, or a folder of them']);
  return scenarios.toSorted(compareText).map((file) => join(path, file));
}

/** What `check --json` prints for a scenario. */
interface CheckedScenario {
  file: string;
  /** Whether there is no mistake, no proof that the world can't be won, and no given reply list that loses. */
  ok: boolean;
  diagnostics: readonly Diagnostic[];
  /**
   * Null if there was no search: because of mistakes, no effort, no success condition, or winning replies.
   */
  win: Winnable | null;
  /** Null if no replies were given. */
  proof: WinProof | null;
  /** By the scenario's seed; null for a scenario without draws. */
  drawn: Drawn | null;
}

/** Checks one scenario and reports its mistakes; the next scenario is checked regardless. */
async function check(
  path: string,
  options: Chosen<typeof OPTIONS>,
  { io, parts }: { io: Io; parts: OwnParts },
): Promise<CheckedScenario> {
  const {
    set = [],
    env,
    root,
    json,
    plan,
    effort = LIMITS.searchedSteps,
    without = [],
    seat,
    replies,
  } = options;
  const failed = (diagnostics: readonly Diagnostic[]): CheckedScenario => {
    return { file: path, ok: false, diagnostics, win: null, proof: null, drawn: null };
  };
  try {
    const opened = await openForCommand(path, { io, parts, set, env, root, everyDraw: true }).catch(
      (error: unknown) => {
        if (error instanceof UsageError) return error;
        throw error;
      },
    );
    // A missing or unreadable file does not prevent the others from being checked.
    if (opened instanceof UsageError) {
      if (!json) printError(opened, io);
      const [suggestion] = opened.hints;
      const position = { file: path, line: 1, column: 1, source: '', caret: 1 };
      const entry = { severity: 'error' as const, ...position, message: opened.message };
      return failed([suggestion === undefined ? entry : { ...entry, suggestion }]);
    }
    const { scenario, warnings } = opened;
    const facts = [
      counted(scenario.agents.length, 'agent'),
      `at most ${counted(scenario.turns.max, 'turn')}`,
      ...(warnings.length > 0 ? [counted(warnings.length, 'warning')] : []),
    ];
    // Checked first, because an unknown action on the command line is not a mistake of the scenario.
    if (without.length > 0) (await loadSearch()).actionNames(opened.environment, without);
    const proof = replies === undefined ? null : await playProof(opened, replies, parts.seats.protocols, io);
    const lines = proof === null ? [] : proofLines(proof).map((line) => `   ${line}`);
    const drawn = scenario.draw?.drawn ?? null;
    if (drawn !== null) {
      const { reader } = opened.module;
      const worlds = possibleWorlds(scenario, { reader, sprites: opened.loaded.sprites });
      const count = worlds === null ? `more than ${LIMITS.drawCombinations}` : worlds.length;
      lines.push(
        `   seed ${fit(scenario.seed, 40)} draws ${fit(drawnText(drawn), 200)}: one of ${count} worlds`,
      );
    }
    let win: Winnable | null = null;
    if (proof?.status !== 'succeeded' && effort > 0) {
      win = (await loadSearch()).winnable(opened, { effort, withdrawn: without, seat });
      const said = (win?.moves ?? []).map((move) => move.command.toLowerCase());
      const guesses = warnings.flatMap(({ unknowable }) =>
        unknowable !== undefined && said.some((words) => words.includes(unknowable.toLowerCase()))
          ? [unknowable]
          : [],
      );
      lines.push(`   ${winLine(win, { without, seat, effort, guesses })}`);
      if (win !== null && plan) lines.push(...planLines(win));
      else if (win !== null) win = { ...win, moves: null };
    }
    const isLost = proof !== null && proof.status !== 'succeeded';
    const fault = isLost ? 'not won' : win?.verdict === 'impossible' ? 'unwinnable' : null;
    const paint = painter(io, io.out);
    const verdict = fault === null ? paint('green', 'ok') : paint('red', fault);
    lines.unshift(`${verdict} ${oneLine(path)}: ${fit(scenario.title, 200)} (${facts.join(', ')})`);
    if (!json) for (const line of lines) io.out.write(`${line}\n`);
    return { file: path, ok: fault === null, diagnostics: warnings, win, proof, drawn };
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    if (!json) printError(error, io);
    return failed(error.diagnostics);
  }
}

async function playProof(
  opened: OpenedScenario,
  file: string,
  protocols: OwnParts['seats']['protocols'],
  io: Io,
): Promise<WinProof> {
  const path = fromCwd(io, file);
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch {
    throw new UsageError(`the replies file ${path} can't be read`, [
      '--replies takes a YAML file; docs/how-to/check-a-scenario.md has an example',
    ]);
  }
  const replies = readReplies(file, bytes);
  let refused: RefusedMove | null = null;
  const stepDone = (step: StepRecord): void => void (refused ??= refusedIn(step));
  const { playReplies } = await loadSearch();
  const { status, reason, turns } = await playReplies(opened, replies, protocols, { stepDone });
  return { file, status, turns, reason, refused };
}
