/**
 * Loads a scenario file. The stages: text, YAML tokens, values, settings from the command line, variables,
 * draws, schemas, and checks of the values together. Mistakes of one stage are collected and thrown together with
 * those of the next, as far as possible. The world's own part is read by the `WorldReader` of its kind.
 */
import { z } from 'zod';
import type { Diagnostic } from '../base/errors.js';
import { isRecord, type Json } from '../base/json.js';
import { LIMITS } from '../base/limits.js';
import type { ScenarioFile } from './files.js';
import { readSpokenNames, spokenNamesSpec, verbsOf } from './spoken-names.js';
import { parseRemovingMistakes, withoutFollowUps } from './error-recovery.js';
import { warnOfUnusedKeys } from './unused-keys.js';
import { readOwnTileset } from './own-tileset.js';
import { suggest } from './suggest.js';
import { applySettings } from './overrides.js';
import { childOf } from './records.js';
import type { ScenarioFindings, MistakeReport } from './report.js';
import { findingsFor, sorted } from './report.js';
import { coveringDraws, drawnBySeed, drawsOf, withDrawn } from './draw.js';
import type { ChooseDrawn, FilledDraw } from './draw.js';
import { drawnText } from './scenario.js';
import type { AgentSpec, Drawn, Scenario } from './scenario.js';
import { AGENT_KEYS, SCENARIO_KEYS } from './schema.js';
import type { ScenarioInput } from './schema.js';
import { reportSecrets } from './secrets.js';
import { effective } from './section.js';
import { agentSpecs } from './settings.js';
import { scenarioError, sourceOf } from './source.js';
import { readTemplates } from './templates.js';
import type { Tree } from './tree.js';
import type { Variables } from './variables.js';
import { withVariables } from './variables.js';
import { DEFAULT_WORLD } from './names.js';
import type { KnownNames, Reference, WorldReader } from './world.js';
import type { SourceText } from './source.js';
import { parseTree } from './tree.js';

// Parsing the text as YAML. The runs of a batch read the same text one after the other, so the most recently
// parsed texts are cached; the cached values must not be changed.

interface ParsedText {
  tree: Tree;
  findings: readonly Diagnostic[];
}

const CACHED_TEXTS = 4;
const cachedTexts: ParsedText[] = [];

/**
 * The tree of a text and the mistakes found while parsing it. Throws ScenarioError for text that is not YAML,
 * is nested too deeply or is too long.
 */
export function parsedText(source: SourceText): ParsedText {
  const cached = cachedTexts.find(
    ({ tree }) => tree.source.file === source.file && tree.source.text === source.text,
  );
  if (cached !== undefined) return cached;
  const findings: Diagnostic[] = [];
  const tree = parseTree(source, findings);
  const parsed = { tree, findings };
  cachedTexts.unshift(parsed);
  cachedTexts.length = Math.min(cachedTexts.length, CACHED_TEXTS);
  return parsed;
}

export interface LoadOptions {
  /** `--set key=value`, in order. */
  set?: readonly string[];
  /** Used instead of the scenario's own seed. */
  seed?: string | undefined;
  /** Used instead of what the seed draws. */
  drawn?: Drawn | undefined;
  /** Whether mistakes are searched with every value of every draw, not only with those that the seed draws. */
  everyDraw?: boolean | undefined;
  /** Environment variables that the scenario may read, in addition to `READABLE_VARIABLES`. */
  env?: readonly string[] | undefined;
  /** The environment kinds that a scenario may name. */
  worlds: readonly WorldReader[];
  /**
   * Tiles of the project's tileset and verbs of the environment; if they are not given, they are not checked.
   */
  known?: Partial<KnownNames>;
}

export interface LoadedScenario {
  scenario: Scenario;
  /** The text as it was read, for the log. */
  source: string;
  warnings: readonly Diagnostic[];
  /** Adds warnings that only the opened world can give; returns all warnings, in file order. */
  withMore(tell: (report: MistakeReport) => void): readonly Diagnostic[];
}

/**
 * A scenario that was read, with its mistakes collected but not thrown yet: decoding its pictures may find
 * more.
 */
export interface ScenarioDraft {
  /**
   * Path of the manifest of the named tileset; null: the project's own, or an unreadable one, which is
   * reported.
   */
  tileset: string | null;
  /** `render.skin`; 0 if it could not be read. */
  skin: number;
  /** Adds further mistakes. */
  findings: ScenarioFindings;
  /** Throws ScenarioError with every mistake found, each with its position. */
  finish(): LoadedScenario;
}

/**
 * Loads and checks a scenario, except the pictures of its tileset. Throws ScenarioError with every mistake
 * found, each with its position in the file.
 */
export function loadScenario(file: ScenarioFile, variables: Variables, options: LoadOptions): LoadedScenario {
  return draftScenario(file, variables, options).finish();
}

/**
 * The same for a caller that adds mistakes of its own before they are thrown. Throws ScenarioError only for
 * input that is not readable text.
 */
export function draftScenario(file: ScenarioFile, variables: Variables, options: LoadOptions): ScenarioDraft {
  const source = sourceOf(file.path, file.content);
  const { tree: parsed, findings: earlyFindings } = parsedText(source);
  const { worlds } = options;
  const overridden = applySettings(parsed.value, options.set ?? [], (value) => {
    const world = worlds.find(({ kind }) => kind === environmentOf(value));
    return world === undefined ? null : scenarioSchema(world);
  });
  const read = (choose: ChooseDrawn): FoundDraft => {
    const tree: Tree = { ...parsed, value: overridden.value };
    const findings = findingsFor(() => tree, overridden.settings, earlyFindings);
    findings.list.push(...overridden.mistakes);
    reportSecrets(tree.value, findings);
    const expanded = withVariables(tree, { variables, env: options.env ?? [] }, findings);
    const filled = withDrawn(expanded.value, { seed: options.seed, choose, report: findings });
    if (filled.drawnKey !== undefined) tree.drawnKey = filled.drawnKey;
    filled.failedPaths.push(...expanded.failedPaths);
    return { draft: readDraft({ file, filled, findings, options }), findings, drawn: filled.drawn };
  };
  const { drawn } = options;
  const found = read(drawn === undefined ? drawnBySeed : () => drawn);
  const { draft, findings } = found;
  if (options.everyDraw === true || findings.failed())
    addOthers(
      found,
      coveringDraws(drawsOf(overridden.value) ?? []).map((other) => read(() => other)),
    );
  const finish = (): LoadedScenario => {
    findings.throwIfFailed();
    if (draft === null) throw scenarioError(findings.list);
    return {
      scenario: draft.scenario,
      source: source.text,
      warnings: sorted(findings.list),
      withMore: (addWarnings) => {
        addWarnings(findings);
        return sorted(findings.list);
      },
    };
  };
  const skin = draft?.scenario.render.skin ?? 0;
  return { tileset: draft?.tileset ?? null, skin, findings, finish };
}

interface LoadedDraft {
  scenario: Scenario;
  /** Path of its tileset's manifest, as in `ScenarioDraft`. */
  tileset: string | null;
}

interface FoundDraft {
  /** Null if too little of it could be read. */
  draft: LoadedDraft | null;
  findings: ScenarioFindings;
  drawn: Drawn;
}

/**
 * Adds what was found with other draws, each place once. A mistake that is not there with every draw says with
 * which it is.
 */
function addOthers(found: FoundDraft, others: readonly FoundDraft[]): void {
  const placeOf = ({ severity, file, line, column }: Diagnostic): string =>
    JSON.stringify([severity, file, line, column]);
  const all = [found, ...others].map(({ drawn, findings: { list } }) => {
    return { drawn, list: [...list], places: new Set(list.map(placeOf)) };
  });
  const listed = new Set<string>();
  found.findings.list.length = 0;
  for (const { drawn, list, places } of all) {
    for (const one of list) {
      const place = placeOf(one);
      if (listed.has(place)) continue;
      const isAlways = all.every((each) => each.places.has(place));
      const message = isAlways ? one.message : `${one.message} (with ${drawnText(drawn).slice(0, 200)})`;
      found.findings.list.push({ ...one, message });
    }
    for (const place of places) listed.add(place);
  }
}

/** Reads the values of a scenario after its draw; its mistakes are reported to `findings`. */
export function readDraft({
  file,
  filled: { value, failedPaths, draw },
  findings,
  options,
}: {
  file: ScenarioFile;
  filled: FilledDraw;
  findings: ScenarioFindings;
  options: LoadOptions;
}): LoadedDraft | null {
  if (childOf(value, 'scenarios') !== undefined && childOf(value, 'agents') === undefined) {
    findings.error(
      ['scenarios'],
      'this is a batch, not a scenario',
      `orchestrate batch ${file.path} plays it`,
    );
    return null;
  }
  const world = findWorld(value, options.worlds, findings);
  if (world === null) return null;
  const { value: input, removed } = parseRemovingMistakes(scenarioSchema(world), value, {
    report: findings,
    failedPaths,
  });
  if (input === null) return null;
  const report = withoutFollowUps(findings, removed);
  warnOfUnusedKeys(value, report);
  const { agents, render, prompt, models } = input;
  const { ties = 'seed', ...turns } = input.turns;
  const known: KnownNames = { sprites: null, actions: null, ...options.known };
  const seed = options.seed ?? String(input.seed);
  const tileset =
    render.tileset === null
      ? { manifest: null, sprites: known.sprites }
      : readOwnTileset(file, render.tileset, report);
  const { sprites } = tileset;
  const specs = agentSpecs(agents, { models: Object.keys(models), reflection: input.reflection }, report);
  const guided = Object.values(models).map((model) => model.guided);
  const templates = readTemplates(prompt.templates, {
    file,
    sections: world.sections,
    offers: prompt.offers,
    isFormEnforced: guided.length > 0 && guided.every((one) => one === 'require'),
    report,
  });
  const told = [prompt.rules, ...Object.values(templates), ...specs.flatMap(textsOf)];
  const references = referencesIn(input);
  if (world.names === undefined && references[0] !== undefined)
    report.error(
      references[0].at,
      `the environment ${world.kind} has nothing that can be named by an id here`,
      'leave it out',
    );
  const definition = world.read(
    {
      values: input,
      agents,
      render,
      drawsTies: turns.order === 'simultaneous' && ties === 'seed' && agents.length > 1,
      seed,
      known: { ...known, sprites },
      references,
      told,
    },
    report,
  );
  const names = definition === null ? undefined : world.names?.(definition);
  const { probes = null } = input;
  const scenario: Scenario = {
    ...effective(SCENARIO_KEYS, ['actions', 'draw', 'reflection'], input),
    name: nameOf(file.path),
    seed,
    ...(draw === undefined ? {} : { draw }),
    environment: world.kind,
    ...spokenNamesSpec(readSpokenNames(input.actions, verbsOf(world.kind, known), report)),
    definition,
    agents: specs,
    turns,
    prompt: { ...prompt, templates },
    probes:
      probes?.ask === undefined
        ? probes
        : { ...probes, ask: probes.ask.map((one) => ({ as: names?.get(one.about) ?? one.about, ...one })) },
  };
  return { scenario, tileset: tileset.manifest };
}

/** Ids of the world's things, doors and bodies that a scenario names outside the world's own keys. */
function referencesIn({ measures, probes }: ScenarioInput): readonly Reference[] {
  const asked = { side: BODIES, count: BODIES, door: ['door'], holds: ['thing'] } as const;
  return [
    ...(measures?.facts ?? []).flatMap(({ seen, agent }, i): readonly Reference[] => [
      ...(seen === undefined
        ? []
        : [{ id: seen, kinds: [...BODIES, 'door'] as const, at: ['measures', 'facts', i, 'seen'] }]),
      ...(agent === undefined
        ? []
        : [{ id: agent, kinds: ['agent'] as const, at: ['measures', 'facts', i, 'agent'] }]),
    ]),
    ...(probes?.ask ?? []).map(({ about, kind }, i) => {
      return { id: about, kinds: asked[kind], at: ['probes', 'ask', i, 'about'] };
    }),
  ];
}
const BODIES = ['thing', 'npc', 'agent'] as const;

/** The whole format for one kind of environment, which refuses every unknown key. */
export function scenarioSchema(world: WorldReader): ReturnType<typeof buildSchema> {
  const cached = schemaByWorld.get(world);
  if (cached !== undefined) return cached;
  const schema = buildSchema(world);
  schemaByWorld.set(world, schema);
  return schema;
}

/** Cached, because zod compiles a schema on first use, which takes longer than reading a scenario with it. */
const schemaByWorld = new WeakMap<WorldReader, ReturnType<typeof buildSchema>>();

function buildSchema(world: WorldReader) {
  const agent = z.strictObject({ ...AGENT_KEYS, ...world.agentKeys }).describe('An agent.');
  const agents = z
    .array(agent)
    .min(1)
    .max(LIMITS.agents)
    .describe('The agents, in the order of their turns.');
  return z.strictObject({ ...SCENARIO_KEYS, agents, ...world.keys });
}

function findWorld(value: Json, worlds: readonly WorldReader[], report: MistakeReport): WorldReader | null {
  if (!isRecord<Json>(value)) {
    report.error(
      [],
      value === null ? 'the scenario is empty' : 'a scenario consists of keys with values',
      "start with the keys 'title' and 'map'",
    );
    return null;
  }

  const environment = environmentOf(value);
  const shownName = typeof environment === 'string' ? environment : JSON.stringify(environment);
  const kinds = worlds.map(({ kind }) => kind);
  const world = worlds.find(({ kind }) => kind === environment);
  if (world !== undefined) return world;
  report.error(
    ['environment'],
    `there is no environment called '${shownName.slice(0, 40)}'`,
    suggest(shownName, kinds),
  );
  return null;
}

function environmentOf(value: Json): unknown {
  return childOf(value, 'environment') ?? DEFAULT_WORLD;
}

/** What an agent is told about itself, and its fixed replies, which others may hear. */
function textsOf({ persona, goals, controller }: AgentSpec): readonly string[] {
  const replies = controller.kind === 'replies' ? controller.replies : [];
  return [persona, ...goals.flatMap(({ name, description }) => [name, description]), ...replies];
}

/** `scenarios/crypt.yaml` has the name crypt. */
export function nameOf(path: string): string {
  const last = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return last.replace(/\.ya?ml$/i, '') || 'scenario';
}
