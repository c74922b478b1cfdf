/**
 * Guided forms: the set of answers that a server may restrict its model to, for the current offers and the
 * names that this agent may use. A form is a regular expression, a GBNF grammar and, if the answer is an
 * object, a JSON Schema. Each allows a thought before the answer, which can't contain an answer itself
 * because it has no colon and no bracket. Every reply in a form is parsed as an offered action.
 */
import { assertNever } from '../base/assert.js';
import type { JsonObject } from '../base/json.js';
import { lookUp } from '../base/look-up.js';
import { breakControlTokens, oneLine } from '../base/text.js';
import type { Grammar, Slot } from '../environment/grammar.js';
import { slotsOf } from '../environment/grammar.js';
import type { OfferedAction } from '../environment/observation.js';
import { CARDINALS, DIRECTIONS } from '../environment/space.js';
import type { GuidedForm, RequestForm } from '../model/chat.js';
import { anyName, spokenText, thought, thoughtText } from './guided-words.js';
import type { GrammarLeaf, SlotChoices } from './layouts.js';
import { jsonString } from './object-help.js';
import type { FilledForm } from './offered-forms.js';
import { formsNow, grammarNow } from './offered-forms.js';
import type { Pattern } from './pattern.js';
import { gbnfOf, inOrder, literal, oneOf, regexOf, wholeNumbers } from './pattern.js';
import type { AnswerStyle } from './reply-form.js';
import { formSchema, offeredSchema } from './schema.js';
import type { Vocabulary, VocabularyAction } from './vocabulary.js';

/** `ACTION: …` after a thought; null if nothing is offered. */
export function guidedCommand(
  vocabulary: Vocabulary,
  offered: readonly OfferedAction[],
  style: AnswerStyle,
): GuidedForm | null {
  const commands = fillableForms(vocabulary, offered, true).map(({ action, leaves, choices }) =>
    inOrder(literal(action.name), ...leaves.map((leaf) => inOrder(literal(' '), commandLeaf(leaf, choices)))),
  );
  return formOf(oneOf(commands), (answer) => inOrder(...thoughtIn(style), literal('ACTION: '), answer));
}

/** One object after a thought; the schema has the thought within the object. */
export function guidedJson(
  vocabulary: Vocabulary,
  offered: readonly OfferedAction[],
  style: AnswerStyle,
): GuidedForm | null {
  const forms = fillableForms(vocabulary, offered, false);
  const objects = forms.map((form) =>
    inOrder(
      literal(`{"name": ${jsonString(form.action.name)}, "parameters": `),
      objectPattern(form),
      literal('}'),
    ),
  );
  const guided = formOf(oneOf(objects), (answer) => inOrder(...thoughtIn(style), answer));
  return guided === null ? null : { ...guided, schema: answerSchema(forms, style) };
}

function thoughtIn({ reasoning }: AnswerStyle): readonly Pattern[] {
  return reasoning ? [thought('')] : [];
}

/** A block of Thought, Action and Action Input. */
export function guidedReact(vocabulary: Vocabulary, offered: readonly OfferedAction[]): GuidedForm | null {
  const blocks = fillableForms(vocabulary, offered, false).map((form) =>
    inOrder(literal(`${form.action.name}\nAction Input: `), objectPattern(form)),
  );
  return formOf(oneOf(blocks), (answer) => inOrder(thought('Thought: '), literal('Action: '), answer));
}

function formOf(answer: Pattern | null, wrap: (answer: Pattern) => Pattern): GuidedForm | null {
  if (answer === null) return null;
  const pattern = wrap(answer);
  return { regex: regexOf(pattern), gbnf: gbnfOf(pattern), schema: null };
}

interface ActionForm extends FilledForm {
  action: VocabularyAction;
}

/** Every form of every offered action that can be filled now. */
function fillableForms(
  vocabulary: Vocabulary,
  offered: readonly OfferedAction[],
  keepWords: boolean,
): readonly ActionForm[] {
  return offered.flatMap((offer) => {
    const action = vocabulary.find((one) => one.name === offer.action);
    if (action === undefined) return [];
    return formsNow(action.grammar, offer, keepWords).map((form) => ({ ...form, action }));
  });
}

function commandLeaf(leaf: GrammarLeaf, choices: SlotChoices): Pattern {
  switch (leaf.kind) {
    case 'word':
      return literal(leaf.word.toUpperCase());
    case 'integer':
      return wholeNumbers(leaf.min, leaf.max);
    case 'text':
      return inOrder(literal('"'), spokenText(leaf.charactersMax), literal('"'));
    case 'direction':
    case 'name':
      return oneOf(namesOf(leaf, choices).map(literal)) ?? anyName();
    default:
      return assertNever(leaf, 'leaf of a grammar');
  }
}

/**
 * The values that would be accepted now, as prompts show them; empty for a name that the world does not list.
 */
function namesOf(
  leaf: Extract<Slot, { kind: 'direction' | 'name' }>,
  choices: SlotChoices,
): readonly string[] {
  const values = lookUp(choices, leaf.slot);
  if (values !== undefined) return values.map((name) => breakControlTokens(oneLine(name)));
  if (leaf.kind === 'name') return [];
  return leaf.diagonals ? DIRECTIONS : CARDINALS;
}

/** `{"thing": "brass key"}` with the slots in their order. */
function objectPattern({ action, leaves, choices }: ActionForm): Pattern {
  const fields = orderedSlots(action.grammar, leaves).map((slot, index) =>
    inOrder(literal(`${index === 0 ? '' : ', '}${jsonString(slot.slot)}: `), jsonLeaf(slot, choices)),
  );
  return inOrder(literal('{'), ...fields, literal('}'));
}

function jsonLeaf(slot: Slot, choices: SlotChoices): Pattern {
  if (slot.kind === 'integer') return wholeNumbers(slot.min, slot.max);
  if (slot.kind === 'word') return literal(jsonString(slot.word));
  const quotedPattern = (inner: Pattern): Pattern => inOrder(literal('"'), inner, literal('"'));
  if (slot.kind === 'text') return quotedPattern(spokenText(slot.charactersMax));
  return oneOf(namesOf(slot, choices).map((name) => literal(jsonString(name)))) ?? quotedPattern(anyName());
}

function orderedSlots(grammar: Grammar | null, leaves: readonly GrammarLeaf[]): readonly Slot[] {
  const slots = leaves.filter((leaf): leaf is Slot => leaf.slot !== undefined);
  const order = (grammar === null ? [] : slotsOf(grammar)).map(({ slot }) => slot.slot);
  return order.flatMap((name) => slots.find((slot) => slot.slot === name) ?? []);
}

/** One of the answers, after an optional thought. */
function answerSchema(forms: readonly ActionForm[], { reasoning }: AnswerStyle): JsonObject {
  const thoughtProperty = reasoning ? { thought: { type: 'string', pattern: thoughtText() } } : {};
  const answers = forms.map(({ action, leaves, choices }) => ({
    type: 'object',
    properties: {
      ...thoughtProperty,
      name: { type: 'string', enum: [action.name] },
      parameters: formSchema(orderedSlots(action.grammar, leaves), choices),
    },
    required: [...Object.keys(thoughtProperty), 'name', 'parameters'],
    additionalProperties: false,
  }));
  return { anyOf: distinct(answers) };
}

/**
 * The parameters of an offered tool for a server that enforces them: each valid combination separately,
 * because a plain schema can't express which slots go together. The properties are also listed for templates
 * that use them.
 */
export function guidedParameters(vocabulary: Vocabulary, offer: OfferedAction): JsonObject {
  const forms = fillableForms(vocabulary, [offer], false);
  const grammar = forms[0]?.action.grammar ?? null;
  const schemas = forms.map(({ leaves, choices }) => formSchema(orderedSlots(grammar, leaves), choices));
  const alternatives = distinct(schemas);
  const [only] = alternatives;
  if (only !== undefined && alternatives.length === 1) return only;
  return { ...offeredSchema(grammarNow(grammar, offer), offer.slots), anyOf: alternatives };
}

function distinct(schemas: readonly JsonObject[]): readonly JsonObject[] {
  const texts = schemas.map((schema) => JSON.stringify(schema));
  return schemas.filter((_, index) => texts.indexOf(texts[index] ?? '') === index);
}

/** A form without tools whose guided part is computed on demand, because most requests send none. */
export function guidedBy(make: () => GuidedForm | null): RequestForm {
  return new GuidedRequest(make);
}

/** A class for its getter: a getter in a literal is recreated, slowly, for every request. */
class GuidedRequest implements RequestForm {
  readonly tools = [];
  readonly #make: () => GuidedForm | null;
  #guided: GuidedForm | null | undefined;

  constructor(make: () => GuidedForm | null) {
    this.#make = make;
  }

  get guided(): GuidedForm | null {
    this.#guided = this.#guided === undefined ? this.#make() : this.#guided;
    return this.#guided;
  }
}
