/**
 * The user's programs in a batch. `--process` names a program for a player of the batch, which then decides
 * for all agents, or, if the scenarios' own players play, for one agent. Each run has its own processes.
 */
import { dirname, join } from 'node:path';
import type { Controller } from '../../agent/controller.js';
import { meantOf } from '../../base/nearest.js';
import { UsageError } from '../../base/errors.js';
import { lookUp } from '../../base/look-up.js';
import type { PlannedRun } from '../../batch/plan.js';
import type { Io } from '../terminal/io.js';
import { programControllers } from './programs.js';
import type { AgentProgram } from './programs.js';

/**
 * Checks, before anything is played, that every required program is given and every given program is used.
 * Throws UsageError.
 */
export function requirePrograms(runs: readonly PlannedRun[], programs: readonly AgentProgram[]): void {
  const needed = new Set(runs.flatMap((run) => run.byProgram.map((agent) => programName(run, agent))));
  const namedPlayers = programs.map(({ agent }) => agent);
  for (const [i, name] of namedPlayers.entries()) {
    if (namedPlayers.indexOf(name) < i) throw new UsageError(`--process names two programs for ${name}`);
    if (!needed.has(name)) throw unknownPlayer(name, runs, needed);
  }
  const missing = [...needed].find((name) => !namedPlayers.includes(name));
  if (missing === undefined) return;
  throw new UsageError(`${missing} is played by a program, but no program was specified`, [
    `specify it: --process ${missing}="python3 agent.py"`,
  ]);
}

/** Throws UsageError if a worker has no program for a run. */
export function requireProgramsOf(run: PlannedRun, programs: readonly AgentProgram[]): void {
  const missing = run.byProgram
    .map((agent) => programName(run, agent))
    .find((name) => !programs.some(({ agent }) => agent === name));
  if (missing === undefined) return;
  throw new UsageError(`${missing} is played by a program, but the worker has none for it`, [
    `start the worker with --process ${missing}="python3 agent.py"`,
  ]);
}

/**
 * Returns the controllers of a run, by agent. The standard error of its programs is stored next to its log.
 */
export function programsFor(programs: readonly AgentProgram[], io: Io, seconds: number | undefined) {
  return (run: PlannedRun, log: string): Readonly<Record<string, Controller>> => {
    const runPrograms = run.byProgram.flatMap((agent) => {
      const program = programs.find((one) => one.agent === programName(run, agent));
      if (program === undefined) return [];
      const name = playerName(run, agent);
      return [{ ...program, agent, ...(name === null ? {} : { name }) }];
    });
    const { controllers, storeErrorsAt } = programControllers(runPrograms, io, seconds);
    storeErrorsAt((agent) => join(dirname(log), `${run.id}.${agent}.stderr.txt`));
    return controllers;
  };
}

/** The name that `--process` uses for the program of a run's agent. */
function programName(run: PlannedRun, agent: string): string {
  return playerName(run, agent) ?? agent;
}

/** The name of an agent's player in the batch; null if the scenario's own plays. */
function playerName({ players, cell }: PlannedRun, agent: string): string | null {
  if (players.kind === 'own') return null;
  return players.kind === 'seats' ? (lookUp(players.seats, agent)?.name ?? null) : cell.players;
}

function unknownPlayer(name: string, runs: readonly PlannedRun[], needed: ReadonlySet<string>): UsageError {
  const hasModels = runs.some(({ players }) => players.kind !== 'own');
  const description = hasModels ? `player "${name}" with controller: process` : `agent "${name}"`;
  if (needed.size > 0)
    return new UsageError(`--process: the batch has no ${description}`, [
      meantOf(name, [...needed], 'it has'),
    ]);
  const hint = hasModels
    ? `models: { ${name}: { controller: process } }`
    : 'use the name of an agent of a scenario';
  return new UsageError(`--process: the batch has no ${description}`, [hint]);
}
