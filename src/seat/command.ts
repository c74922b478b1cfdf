/** Commands of a seat: an action with its arguments, from buttons, clicks, keys and typed lines. */
import type { ActionForm, FormPart } from '../serve/gen/orchestrate/world/v1/world_pb.js';

export interface SeatCommand {
  action: string;
  args: Readonly<Record<string, string | bigint>>;
  /** The command as text. */
  words: string;
}

/** For the wire. */
export function callOf({ action, args }: Pick<SeatCommand, 'action' | 'args'>) {
  const values = Object.entries(args).map(([slot, value]) => [
    slot,
    typeof value === 'bigint'
      ? { value: { case: 'number' as const, value } }
      : { value: { case: 'text' as const, value } },
  ]);
  return { action, args: Object.fromEntries(values) };
}

/** The parts to be filled in: all except the fixed words. */
export function slotsOf({ parts }: ActionForm): readonly FormPart[] {
  return parts.filter(({ word, slot }) => slot !== '' && word === '');
}

/** The form with its slots filled, in their order. */
export function fillForm(form: ActionForm, values: readonly (string | bigint)[]): SeatCommand {
  const fixed = form.parts.flatMap(({ slot, word }) =>
    slot !== '' && word !== '' ? [[slot, word] as const] : [],
  );
  const filledSlots = slotsOf(form).map(({ slot }, i) => [slot, values[i] ?? ''] as const);
  const args = Object.fromEntries([...fixed, ...filledSlots]);
  return { action: form.action, args, words: wordsOfForm(form, values) };
}

/** The form as text, with its slots filled. */
export function wordsOfForm(form: ActionForm, values: readonly (string | bigint)[]): string {
  let next = 0;
  const words = form.parts.map(({ word }) => (word === '' ? String(values[next++] ?? '') : word));
  return [form.action, ...words].join(' ').trim();
}

/** Whether the form is one slot of free text and nothing else, as speech is. */
export function isSaying(form: ActionForm): boolean {
  const [first, ...others] = form.parts;
  return first !== undefined && others.length === 0 && isText(first);
}

export function isText({ slot, word, values, range }: FormPart): boolean {
  return slot !== '' && word === '' && values.length === 0 && range === undefined;
}
