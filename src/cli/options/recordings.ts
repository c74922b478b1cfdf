/**
 * `--controller`: a built-in player by name, or `recorded:<log>`, another run's replies.
 */
import { existsSync } from 'node:fs';
import type { Controller } from '../../agent/controller.js';
import { nearest } from '../../base/nearest.js';
import { UsageError } from '../../base/errors.js';
import { LogReader } from '../../log/reader.js';
import { repliesOf } from '../../replay/recorded-replies.js';
import { controllerKinds } from '../../scenario/controllers.js';
import type { ControllerKindIn } from '../../scenario/controllers.js';
import { once } from './option.js';
import type { Io } from '../terminal/io.js';
import { fromCwd } from './paths.js';
import { chooseRun, splitAddress } from '../logs/run-address.js';

const KINDS = controllerKinds('line');
const RECORDED = 'recorded:';

export interface ControllerChoice {
  controller: ControllerKindIn<'line'> | undefined;
  /** Address of the run whose replies are played. */
  recording: string | undefined;
}

/** One value of `--controller`. Throws UsageError. */
export function controllerOption(value: unknown): ControllerChoice | undefined {
  const name = once('controller')(value);
  if (name === undefined) return undefined;
  const controller = KINDS.find((kind) => kind === name);
  if (controller !== undefined) return { controller, recording: undefined };
  if (name.startsWith(RECORDED) && name.length > RECORDED.length)
    return { controller: undefined, recording: name.slice(RECORDED.length) };
  const near = nearest(name, KINDS);
  const suggestion = near === undefined ? '' : ` (did you mean ${near}?)`;
  throw new UsageError(
    `--controller takes ${KINDS.join(', ')}, or ${RECORDED}<log>, not ${name}${suggestion}`,
  );
}

export interface Recordings {
  controllers: Readonly<Record<string, Controller>>;
  close(): void;
}

/**
 * Controllers for these agents; none without a recording. Throws UsageError if the run or one of them does
 * not exist.
 */
export function recordings(address: string | undefined, agents: readonly string[], io: Io): Recordings {
  if (address === undefined) return { controllers: {}, close: () => undefined };
  const { path, runId } = splitAddress(address, (name) => existsSync(fromCwd(io, name)));
  const reader = new LogReader(fromCwd(io, path));
  try {
    const chosenRun = chooseRun(reader.runs(), runId, address).runId;
    const controllers = agents.map((agent) => [agent, repliesOf(reader, chosenRun, agent)] as const);
    return { controllers: Object.fromEntries(controllers), close: () => reader.close() };
  } catch (error) {
    reader.close();
    throw error;
  }
}
