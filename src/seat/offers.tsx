/**
 * The possible actions, as buttons: one for each form that needs at most one choice, and a small form for the
 * others.
 */
import { useState } from 'preact/hooks';
import type { ActionForm, FormPart } from '../serve/gen/orchestrate/world/v1/world_pb.js';
import { fillForm, isSaying, isText, slotsOf, wordsOfForm } from './command.js';
import type { SeatStore } from './seat-store.js';
import { isTileForm } from './walking.js';

/** If one form would have more buttons than this, it becomes a list to choose from. */
const BUTTONS = 10;

interface OffersProps {
  store: SeatStore;
  forms: readonly ActionForm[];
  isAsked: boolean;
}

export function Offers({ store, forms, isAsked }: OffersProps) {
  const shown = forms.filter((form) => !isSaying(form) && !isTileForm(form));
  const actions = [...new Set(shown.map(({ action }) => action))].toSorted((a, b) => rank(a) - rank(b));
  return (
    <section class="offers" aria-label="Actions">
      {actions.map((action) => (
        <div key={action} class="offer" role="group" aria-label={action}>
          {shown
            .filter((form) => form.action === action)
            .map((form) => (
              <Offer key={keyOf(form)} form={form} store={store} isAsked={isAsked} />
            ))}
        </div>
      ))}
    </section>
  );
}

/** Actions that end the turn without an effect come last, followed by those that end the game for good. */
function rank(action: string): number {
  return ['WAIT', 'DONE'].indexOf(action);
}

/** A form that is still offered keeps its chosen values. */
function keyOf({ action, parts }: ActionForm): string {
  return [action, ...parts.map(({ word, slot, values }) => `${word}|${slot}|${values.join()}`)].join(' ');
}

interface OfferProps {
  form: ActionForm;
  store: SeatStore;
  isAsked: boolean;
}

function Offer({ form, store, isAsked }: OfferProps) {
  const slots = slotsOf(form);
  const [slot] = slots;
  const press = (values: readonly (string | bigint)[]) => (
    <button
      key={values.join()}
      type="button"
      aria-disabled={!isAsked}
      onClick={() => void store.act(fillForm(form, values))}
    >
      {wordsOfForm(form, values)}
    </button>
  );
  if (slot === undefined) return press([]);
  if (slots.length === 1 && slot.values.length > 0 && slot.values.length <= BUTTONS)
    return <>{slot.values.map((value) => press([value]))}</>;
  return <OfferForm form={form} store={store} isAsked={isAsked} />;
}

function OfferForm({ form, store, isAsked }: OfferProps) {
  const slots = slotsOf(form);
  const [entered, setEntered] = useState<Readonly<Record<string, string>>>({});
  const valueOf = (part: FormPart): string =>
    entered[part.slot] ?? part.values[0] ?? (part.range === undefined ? '' : String(part.range.least));
  const values = slots.map((part) =>
    part.range === undefined ? valueOf(part) : BigInt(Number.parseInt(valueOf(part), 10) || 0),
  );
  return (
    <form
      class="offer-form"
      onSubmit={(event) => {
        event.preventDefault();
        void store.act(fillForm(form, values));
      }}
    >
      <span>{form.action}</span>
      {form.parts.map((part) =>
        part.word === '' ? (
          <Field
            key={part.slot}
            part={part}
            value={valueOf(part)}
            onChange={(value) => setEntered({ ...entered, [part.slot]: value })}
          />
        ) : (
          <span key={part.word}>{part.word}</span>
        ),
      )}
      <button aria-disabled={!isAsked}>Do it</button>
    </form>
  );
}

interface FieldProps {
  part: FormPart;
  value: string;
  onChange: (value: string) => void;
}

function Field({ part, value, onChange }: FieldProps) {
  const { slot, values, range } = part;
  if (values.length > 0)
    return (
      <select aria-label={slot} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {values.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    );
  return (
    <input
      aria-label={slot}
      type={isText(part) ? 'text' : 'number'}
      {...(range === undefined ? {} : { min: String(range.least), max: String(range.most) })}
      value={value}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  );
}
