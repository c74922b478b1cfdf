/**
 * A controller that takes a random offered action, drawn from a seed: a baseline, and a way to stress the
 * rules. It writes its choice as a command, which goes through the same parser as any reply. Its memory is
 * its random stream.
 */
import { lookUp } from '../../base/look-up.js';
import { nextBelow, pick, stream } from '../../base/rng.js';
import type { RandomDraw, RngState } from '../../base/rng.js';
import type { Json } from '../../base/json.js';
import type { Grammar } from '../../environment/grammar.js';
import type { OfferedAction } from '../../environment/observation.js';
import { WAIT } from '../../environment/action.js';
import type { Vocabulary } from '../../forms/vocabulary.js';
import { predictable } from '../controller.js';
import type { Controller } from '../controller.js';
import { embeddedReply } from './embedded-reply.js';

/** What a random agent says if no words count. */
const PHRASES = ['Hello.', 'I am here.', 'What do you see?', 'Follow me.'];

/**
 * Only so many of the smallest numbers are tried, because a range usually extends far beyond the amounts that
 * exist.
 */
const INTEGERS_TRIED = 3;

type OfferSlots = OfferedAction['slots'];

/**
 * A controller that takes one of the offered actions, chosen at random from the seed and the agent's id. It
 * answers in the protocol `command`. `words` are texts that count in this world; if there are any, it says one
 * of them where an action takes a text. DONE is one of its actions only if `mayLeave`.
 */
export function randomController(
  seed: string,
  agent: string,
  vocabulary: Vocabulary,
  { words = [], mayLeave = false }: { words?: readonly string[]; mayLeave?: boolean } = {},
): Controller {
  const actions = vocabulary.filter(({ name }) => mayLeave || name !== 'DONE');
  return predictable('random', ({ observation, memory }) => {
    const start = isRngState(memory) ? memory : stream(seed, `controller:${agent}`);
    const { value, state } = drawCommand(
      start,
      observation.offered,
      actions,
      words.length > 0 ? words : PHRASES,
    );
    return { reply: embeddedReply(`ACTION: ${value}`), memory: state };
  });
}

function isRngState(memory: Json): memory is RngState {
  return Array.isArray(memory) && memory.length === 4;
}

function drawCommand(
  start: RngState,
  offered: readonly OfferedAction[],
  vocabulary: Vocabulary,
  words: readonly string[],
): RandomDraw<string> {
  const candidates = offered
    .map(({ action, slots }) => ({
      verb: action,
      slots,
      spec: vocabulary.find(({ name }) => name === action),
    }))
    .filter(
      ({ spec, slots }) => spec !== undefined && (spec.grammar === null || canDraw(spec.grammar, slots)),
    );
  if (candidates.length === 0) return { value: WAIT, state: start };
  const { value: candidate, state } = pick(start, candidates);
  const grammar = candidate.spec?.grammar ?? null;
  if (grammar === null) return { value: candidate.verb, state };
  const argument = drawArgument(state, grammar, { slots: candidate.slots, words });
  return { value: `${candidate.verb} ${argument.value}`.trim(), state: argument.state };
}

function canDraw(grammar: Grammar, slots: OfferSlots): boolean {
  if (grammar.kind === 'name' || grammar.kind === 'direction')
    return (lookUp(slots, grammar.slot) ?? []).length > 0;
  if (grammar.kind === 'sequence') return grammar.parts.every((part) => canDraw(part, slots));
  if (grammar.kind === 'choice') return grammar.parts.some((part) => canDraw(part, slots));
  return true;
}

interface Choices {
  slots: OfferSlots;
  words: readonly string[];
}

function drawArgument(rng: RngState, grammar: Grammar, choices: Choices): RandomDraw<string> {
  const { slots, words } = choices;
  switch (grammar.kind) {
    case 'word':
      return { value: grammar.word, state: rng };
    case 'name':
    case 'direction':
      return pick(rng, lookUp(slots, grammar.slot) ?? []);
    case 'text': {
      const phrase = pick(rng, words);
      return { value: JSON.stringify(phrase.value), state: phrase.state };
    }
    case 'integer': {
      const draw = nextBelow(rng, Math.min(grammar.max - grammar.min + 1, INTEGERS_TRIED));
      return { value: String(grammar.min + draw.value), state: draw.state };
    }
    case 'sequence':
      return drawSequence(rng, grammar.parts, choices);
    case 'choice': {
      const part = pick(
        rng,
        grammar.parts.filter((option) => canDraw(option, slots)),
      );
      return drawArgument(part.state, part.value, choices);
    }
    case 'optional': {
      if (grammar.part.kind === 'integer') return { value: '', state: rng };
      const draw = nextBelow(rng, 2);
      if (draw.value === 0 || !canDraw(grammar.part, slots)) return { value: '', state: draw.state };
      return drawArgument(draw.state, grammar.part, choices);
    }
  }
}

function drawSequence(rng: RngState, parts: readonly Grammar[], choices: Choices): RandomDraw<string> {
  let state = rng;
  const words: string[] = [];
  for (const part of parts) {
    const draw = drawArgument(state, part, choices);
    state = draw.state;
    if (draw.value !== '') words.push(draw.value);
  }
  return { value: words.join(' '), state };
}
