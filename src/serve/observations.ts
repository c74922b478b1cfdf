/**
 * What an entity perceives, as API messages: the requested parts of one observation of the loop. It adds
 * nothing to the observation, so what is hidden from an agent is hidden from its controller.
 */
import type { MessageInitShape } from '@bufbuild/protobuf';
import { lookUp } from '../base/look-up.js';
import type { ControllerInput } from '../agent/controller.js';
import type { ActionRegistry } from '../environment/action.js';
import type { Observation as Perceived } from '../environment/observation.js';
import type { SeenEventFact, SpatialFacts } from '../environment/spatial-facts.js';
import type { Message } from '../model/chat.js';
import { formsNow } from '../forms/offered-forms.js';
import type { FilledForm } from '../forms/offered-forms.js';
import { Part } from './gen/orchestrate/world/v1/world_pb.js';
import type { ObservationSchema } from './gen/orchestrate/world/v1/world_pb.js';
import { wireDuration } from './durations.js';

export interface ObservationContext {
  run: string;
  epoch: number;
  timeLeftMs: number;
  skippedTicks: number;
  protocol: string;
  /** The prompt's first text for a person. */
  briefing: string;
  /** Whether the facts are those of a world with space. */
  isSpatial: boolean;
  frame: FrameGeometry;
  actions: ActionRegistry<unknown>;
  /** Empty: facts, offers and events. */
  parts: readonly Part[];
}

/** The position of a frame's tiles, in its pixels. */
export interface FrameGeometry {
  tilePixels: number;
  /** The margin at the top and the left. */
  marginPixels: number;
}

const DEFAULT_PARTS = [Part.FACTS, Part.OFFERS, Part.EVENTS];

/** The data of the message. */
export type ObservationInit = MessageInitShape<typeof ObservationSchema>;

export function observationInit(input: ControllerInput, context: ObservationContext): ObservationInit {
  const { observation, messages } = input;
  const requestedParts = context.parts.length === 0 ? DEFAULT_PARTS : context.parts;
  const has = (part: Part): boolean => requestedParts.includes(part);
  const facts = context.isSpatial ? (observation.facts as unknown as SpatialFacts) : null;
  return {
    run: context.run,
    tick: BigInt(observation.turn),
    entity: observation.agent,
    epoch: BigInt(context.epoch),
    attempt: input.attempt,
    timeLeft: wireDuration(context.timeLeftMs),
    skippedTicks: BigInt(context.skippedTicks),
    ...(has(Part.FACTS) && facts !== null ? { facts: factsInit(facts) } : {}),
    ...(has(Part.OFFERS)
      ? {
          offers: observation.offered.map(({ action, slots }) => ({
            action,
            choices: Object.entries(slots).map(([slot, values]) => ({ slot, values: [...values] })),
          })),
        }
      : {}),
    ...(has(Part.EVENTS) && facts !== null ? { events: eventsInit(facts) } : {}),
    ...(has(Part.TEXT)
      ? { text: observation.sections.map(({ id, lines }) => ({ section: id, lines: [...lines] })) }
      : {}),
    ...(has(Part.FRAME) ? frameInit(messages, context.frame) : {}),
    ...(has(Part.FORMS) ? { forms: formsInit(observation, context.actions) } : {}),
    ...(has(Part.PROMPT) ? { prompt: promptInit(input, context) } : {}),
    ...(has(Part.FACTS_JSON) ? { factsJson: JSON.stringify(observation.facts) } : {}),
  };
}

function factsInit(facts: SpatialFacts) {
  const { self, window, bodies, things, doors, exits, last, lastOk } = facts;
  return {
    self: {
      position: { x: self.x, y: self.y },
      facing: self.facing,
      status: self.status,
      room: self.room ?? '',
      holds: self.holds.map(({ id, name, amount }) => ({ item: id, name, quantity: BigInt(amount) })),
      carryMax: self.carryMax,
    },
    window: {
      origin: { x: window.x, y: window.y },
      rows: [...window.rows],
      ground: [...window.ground],
      terrain: Object.entries(window.terrain).map(([key, kind]) => ({ key, ...kind })),
      sight: [...window.sight],
    },
    bodies: bodies.map(({ id, name, kind, facing, status, x, y, distance }) => ({
      entity: id,
      name,
      type: kind,
      position: { x, y },
      facing,
      status,
      distance,
    })),
    things: things.map(({ id, name, amount, lid, x, y, distance }) => ({
      object: id,
      name,
      quantity: BigInt(amount),
      lid: lid ?? '',
      position: { x, y },
      distance,
    })),
    doors: doors.map(({ id, name, state, x, y, distance }) => ({
      door: id,
      name,
      state,
      position: { x, y },
      distance,
    })),
    exits: exits.map(({ door, side, state, visible, x, y, distance }) => ({
      door,
      side,
      state,
      isVisible: visible,
      position: { x, y },
      distance,
    })),
    last,
    lastOk,
  };
}

function eventsInit({ heard, noticed, seen, turn }: SpatialFacts) {
  const heardEvents = heard.map(({ speaker, name, channel, text, turn: tick, distance }) => ({
    tick: BigInt(tick),
    event: { case: 'heard' as const, value: { speaker, name, channel, text, distance } },
  }));
  const noticedEvents = noticed.map((line) => ({
    tick: BigInt(turn - 1),
    event: { case: 'noticed' as const, value: { line } },
  }));
  return [...heardEvents, ...seen.map(seenInit), ...noticedEvents];
}

function seenInit(event: SeenEventFact) {
  const tick = BigInt(event.turn);
  if (event.kind === 'acted') {
    const { actor, act, target, receiver } = event;
    const value = { actor: actor ?? '', act, target: target ?? '', receiver: receiver ?? '' };
    return { tick, event: { case: 'acted' as const, value } };
  }
  const { kind, actor, path } = event;
  return { tick, event: { case: kind, value: { actor, path: path.map(({ x, y }) => ({ x, y })) } } };
}

/** A number without its own range has that of its grammar. */
function formsInit({ offered }: Perceived, actions: ObservationContext['actions']) {
  return offered.flatMap((offer) => {
    const grammar = actions.get(offer.action)?.grammar ?? null;
    return formsNow(grammar, offer, true).map((form) => ({
      action: offer.action,
      parts: form.leaves.map((leaf) => partOf(leaf, form)),
    }));
  });
}

function partOf(leaf: FilledForm['leaves'][number], { choices }: FilledForm) {
  const slot = leaf.slot ?? '';
  if (leaf.kind === 'word') return { word: leaf.word, slot };
  if (leaf.kind === 'integer') return { slot, range: { least: BigInt(leaf.min), most: BigInt(leaf.max) } };
  return { slot, values: leaf.kind === 'text' ? [] : [...(lookUp(choices, slot) ?? [])] };
}

/** The current picture: the last one of the last message. */
function frameInit(messages: readonly Message[], geometry: FrameGeometry) {
  const images = (messages.at(-1)?.parts ?? []).filter((part) => part.kind === 'image');
  const image = images.at(-1);
  return image === undefined ? {} : { frame: { png: image.png, hash: image.frameHash, ...geometry } };
}

function promptInit(
  { messages, form: { tools, guided, samplingSeed } }: ControllerInput,
  { protocol, briefing }: ObservationContext,
) {
  return {
    protocol,
    briefing,
    messages: messages.map(({ role, parts }) => ({
      role,
      parts: parts.map((part) =>
        part.kind === 'text'
          ? { part: { case: 'text' as const, value: part.text } }
          : { part: { case: 'frame' as const, value: { png: part.png, hash: part.frameHash } } },
      ),
    })),
    toolsJson: tools.length === 0 ? '' : JSON.stringify(tools),
    ...(guided === null
      ? {}
      : {
          guidedRegex: guided.regex,
          guidedGbnf: guided.gbnf,
          guidedSchemaJson: guided.schema === null ? '' : JSON.stringify(guided.schema),
        }),
    samplingSeed: BigInt(samplingSeed ?? 0),
  };
}
