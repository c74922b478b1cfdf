/**
 * `preview <scenario>`: the whole map, or one agent's first frame, as a PNG; or its exact first request,
 * without sending it.
 */
import { counted } from '../../base/counted.js';
import { meantOf } from '../../base/nearest.js';
import type { ExitCode } from '../../base/errors.js';
import { UsageError } from '../../base/errors.js';
import type { Scene } from '../../environment/scene.js';
import { SIGN_LAYER } from '../../environment/shared-tiles.js';
import { FAMILIES, frameTokens } from '../../model/frame-tokens.js';
import { previewMap } from '../../render/preview.js';
import { PROTOCOL_NAMES } from '../../scenario/scenario.js';
import { command } from '../options/command-line.js';
import { oneOf, flag, single, word } from '../options/option.js';
import type { Chosen } from '../options/option.js';
import { GUIDED, ROOT, SCENARIO, SET } from '../options/shared-options.js';
import { withOverrides } from '../options/overrides.js';
import { printError } from '../text/error-text.js';
import { firstObservation, firstRequest, requestBody, requestText } from '../text/first-request.js';
import { fromCwd } from '../options/paths.js';
import type { Io } from '../terminal/io.js';
import { openForCommand } from '../play/open.js';
import { signedPreview, writePreview } from '../files/preview-file.js';
import type { CommandOpenOptions } from '../play/open.js';
import { repeatOnChange } from '../files/watch.js';
import type { FilesRead } from '../files/watch.js';
import type { OpenedScenario } from '../../assembly/opened-scenario.js';
import { jsonText } from '../terminal/style.js';
import { framePainter } from '../../assembly/painter.js';
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import type { OwnParts } from '../../assembly/own-modules.js';
import { ENV } from '../options/allow-options.js';
import { loadOwnParts, MODULES } from '../options/modules.js';

const OPTIONS = {
  ...ENV,
  ...MODULES,
  agent: single("Draw this agent's first picture (default: the whole map)"),
  protocol: oneOf(PROTOCOL_NAMES, "Reply format, instead of the agents'"),
  out: word(
    'Path of the PNG, or - for standard output; by default a file in the current folder, named after the scenario',
  ),
  messages: flag('Print the first request, without sending it'),
  json: flag('With --messages: the whole request as JSON, as sent to a server'),
  ...GUIDED,
  seed: word('Seed of the run, instead of the one in the scenario'),
  ...ROOT,
  watch: flag('Redraw on each save'),
  ...SET,
};

type PreviewOptions = Chosen<typeof SCENARIO & typeof OPTIONS>;

export function previewCommand(modules: readonly EnvironmentModule[]) {
  return command({
    examples: [
      ['$0 preview scenarios/crypt.yaml', 'draws the whole map as crypt.png'],
      ['$0 preview crypt.yaml --agent wizard --out - > wizard.png', "draws the wizard's first view"],
      ['$0 preview crypt.yaml --agent wizard --messages', 'prints the exact request to a model'],
      ['$0 preview crypt.yaml --watch', 'redraws whenever the file is saved'],
    ],
    arguments: SCENARIO,
    options: OPTIONS,
    run: async (options, io) => {
      if (options.json && !options.messages)
        throw new UsageError('--json works only with --messages; without it, preview writes a PNG');
      if (options.messages && options.out !== undefined) {
        throw new UsageError('--messages prints to standard output; --out is for pictures', [
          'redirect standard output with >',
        ]);
      }
      if (options.guided !== undefined && !options.messages)
        throw new UsageError('--guided needs --messages: it changes the request, not the picture');
      const parts = await loadOwnParts(options.modules, io, modules);
      if (!options.watch) return previewOnce(options, io, parts);
      if (options.out === '-')
        throw new UsageError('--watch draws repeatedly, but standard output can take only one picture');
      // Draws again whenever one of the files that were read is saved with a change, until Ctrl-C. Mistakes are
      // reported once, and the next save is awaited.
      const stop = new AbortController();
      const close = io.onInterrupt(() => stop.abort());
      const draw = async (filesRead: FilesRead): Promise<void> => {
        filesRead.set(fromCwd(io, options.scenario), null);
        const onRead = (file: string, bytes: Uint8Array | null): void => void filesRead.set(file, bytes);
        await previewOnce(options, io, parts, onRead).catch((error: unknown) => printError(error, io));
      };
      try {
        await repeatOnChange(draw, stop.signal);
        return 0;
      } finally {
        close();
      }
    },
  });
}

async function previewOnce(
  options: PreviewOptions,
  io: Io,
  parts: OwnParts,
  onRead?: CommandOpenOptions['onRead'],
): Promise<ExitCode> {
  const { set = [], env, root, seed } = options;
  const checked = await openForCommand(options.scenario, { io, parts, set, env, seed, root, onRead });
  const opened = { ...checked, scenario: withOverrides(checked.scenario, { protocol: options.protocol }) };
  if (options.messages) {
    const request = firstRequest(opened, agentOf(opened, options.agent), {
      guided: options.guided,
      seats: options.protocol === undefined ? parts.seats : { ...parts.seats, protocols: {} },
    });
    io.out.write(options.json ? `${jsonText(requestBody(request))}\n` : requestText(request, io));
    return 0;
  }
  const png = signedPreview(
    options.agent === undefined ? mapOf(opened) : frameOf(opened, agentOf(opened, options.agent)),
  );
  if (options.out === '-') {
    if (io.out.isTerminal)
      throw new UsageError('--out - prints the bytes of a PNG, which a terminal cannot show', [
        'redirect standard output: … --out - > map.png',
      ]);
    io.out.writeBytes(png);
    return 0;
  }
  const name = `${opened.scenario.name}${options.agent === undefined ? '' : `-${options.agent}`}`;
  io.out.write(`wrote ${writePreview(png, { out: options.out, name, io })}\n`);
  if (options.agent !== undefined) io.out.write(costText(opened, agentOf(opened, options.agent)));
  return 0;
}

/** The token cost of a frame, which matters for the choice of window and tile size. */
function costText({ scenario }: OpenedScenario, agent: string): string {
  const { columns, rows, tilePixels, ruler } = scenario.render;
  const margin = ruler ? 1 : 0;
  const [width, height] = [(columns + margin) * tilePixels, (rows + margin) * tilePixels];
  const costs = FAMILIES.map((family) => `${family} ${frameTokens(family, width, height)}`);
  const frameCost = `${width} × ${height} pixels; image tokens: ${costs.join(', ')}\n`;
  const { pictures = 0, recalls = 0 } = scenario.agents.find(({ id }) => id === agent)?.memory ?? {};
  if (pictures + recalls === 0) return frameCost;
  return `${frameCost}with past pictures, a request has up to ${counted(1 + pictures + recalls, 'picture')}, and each costs that much\n`;
}

function agentOf({ scenario }: OpenedScenario, id: string | undefined): string {
  const ids = scenario.agents.map((agent) => agent.id);
  const chosen = id ?? ids[0];
  if (chosen !== undefined && ids.includes(chosen)) return chosen;
  throw new UsageError(`the scenario has no agent "${chosen ?? ''}"`, [
    meantOf(chosen ?? '', ids, 'its agents'),
  ]);
}

function sceneOf({ environment, scenario }: OpenedScenario, agent: string | null): Scene {
  const scene = environment.scene(environment.create(scenario.seed), agent);
  if (scene !== null) return scene;
  throw new UsageError(`the environment "${scenario.environment}" has no picture`, ['use --messages']);
}

function mapOf(opened: OpenedScenario): Uint8Array {
  const scene = sceneOf(opened, null);
  const labelled = scene.things.filter(({ layer }) => layer < SIGN_LAYER);
  const labels = labelled.map(({ x, y, id }) => ({ x, y, text: id }));
  const { loaded, scenario } = opened;
  const tileset = loaded.tileset.skinned(scenario.render.skin);
  return previewMap(scene, tileset, { title: scenario.title, rooms: scene.marks, ids: labels });
}

function frameOf(opened: OpenedScenario, agent: string): Uint8Array {
  const scenePainter = framePainter(
    { ...opened.scenario, render: { ...opened.scenario.render, channel: 'both' } },
    opened.loaded.tileset,
  );
  const scene = firstObservation(opened, agent, scenePainter).scene ?? sceneOf(opened, agent);
  return scenePainter?.paint(scene).png ?? new Uint8Array();
}
