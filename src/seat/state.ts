/**
 * The state of a seat, as plain data: the list of entities, or one entity with what it perceives, what was
 * said and done, and how it ended.
 */
import type { Entity, Lease, Observation, World } from '../serve/gen/orchestrate/world/v1/world_pb.js';
import { RunState } from '../serve/gen/orchestrate/world/v1/world_pb.js';

/** A line of the journal, newest last. */
export interface JournalLine {
  tick: number;
  kind: 'did' | 'refused' | 'heard' | 'noticed' | 'own';
  /** The speaker; '' if there is none. */
  speaker: string;
  text: string;
}

/** The outcome of the last command. */
export interface CommandOutcome {
  tone: 'good' | 'bad';
  text: string;
}

export interface SeatState {
  world: World | null;
  entities: readonly Entity[];
  /** The person's name. */
  name: string;
  /** Whether the world requires a token and there is none. */
  isLocked: boolean;
  /** The reason why the seat was lost, or why the world can't be reached; '' for neither. */
  notice: string;
  /** Null while the person has none. */
  lease: Lease | null;
  /** The newest; null before the first. */
  observation: Observation | null;
  /** The deadline for an answer, by `performance.now()`. */
  closesAt: number;
  /** The time for an answer when the observation arrived, in milliseconds. */
  openMs: number;
  /** Whether a command is needed now. */
  isAsked: boolean;
  /** The command that is being sent; '' for none. */
  sending: string;
  outcome: CommandOutcome | null;
  journal: readonly JournalLine[];
  /** The rules, who the entity is, and its goals. */
  briefing: string;
  /** How the run ended. */
  end: { state: RunState; reason: string } | null;
}

export const EMPTY: SeatState = {
  world: null,
  entities: [],
  name: '',
  isLocked: false,
  notice: '',
  lease: null,
  observation: null,
  closesAt: 0,
  openMs: 0,
  isAsked: false,
  sending: '',
  outcome: null,
  journal: [],
  briefing: '',
  end: null,
};

/** Without the seat and everything that belongs to it. */
export function withoutSeat(state: SeatState, notice: string): SeatState {
  return { ...EMPTY, world: state.world, entities: state.entities, name: state.name, notice };
}

export function nameOf({ entities }: SeatState, id: string): string {
  return entities.find(({ entity }) => entity === id)?.displayName ?? id;
}

const STATES: Readonly<Record<RunState, string>> = {
  [RunState.UNSPECIFIED]: '',
  [RunState.WAITING]: 'waiting for players',
  [RunState.RUNNING]: 'running',
  [RunState.PAUSED]: 'paused: no one is playing',
  [RunState.SUCCEEDED]: 'succeeded',
  [RunState.FAILED]: 'failed',
  [RunState.ENDED]: 'ended',
  [RunState.INTERRUPTED]: 'stopped',
  [RunState.ERROR]: 'ended by an error',
};

export function stateText(state: RunState): string {
  return STATES[state];
}

/** Whether the run has ended. */
export function isOver(state: RunState): boolean {
  return state >= RunState.SUCCEEDED;
}
