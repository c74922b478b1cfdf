/**
 * Compares two logged runs: differences in setup, what they share, where and in what they diverge, how their
 * worlds differ then and at the end, and how both ended. It reads only the logs; worlds between snapshots are
 * replayed (`state-at.ts`).
 */
import { errorMessage, OrchestrateError, StorageError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { RunEnd, RunStatus } from '../../trajectory/records.js';
import type { ValueDifference } from '../compare.js';
import { valueDifference } from '../compare.js';
import { LoggedStates } from '../state-at.js';
import type { RestoredWorld } from '../state-at.js';
import type { OpenStage } from '../verify.js';
import { differences } from './differences.js';
import { sharedSteps } from './aligned-steps.js';
import type { DiffSide, RunSides } from './aligned-steps.js';
import { compareRuns } from './divergence.js';
import type { RunComparison } from './divergence.js';
import { worldsDiffer } from './worlds.js';
import type { WorldsDiffer } from './worlds.js';

/** How far a run got, and how it ended. */
export interface RunFinish {
  /** `running`: no end was written. */
  status: RunStatus;
  reason: string;
  turns: number;
  steps: number;
}

/** The worlds after a step of each run. */
export interface WorldsAt {
  steps: RunSides<number>;
  differ: WorldsDiffer;
}

/**
 * How two runs differ: where they diverge, how their requests and answers differ up to there, how their
 * worlds differ, and how both ended.
 */
export interface RunDiff extends RunComparison {
  isSame: boolean;
  /**
   * Differences that existed before the first step: in the scenario, the seed and the version of the rules.
   */
  setup: readonly ValueDifference[];
  hasMoreSetup: boolean;
  /** The number of steps that are stored once for both, because one is a fork; 0 for none. */
  sharedSteps: number;
  /**
   * The difference before the first step that is not shared; null if the worlds are equal there, or can't be
   * reconstructed.
   */
  worldsBefore: WorldsAt | null;
  /**
   * The difference after the step at which the runs diverge; null if they don't, if only one run continues,
   * or if the worlds can't be reconstructed.
   */
  worldsAfter: WorldsAt | null;
  /** The difference after the last steps of both runs. */
  worldsAtEnd: WorldsAt | null;
  /** Why the worlds are not compared; null if they are. */
  worldsMissing: string | null;
  finish: RunSides<RunFinish>;
}

/** How runs are opened, and how many moments are listed. */
export interface DiffOptions {
  open: OpenStage;
  /** The maximum number of moments listed from the divergence on. */
  moments: number;
}

/**
 * Compares two runs. Worlds that can't be opened or reconstructed are left out, with the reason. Throws
 * StorageError if a log can't be read.
 */
export function diffRuns(sides: RunSides, { open, moments }: DiffOptions): RunDiff {
  const shared = Math.min(sharedSteps(sides), lastStep(sides.a), lastStep(sides.b));
  const worlds = openWorlds(sides, open);
  const worldsBefore = worlds.at({ a: shared, b: shared });
  const comparison = compareRuns(sides, {
    from: shared + 1,
    max: moments,
    apart: worldsBefore?.differ.parts ?? [],
  });
  const finish = { a: finishOf(sides.a), b: finishOf(sides.b) };
  const { found: setup, hasMore: hasMoreSetup } = setupDifferences(sides);
  const last = { a: lastStep(sides.a), b: lastStep(sides.b) };
  const isSame = setup.length === 0 && isSameRun(sides, comparison, finish);
  return {
    ...comparison,
    isSame,
    setup,
    hasMoreSetup,
    sharedSteps: shared,
    worldsBefore: differing(worldsBefore),
    worldsAfter: differing(worldsAfterDivergence(comparison, worlds)),
    worldsAtEnd: isSame ? null : differing(worlds.at(last)),
    worldsMissing: worlds.missing,
    finish,
  };
}

function differing(worlds: WorldsAt | null): WorldsAt | null {
  return worlds === null || worlds.differ.parts.length === 0 ? null : worlds;
}

function isSameRun(
  { a, b }: RunSides,
  { divergence, promptDifference, replyDifference }: RunComparison,
  finish: RunSides<RunFinish>,
): boolean {
  if (divergence !== null || promptDifference !== null || replyDifference !== null) return false;
  const chains = [chainOf(a), chainOf(b)];
  return chains[0] === chains[1] && valueDifference(finish.a, finish.b) === null;
}

/** Of the last step; the genesis if there is none. */
function chainOf(side: DiffSide): string {
  const { reader, run } = side;
  return reader.step(run.runId, lastStep(side))?.chain ?? run.genesisHash;
}

function lastStep({ reader, run }: DiffSide): number {
  return reader.runs().find(({ runId }) => runId === run.runId)?.steps ?? 0;
}

function setupDifferences({ a, b }: RunSides): ReturnType<typeof differences> {
  const head = ({ run }: DiffSide): object => ({
    seed: run.seed,
    rules: run.versions.rules,
    scenario: { ...run.scenario, seed: undefined },
  });
  return differences(head(a), head(b), LIMITS.setupDifferences);
}

function finishOf(side: DiffSide): RunFinish {
  const { reader, run } = side;
  const end: RunEnd | null = reader.end(run.runId);
  const steps = lastStep(side);
  const turns = reader.step(run.runId, steps)?.turn ?? 0;
  return { status: end?.status ?? 'running', reason: end?.reason ?? '', turns, steps };
}

function worldsAfterDivergence({ divergence }: RunComparison, worlds: ComparedWorlds): WorldsAt | null {
  const { a, b } = divergence?.moment ?? { a: null, b: null };
  return a === null || b === null ? null : worlds.at({ a: a.step, b: b.step });
}

interface ComparedWorlds {
  missing: string | null;
  /** Null if they can't be reconstructed. */
  at(steps: RunSides<number>): WorldsAt | null;
}

function openWorlds(sides: RunSides, open: OpenStage): ComparedWorlds {
  try {
    return new ReconstructedWorlds({ a: worldsOf(sides.a, open), b: worldsOf(sides.b, open) });
  } catch (error) {
    return { missing: reasonText(error), at: () => null };
  }
}

function worldsOf({ reader, run }: DiffSide, open: OpenStage): LoggedStates {
  return new LoggedStates({ reader, run, environment: open(run).environment });
}

class ReconstructedWorlds implements ComparedWorlds {
  readonly #sides: RunSides<LoggedStates>;
  missing: string | null = null;

  constructor(sides: RunSides<LoggedStates>) {
    this.#sides = sides;
    const { a, b } = sides;
    if (a.environment.kind !== b.environment.kind)
      this.missing = `one has the environment ${a.environment.kind}, the other ${b.environment.kind}`;
  }

  at(steps: RunSides<number>): WorldsAt | null {
    if (this.missing !== null) return null;
    try {
      const [a, b] = [this.#reconstruct('a', steps.a), this.#reconstruct('b', steps.b)];
      return { steps, differ: worldsDiffer({ a, b }) };
    } catch (error) {
      this.missing = reasonText(error);
      return null;
    }
  }

  #reconstruct(side: 'a' | 'b', step: number): RestoredWorld {
    const world = this.#sides[side].at(step);
    if (world.isAsLogged) return world;
    throw new StorageError(`the world of ${side} at step ${step} differs from the log`);
  }
}

/** A log may name a missing world, or contain an impossible one: then everything else is compared. */
function reasonText(error: unknown): string {
  if (error instanceof OrchestrateError) return error.message;
  return `a world can't be reconstructed (${errorMessage(error)})`;
}
