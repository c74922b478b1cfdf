/** `preview <scenario>`: the whole map, or one agent's first frame, as a PNG; or its exact first request, without sending it. */
import { renameSync, watch, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { aidsOf, withAids } from '../agent/aids.js';
import type { ExitCode } from '../base/errors.js';
import { StorageError, UsageError } from '../base/errors.js';
import type { Observation } from '../environment/observation.js';
import type { Scene } from '../environment/scene.js';
import type { Message, RequestForm } from '../model/chat.js';
import type { Painter } from '../orchestrator/parts.js';
import { FAMILIES, frameTokens } from '../render/frame-tokens.js';
import { bodySettings, chatBody } from '../model/request.js';
import { standardModel } from '../scenario/settings.js';
import { previewMap } from '../render/preview.js';
import { command, once, settings } from './command-line.js';
import { printError } from './error-text.js';
import { fromCwd } from './paths.js';
import type { Io } from './io.js';
import { openScenario } from './open.js';
import type { Opened } from '../assembly/open.js';
import { block, jsonText, painter } from './style.js';
import { framePainter } from '../assembly/painter.js';
import { seatsFor } from '../assembly/seats.js';
import { variablesOf } from './variables.js';
import { systemDependencies } from '../model/dependencies.js';
import type { EnvironmentModule } from '../assembly/environments.js';

interface PreviewOptions {
  readonly scenario: string;
  readonly agent: string | undefined;
  readonly out: string | undefined;
  readonly messages: boolean;
  readonly json: boolean;
  readonly watch: boolean;
  readonly set: readonly string[];
}

export function previewCommand(modules: readonly EnvironmentModule[]) {
  return command({
    words: 'preview <scenario>',
    summary: "Draw the map or an agent's first frame, or print its first request",
    examples: [
      ['$0 preview scenarios/crypt.yaml', 'the whole map, as crypt.png'],
      ['$0 preview crypt.yaml --agent wizard --out - > wizard.png', 'what the wizard sees first'],
      ['$0 preview crypt.yaml --agent wizard --messages', 'exactly what a model would be sent'],
      ['$0 preview crypt.yaml --watch', 'draw again whenever the file is saved'],
    ],
    options: (parser) =>
      parser
        .positional('scenario', { type: 'string', demandOption: true, describe: 'Scenario file (YAML)' })
        .option('agent', { type: 'string', describe: "This agent's first frame", coerce: once('agent') })
        .option('out', {
          type: 'string',
          nargs: 1,
          describe: 'Path of the PNG, - for standard output',
          coerce: once('out'),
        })
        .option('messages', {
          type: 'boolean',
          default: false,
          describe: 'Print the first request, without sending it',
        })
        .option('json', {
          type: 'boolean',
          default: false,
          describe: 'With --messages: the whole request as JSON, as a server gets it',
        })
        .option('watch', { type: 'boolean', default: false, describe: 'Draw again on each save' })
        .option('set', {
          type: 'string',
          describe: 'key=value for any key of the scenario',
          coerce: settings,
        }),
    run: (options, io) => preview({ ...options, set: options.set ?? [] }, io, modules),
  });
}

async function preview(
  options: PreviewOptions,
  io: Io,
  modules: readonly EnvironmentModule[],
): Promise<ExitCode> {
  if (options.json && !options.messages)
    throw new UsageError('--json goes with --messages; a picture is a PNG');
  if (options.messages && options.out !== undefined) {
    throw new UsageError('--messages prints to standard output; --out is for pictures', [
      'redirect it with >',
    ]);
  }
  if (!options.watch) return previewOnce(options, io, modules);
  if (options.out === '-')
    throw new UsageError('--watch draws again and again; standard output can take one picture');
  return watching(options, io, modules);
}

async function previewOnce(
  options: PreviewOptions,
  io: Io,
  modules: readonly EnvironmentModule[],
): Promise<ExitCode> {
  const opened = await openScenario(options.scenario, { io, modules, set: options.set });
  if (options.messages) {
    const agent = agentOf(opened, options.agent);
    const request = firstRequest(opened, agent, io);
    io.out.write(
      options.json
        ? `${jsonText(requestBody(opened, agent, request))}\n`
        : messagesText(request.messages, io),
    );
    return 0;
  }
  const png = options.agent === undefined ? mapOf(opened) : frameOf(opened, agentOf(opened, options.agent));
  const out =
    options.out ?? `${opened.scenario.name}${options.agent === undefined ? '' : `-${options.agent}`}.png`;
  if (out === '-') io.out.writeBytes(png);
  else {
    writePicture(fromCwd(io, out), png);
    io.out.write(`${out}\n`);
    if (options.agent !== undefined) io.out.write(costText(opened));
  }
  return 0;
}

/** What the frame costs, since that is what people choose a window and a tile size by. */
function costText({ scenario }: Opened): string {
  const { columns, rows, tilePixels, ruler } = scenario.render;
  const margin = ruler ? 1 : 0;
  const [width, height] = [(columns + margin) * tilePixels, (rows + margin) * tilePixels];
  const costs = FAMILIES.map((family) => `${family} ${frameTokens(family, width, height)}`);
  return `${width} × ${height} pixels; image tokens: ${costs.join(', ')}\n`;
}

function agentOf({ scenario }: Opened, id: string | undefined): string {
  const ids = scenario.agents.map((agent) => agent.id);
  const chosen = id ?? ids[0];
  if (chosen !== undefined && ids.includes(chosen)) return chosen;
  throw new UsageError(`the scenario has no agent "${chosen ?? ''}"`, [`its agents: ${ids.join(', ')}`]);
}

function sceneOf({ environment, scenario }: Opened, agent: string | null): Scene {
  const scene = environment.scene(environment.create(scenario.seed), agent);
  if (scene !== null) return scene;
  throw new UsageError(`the environment "${scenario.environment}" has no picture`, ['use --messages']);
}

function mapOf(opened: Opened): Uint8Array {
  const scene = sceneOf(opened, null);
  const ids = scene.things.map((thing) => ({ x: thing.x, y: thing.y, text: thing.id }));
  const { loaded, scenario } = opened;
  const tileset = loaded.tileset.skinned(scenario.render.skin);
  return previewMap(scene, tileset, { title: scenario.title, rooms: scene.marks, ids });
}

function frameOf(opened: Opened, agent: string): Uint8Array {
  const painted = framePainter(
    { ...opened.scenario, render: { ...opened.scenario.render, channel: 'both' } },
    opened.loaded.tileset,
  );
  const scene = firstObservation(opened, agent, painted).scene ?? sceneOf(opened, agent);
  return painted?.paint(scene).png ?? new Uint8Array();
}

/** What the agent is given before anyone has acted. */
function firstObservation(
  { environment, scenario }: Opened,
  agent: string,
  painted: Painter | null,
): Observation {
  const observation = environment.observe(environment.create(scenario.seed), agent);
  return withAids(observation, aidsOf(scenario), painted);
}

interface FirstRequest {
  readonly messages: readonly Message[];
  readonly form: RequestForm;
}

/** What the agent's controller would be sent first. */
function firstRequest(opened: Opened, agent: string, io: Io): FirstRequest {
  const { scenario, environment, loaded } = opened;
  const picture = opened.hasPicture ? framePainter(scenario, loaded.tileset) : null;
  const embedded = scenario.agents.map((one) => ({ ...one, controller: { kind: 'scripted' as const } }));
  const { seats } = seatsFor({
    scenario: { ...scenario, agents: embedded },
    environment,
    hasPicture: picture !== null,
    dependencies: systemDependencies(variablesOf(io)),
  });
  const seat = seats.find((one) => one.spec.id === agent);
  const observation = firstObservation(opened, agent, picture);
  if (seat === undefined) throw new UsageError(`the scenario has no agent "${agent}"`);
  const painted = observation.scene === null ? null : (picture?.paint(observation.scene) ?? null);
  const { composer } = seat;
  return {
    messages: composer.messages([], composer.turnText(observation, null), painted),
    form: composer.form(observation),
  };
}

function messagesText(messages: readonly Message[], io: Io): string {
  const paint = painter(io, io.out);
  return messages
    .map((message) => {
      const parts = message.parts.map((part) =>
        part.kind === 'text'
          ? block(part.text)
          : paint('dim', `[picture ${part.frameHash.slice(0, 16)}, ${part.png.length} bytes]`),
      );
      return `${paint(['bold', 'underline'], message.role)}\n${parts.join('\n')}\n`;
    })
    .join('\n');
}

/** The body of the request as a server would get it, with the settings of the agent's model (of the first, where it has none). */
function requestBody({ scenario }: Opened, agent: string, { messages, form }: FirstRequest): object {
  const controller = scenario.agents.find((one) => one.id === agent)?.controller;
  const named = controller?.kind === 'model' ? scenario.models[controller.model] : undefined;
  const spec = named ?? Object.values(scenario.models)[0] ?? standardModel();
  // Where no model is named the server's only one is asked for, whatever it is called.
  return {
    ...chatBody(bodySettings(spec, spec.model, form), messages, { foldSystem: false }),
    model: spec.model,
  };
}

function writePicture(path: string, png: Uint8Array): void {
  try {
    writeFileSync(`${path}.part`, png);
    renameSync(`${path}.part`, path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StorageError(`${path} can't be written: ${reason}`, ['name another place with --out']);
  }
}

/** Editors save in several writes: the last one within this time is drawn. */
const SETTLE_MS = 120;

/** Draws, then again on each save below the scenario's folder, until Ctrl-C. Mistakes are printed and waited out. */
async function watching(
  options: PreviewOptions,
  io: Io,
  modules: readonly EnvironmentModule[],
): Promise<ExitCode> {
  const stop = new AbortController();
  const close = io.onInterrupt(() => stop.abort());
  let saved = true;
  const watcher = watch(
    dirname(fromCwd(io, options.scenario)),
    { signal: stop.signal, persistent: true },
    (_event, name) => {
      if (name?.endsWith('.part') !== true && name?.endsWith('.png') !== true) saved = true;
    },
  );
  watcher.on('error', () => undefined);
  try {
    while (!stop.signal.aborted) {
      if (saved) {
        saved = false;
        await previewOnce(options, io, modules).catch((error: unknown) => printError(error, io));
      }
      await wait(SETTLE_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    }
    return 0;
  } finally {
    close();
  }
}
