/**
 * The prompt: from an observation to the exact messages of a request. They are the system text, the past and
 * this turn's text, with the image last. It uses observations, never a world's state.
 */
import { once } from '../base/once.js';
import { fillTemplate, placeholdersIn, template } from '../base/template.js';
import { breakControlTokens, oneLine } from '../base/text.js';
import type { OfferedAction, Observation } from '../environment/observation.js';
import type { Message, MessagePart, RequestForm } from '../model/chat.js';
import { imageParts } from './memory.js';
import type { SeenPicture } from './memory.js';
import type { Protocol } from '../parse/protocol.js';
import { briefVocabulary } from '../forms/brief.js';
import { withNamesAlone, withNumbers, withoutNames } from '../forms/nameless.js';
import type { Vocabulary } from '../forms/vocabulary.js';
import type { ReplyReading } from '../parse/reading.js';
import type { AgentSpec, Scenario } from '../scenario/scenario.js';
import { goalsText } from './goals.js';
import {
  NO_ACTION,
  OTHERS,
  PICTURE_GUIDE,
  SYSTEM_TEMPLATE,
  SYSTEM_TEMPLATE_TEXT,
  TURN_TEMPLATE,
  TURN_TEMPLATE_WITHOUT_OFFERS,
} from './templates.js';

/** Raised whenever the same situation would give different messages, by the wording here or by an aid (`aids.ts`). */
export const PROMPT_VERSION = 5;

/** A past turn that the agent looks back at; null if there is no picture of it. */
export interface RecalledPicture {
  turn: number;
  picture: SeenPicture | null;
}

/** Writes one agent's requests. */
export interface Composer {
  system: string;
  /** The system text for questions outside the game. */
  plainSystem: string;
  /** The system text without the answer format, for a person. */
  briefing: string;
  /** This turn's text; `problem` says why the last reply was refused. */
  turnText(observation: Observation, problem: string | null): string;
  /** The current picture comes last; null for a request without one. */
  messages(
    past: readonly Message[],
    text: string,
    current: SeenPicture | null,
    recalled?: readonly RecalledPicture[],
  ): readonly Message[];
  /** The legal actions as shown to the agent: without names if only a picture shows what there is. */
  shownOffers(observation: Observation): readonly OfferedAction[];
  /** What the request asks of the server in addition to an answer to its messages. */
  form(observation: Observation): RequestForm;
  /** How a parsed reply appears in the history: its command, without the reasoning around it. */
  replyText(reading: Extract<ReplyReading, { ok: true }>): string;
}

export interface ComposerOptions {
  scenario: Scenario;
  agent: AgentSpec;
  protocol: Protocol;
  /** The actions of this agent's scope; its prompt contains no others. */
  vocabulary: Vocabulary;
  /** Whether requests carry a picture. */
  hasPicture: boolean;
  /** How to read the environment's pictures; the built-in text if the environment has none. */
  pictureGuide?: string | undefined;
}

export function composer(options: ComposerOptions): Composer {
  const { scenario, protocol, vocabulary, hasPicture } = options;
  const { offers, templates, reasoning = true } = scenario.prompt;
  const turnText = templates['turn'] ?? (offers ? TURN_TEMPLATE : TURN_TEMPLATE_WITHOUT_OFFERS);
  const turnTemplate = template(turnText);
  // Situational forms appear only in the offers.
  const hasOffers = offers && placeholdersIn(turnText).some(({ name }) => name === 'actions');
  const style = { reasoning, offers: hasOffers };
  const system = systemText(
    options,
    protocol.instructions(hasOffers ? briefVocabulary(vocabulary) : vocabulary, style),
  );
  const isImageOnly = hasPicture && scenario.render.channel === 'image';
  const isNameless = isImageOnly && scenario.render.names === false;
  const shownOffers = ({ offered, refusals, nouns }: Observation): readonly OfferedAction[] => {
    if (isNameless) return refusals === 'plain' ? unrestricted : withoutNames(vocabulary, offered);
    return refusals === 'plain' ? withNamesAlone(offered, nouns) : offered;
  };
  // Every action in the scope, with unrestricted arguments.
  const unrestricted = vocabulary.map(({ name }) => ({ action: name, slots: {} }));
  const unrestrictedForm = once(() => protocol.form(vocabulary, unrestricted, style));
  const opening: Message = { role: 'system', parts: [{ kind: 'text', text: system }] };
  return {
    system,
    plainSystem: systemText(options, NO_ACTION),
    briefing: systemText(options, ''),
    turnText: (observation, problem) =>
      turnTemplate(
        turnPlaceholders(observation, problem ?? '', {
          isImageOnly,
          actionLines: offers ? protocol.actionLines(vocabulary, shownOffers(observation)) : [],
        }),
      ),
    messages: (past, text, current, recalled = []) => [
      opening,
      ...past,
      { role: 'user', parts: [{ kind: 'text', text }, ...pictureParts(current, recalled)] },
    ],
    shownOffers,
    form: (observation) => {
      const shown = offers
        ? shownOffers({ ...observation, offered: withNumbers(vocabulary, observation) })
        : unrestricted;
      return shown === unrestricted ? unrestrictedForm() : protocol.form(vocabulary, shown, style);
    },
    replyText: (reading) => protocol.replyText(reading),
  };
}

/** A line before each picture identifies it, unless only the current one is sent. */
function pictureParts(
  current: SeenPicture | null,
  recalled: readonly RecalledPicture[],
): readonly MessagePart[] {
  if (recalled.length === 0) return imageParts(current);
  const past = recalled.flatMap(({ turn, picture }): readonly MessagePart[] => [
    textPart(picture === null ? `There is no picture of turn ${turn}.` : `What you saw in turn ${turn}:`),
    ...imageParts(picture),
  ]);
  return [...past, textPart('What you see now:'), ...imageParts(current)];
}

function textPart(text: string): MessagePart {
  return { kind: 'text', text };
}

function systemText(options: ComposerOptions, answerFormat: string): string {
  const { scenario, agent, hasPicture, pictureGuide = PICTURE_GUIDE } = options;
  const builtIn = hasPicture ? SYSTEM_TEMPLATE : SYSTEM_TEMPLATE_TEXT;
  return fillTemplate(scenario.prompt.templates['system'] ?? builtIn, {
    others: scenario.agents.length > 1 ? OTHERS : '',
    picture: hasPicture ? pictureGuide : '',
    scenario_rules: scenario.prompt.rules,
    answer_format: answerFormat,
    name: properName(breakControlTokens(oneLine(agent.name))),
    persona: agent.persona,
    goals: goalsText(agent.goals),
  });
}

function properName(name: string): string {
  return /^\p{Lu}|^the /u.test(name) ? name : `the ${name}`;
}

interface TurnWording {
  /** The text does not repeat what the picture shows. */
  isImageOnly: boolean;
  actionLines: readonly string[];
}

/**
 * The placeholders of a turn template: each section by its id, all of them in order as `sections`, the
 * actions, the problem.
 */
function turnPlaceholders(
  observation: Observation,
  problem: string,
  { isImageOnly, actionLines }: TurnWording,
): Record<string, string> {
  const values: Record<string, string> = {};
  const texts: string[] = [];
  for (const { id, lines, isPictured } of observation.sections) {
    if (isImageOnly && isPictured === true) continue;
    const text = lines.join('\n');
    values[id] = text;
    if (text !== '') texts.push(text);
  }
  values['turn'] = String(observation.turn);
  values['sections'] = texts.join('\n');
  values['actions'] = actionLines.join('\n');
  values['problem'] = problem;
  return values;
}
