/**
 * `doctor`: what this machine can do and, if a server is named, what the server can do, found by a few small
 * requests with one picture each.
 */
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { counted } from '../../base/counted.js';
import { errorMessage, OrchestrateError } from '../../base/errors.js';
import { LogWriter } from '../../log/writer.js';
import { examineServer } from '../../model/doctor.js';
import type { ServerReport } from '../../model/doctor.js';
import type { KnownPicture } from '../../model/finding.js';
import { originOf } from '../../model/keys.js';
import type { FrameSize } from '../../model/frame-words.js';
import { systemDependencies } from '../../model/dependencies.js';
import { numberPicture } from '../../render/test-picture.js';
import type { Tileset } from '../../render/tileset.js';
import type { ModelSpec } from '../../scenario/scenario.js';
import { PRESETS, presetFrame } from '../../scenario/presets.js';
import { defaultModel } from '../../scenario/settings.js';
import { ENV, KEYS } from '../options/allow-options.js';
import type { KeyOptions } from '../options/server-keys.js';
import { confirmedAddresses } from '../options/server-keys.js';
import { LineInput } from '../terminal/line-input.js';
import { command } from '../options/command-line.js';
import { single, anyText } from '../options/option.js';
import type { Chosen } from '../options/option.js';
import { AS_JSON } from '../options/shared-options.js';
import type { OpenedScenario } from '../../assembly/opened-scenario.js';
import { builtInTileset } from '../../assembly/tilesets.js';
import { listenForInterrupts } from '../terminal/interrupt.js';
import type { Io } from '../terminal/io.js';
import { openForCommand } from '../play/open.js';
import { jsonText, painter } from '../terminal/style.js';
import { variablesOf } from '../options/variables.js';
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import { loadOwnParts, MODULES } from '../options/modules.js';
import { PROGRAM_VERSION } from '../../assembly/version.js';

interface DoctorFinding {
  about: string;
  status: 'ok' | 'warn' | 'fail';
  text: string;
  hints: readonly string[];
}

const ARGUMENTS = { scenario: anyText('Examine the servers that this scenario names') };
const OPTIONS = {
  ...ENV,
  ...KEYS,
  ...MODULES,
  'base-url': single('Address of a model server'),
  model: single('Name of the model on that server'),
  'api-key-env': single('Name of the environment variable that holds the key'),
  ...AS_JSON,
};

export function doctorCommand(modules: readonly EnvironmentModule[]) {
  return command({
    examples: [
      ['$0 doctor', 'this machine'],
      ['$0 doctor --base-url http://localhost:8000/v1', 'also check a server: reachable, models, vision'],
      ['$0 doctor scenarios/crypt.yaml', "the servers of a scenario's models"],
    ],
    arguments: ARGUMENTS,
    options: OPTIONS,
    run: async (options, io) => {
      const machine = await examineMachine();
      const examined = await modelsToExamine(options, io, modules);
      const { key = [], 'base-url': baseUrl, 'api-key-env': variable } = options;
      const address = baseUrl === undefined ? null : originOf(baseUrl);
      // With `--base-url`, `--api-key-env` names the key of this server.
      const ownKey = variable === undefined || address === null ? [] : [{ variable, address }];
      const keys = { baseUrl, key: [...key, ...ownKey] };
      const servers = await examineServers({ ...examined, keys }, machine.tileset, io);
      if (options.json) {
        io.out.write(`${jsonText({ version: PROGRAM_VERSION, machine: machine.findings, servers })}\n`);
      } else {
        printFindings('this machine', machine.findings, io);
        for (const server of servers) printFindings(server.baseUrl, server.findings, io);
        if (servers.length === 0) io.out.write('use --base-url to examine a model server too\n');
      }
      if (servers.some((server) => !server.isUsable)) return 4;
      return machine.findings.some((finding) => finding.status === 'fail') ? 1 : 0;
    },
  });
}

async function examineMachine(): Promise<{
  findings: readonly DoctorFinding[];
  tileset: Tileset | null;
}> {
  const node: DoctorFinding = {
    about: 'node',
    status: 'ok',
    text: `${process.version} on ${process.platform} ${process.arch}`,
    hints: [],
  };
  const log = trialLog();
  try {
    const { tileset, sprites } = await builtInTileset();
    const pictures = {
      about: 'tileset',
      status: 'ok' as const,
      text: `${counted(sprites.tiles.size, 'tile')} read`,
      hints: [],
    };
    return { findings: [node, log, pictures], tileset };
  } catch (error) {
    return { findings: [node, log, failedFinding('tileset', error)], tileset: null };
  }
}

/**
 * Opens a real log in a temporary folder and removes it, which proves that the native module loads and that
 * the disk stores what is written.
 */
function trialLog(): DoctorFinding {
  try {
    const folder = mkdtempSync(join(tmpdir(), 'orchestrate-doctor-'));
    try {
      new LogWriter(join(folder, 'try.sqlite')).close();
      return { about: 'log', status: 'ok', text: 'SQLite writes a log', hints: [] };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  } catch (error) {
    return failedFinding('log', error);
  }
}

function failedFinding(about: string, error: unknown): DoctorFinding {
  const text = errorMessage(error);
  return { about, status: 'fail', text, hints: error instanceof OrchestrateError ? error.hints : [] };
}

/** The servers of some models, and the frame to test with; null if no frame is ever sent. */
interface ExaminedModels {
  specs: readonly ModelSpec[];
  frame: FrameSize | null;
  /** The most pictures that a request has. */
  atOnce: number;
}

async function modelsToExamine(
  options: Chosen<typeof ARGUMENTS & typeof OPTIONS>,
  io: Io,
  modules: readonly EnvironmentModule[],
): Promise<ExaminedModels> {
  const { 'base-url': baseUrl, model, 'api-key-env': apiKeyEnv } = options;
  if (baseUrl !== undefined) {
    const defaultSpec = defaultModel();
    const spec = {
      ...defaultSpec,
      baseUrl,
      model: model ?? null,
      apiKeyEnv: apiKeyEnv ?? defaultSpec.apiKeyEnv,
    };
    return { specs: [spec], frame: presetFrame(PRESETS.default), atOnce: 1 };
  }
  if (options.scenario === undefined) return { specs: [], frame: null, atOnce: 1 };
  const opened = await openForCommand(options.scenario, {
    io,
    parts: await loadOwnParts(options.modules, io, modules),
    set: [],
    env: options.env,
  });
  const { agents, models } = opened.scenario;
  const frame = frameOf(opened);
  const pictures = agents.map(({ memory: { pictures: past = 0, recalls = 0 } }) => 1 + past + recalls);
  return { specs: Object.values(models), frame, atOnce: frame === null ? 1 : Math.max(...pictures) };
}

/** The first agent's frame when the run begins; all frames of a run have the same size. */
function frameOf({ scenario, environment }: OpenedScenario): FrameSize | null {
  const { channel, ruler, tilePixels } = scenario.render;
  const [first] = scenario.agents;
  if (channel === 'text' || first === undefined) return null;
  const scene = environment.scene(environment.create(scenario.seed), first.id);
  if (scene === null) return null;
  const margin = ruler ? 1 : 0;
  const [width, height] = [(scene.width + margin) * tilePixels, (scene.height + margin) * tilePixels];
  return { width, height, tilePixels };
}

async function examineServers(
  { specs, frame, atOnce, keys }: ExaminedModels & { keys: KeyOptions },
  tileset: Tileset | null,
  io: Io,
): Promise<readonly ServerReport[]> {
  if (specs.length === 0 || tileset === null) return [];
  const interrupts = listenForInterrupts(io, () => undefined);
  const terminal = { io, lines: new LineInput(io.stdin), signal: interrupts.stop.soft };
  try {
    const dependencies = systemDependencies(variablesOf(io), await confirmedAddresses(specs, keys, terminal));
    const reports: ServerReport[] = [];
    for (const spec of specs)
      reports.push(
        await examineServer(
          spec,
          dependencies,
          { ...knownPicture(tileset, frame), atOnce },
          interrupts.stop.soft,
        ),
      );
    return reports;
  } finally {
    interrupts.close();
  }
}

/** In a smaller picture, a number of three digits is hard to read. */
const READABLE_PIXELS = 224;

/**
 * A different picture each time, so that no answer can be learnt or guessed. It is as large as a frame, so
 * that it costs as many tokens.
 */
function knownPicture(tileset: Tileset, frame: FrameSize | null): KnownPicture {
  const isReadable = frame !== null && Math.min(frame.width, frame.height) >= READABLE_PIXELS;
  const size = isReadable ? { frame } : {};
  const { hash, ...picture } = numberPicture(tileset, (end) => randomInt(end), size.frame);
  return { ...picture, frameHash: hash, ...size };
}

function printFindings(title: string, findings: readonly DoctorFinding[], io: Io): void {
  const paint = painter(io, io.out);
  const colours = { ok: 'green', warn: 'yellow', fail: 'red' } as const;
  io.out.write(`${paint('bold', title)}\n`);
  for (const finding of findings) {
    const mark = paint(colours[finding.status], finding.status.padEnd(4));
    io.out.write(`  ${mark}  ${finding.about.padEnd(9)} ${finding.text}\n`);
    for (const hint of finding.hints) io.out.write(`                  ${paint('dim', 'hint:')} ${hint}\n`);
  }
}
