/**
 * An agent's first request as `preview` shows it: its contents before anyone has acted, as text for a person
 * or as the body that a server would get. Nothing is sent, so the form of guided decoding is known only if
 * the scenario names the server's program.
 */
import { counted } from '../../base/counted.js';
import { aided } from '../../agent/aids.js';
import type { OpenedScenario } from '../../assembly/opened-scenario.js';
import type { OwnSeats } from '../../assembly/own-exports.js';
import { framePainter } from '../../assembly/painter.js';
import { seatsFor } from '../../assembly/seats.js';
import { UsageError } from '../../base/errors.js';
import { lookUp } from '../../base/look-up.js';
import type { Observation } from '../../environment/observation.js';
import { seededForm } from '../../model/chat.js';
import type { Message, RequestForm } from '../../model/chat.js';
import { constraintFor } from '../../model/constraint.js';
import type { Constraint } from '../../model/constraint.js';
import { systemDependencies } from '../../model/dependencies.js';
import { bodySettings, chatBody } from '../../model/request.js';
import { kindNamed } from '../../model/capabilities.js';
import type { Painter } from '../../orchestrator/run-context.js';
import { samplingSeed } from '../../orchestrator/request.js';
import type { GuidedMode, ModelSpec } from '../../scenario/scenario.js';
import { defaultModel } from '../../scenario/settings.js';
import type { Io } from '../terminal/io.js';
import { cutLines, jsonText, painter } from '../terminal/style.js';

export interface FirstRequest {
  /** The agent's model; otherwise the scenario's first one. */
  spec: ModelSpec;
  messages: readonly Message[];
  form: RequestForm;
  /** Null if the reply is not guided, as far as is known without asking the server. */
  constraint: Constraint | null;
}

/** What the agent gets before anyone has acted. */
export function firstObservation(
  { environment, scenario }: OpenedScenario,
  agent: string,
  painted: Painter | null,
): Observation {
  const observation = environment.observe(environment.create(scenario.seed), agent);
  return aided(observation, scenario, painted);
}

/** The first request to the agent's controller. `guided` overrides the model's own setting if given. */
export function firstRequest(
  opened: OpenedScenario,
  agent: string,
  { guided, seats: ownSeats }: { guided: GuidedMode | undefined; seats: OwnSeats },
): FirstRequest {
  const { scenario, environment, loaded } = opened;
  const picture = opened.hasPicture ? framePainter(scenario, loaded.tileset) : null;
  const scriptedAgents = scenario.agents.map((one) => ({
    ...one,
    controller: { kind: 'scripted' as const },
  }));
  const { seats } = seatsFor({
    scenario: { ...scenario, agents: scriptedAgents },
    environment,
    hasPicture: picture !== null,
    // Scripted players send no request.
    dependencies: systemDependencies(() => undefined),
    protocols: ownSeats.protocols,
    memory: ownSeats.memory,
  });
  const seat = seats.find((one) => one.spec.id === agent);
  const observation = firstObservation(opened, agent, picture);
  if (seat === undefined) throw new UsageError(`the scenario has no agent "${agent}"`);
  const painted = observation.scene === null ? null : (picture?.paint(observation.scene) ?? null);
  const { composer } = seat;
  const step = seats.indexOf(seat) + 1;
  const form = seededForm(
    composer.form(observation),
    samplingSeed(scenario.seed, { agent, step, attempt: 1 }),
  );
  const modelSpec = modelOf(opened, agent);
  const spec = { ...modelSpec, guided: guided ?? modelSpec.guided };
  return {
    spec,
    messages: composer.messages([], composer.turnText(observation, null), painted),
    form,
    constraint: spec.guided === 'off' ? null : constraintFor(kindNamed(spec.server), form),
  };
}

function modelOf({ scenario }: OpenedScenario, agent: string): ModelSpec {
  const controller = scenario.agents.find((one) => one.id === agent)?.controller;
  const named = controller?.kind === 'model' ? lookUp(scenario.models, controller.model) : undefined;
  return named ?? Object.values(scenario.models)[0] ?? defaultModel();
}

/** For a person: the messages, then the other parts of the request. */
export function requestText({ spec, messages, form, constraint }: FirstRequest, io: Io): string {
  const paint = painter(io, io.out);
  const heading = (words: string): string => paint(['bold', 'underline'], words);
  const sections = messages.map(({ role, parts }) => {
    const shown = parts.map((part) =>
      part.kind === 'text'
        ? cutLines(part.text)
        : paint('dim', `[picture ${part.frameHash.slice(0, 16)}, ${counted(part.png.length, 'byte')}]`),
    );
    return `${heading(role)}\n${shown.join('\n')}\n`;
  });
  const tools = form.tools.map(({ name, description }) => `${name}: ${description}`);
  if (tools.length > 0) sections.push(`${heading('tools')}\n${tools.join('\n')}\n`);
  if (spec.guided !== 'off') sections.push(`${heading('guided')}\n${guidedText(form, constraint, spec)}\n`);
  return sections.join('\n');
}

/**
 * The constraint for a named server, in its language; otherwise how to see it, because each server has its
 * own form.
 */
function guidedText({ guided }: RequestForm, constraint: Constraint | null, { server }: ModelSpec): string {
  if (server === null)
    return 'depends on the server software; to see it, name the software, as in --set models.main.server=vllm';
  if (constraint === null) return 'none: this server cannot guide replies in this protocol';
  const constraintForm = constraint.language === 'tools' ? null : (guided?.[constraint.language] ?? null);
  const form = typeof constraintForm === 'string' ? constraintForm : jsonText(constraintForm);
  return constraintForm === null ? `by ${constraint.name}` : `by ${constraint.name}\n${form}`;
}

/** The body of the request as a server would get it. */
export function requestBody({ spec, messages, form, constraint }: FirstRequest): object {
  // If no model is named, the server's only one is used, whatever its name.
  return {
    ...chatBody(bodySettings(spec, spec.model, form, constraint), messages, { foldSystem: false }),
    model: spec.model,
  };
}
