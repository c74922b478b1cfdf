/**
 * Typed lines: speech, and commands, which are parsed while they are typed, so that a mistake costs no
 * attempt.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { fillForm, isSaying } from './command.js';
import type { SeatProps, SeatStore } from './seat-store.js';

/** The pause after typing before a line is parsed. */
const READ_MS = 150;

export function SayLine({ store, state: { observation, isAsked } }: SeatProps) {
  const [text, setText] = useState('');
  // Speech comes first: the Enter key says it.
  const speechForms = (observation?.forms ?? [])
    .filter(isSaying)
    .toSorted((a, b) => Number(b.action === 'SPEAK') - Number(a.action === 'SPEAK'));
  if (speechForms.length === 0) return null;
  const say = (form: (typeof speechForms)[number] | undefined): void => {
    const message = text.trim();
    if (form === undefined || message === '' || !isAsked) return;
    void store.act(fillForm(form, [message]));
    setText('');
  };
  return (
    <form
      class="line"
      onSubmit={(event) => {
        event.preventDefault();
        say(speechForms[0]);
      }}
    >
      <input
        type="text"
        aria-label="Words to say"
        placeholder="Say something"
        maxLength={500}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      {speechForms.map((form, i) => (
        <button
          key={form.action}
          type={i === 0 ? 'submit' : 'button'}
          aria-disabled={!isAsked || text.trim() === ''}
          onClick={i === 0 ? undefined : () => say(form)}
        >
          {form.action}
        </button>
      ))}
    </form>
  );
}

interface LineReading {
  line: string;
  isGood: boolean;
  text: string;
}

export function CommandLine({ store, isAsked }: { store: SeatStore; isAsked: boolean }) {
  const [line, setLine] = useState('');
  const [reading, setReading] = useState<LineReading | null>(null);
  const newestLine = useRef('');
  newestLine.current = line;
  const read = async (): Promise<Awaited<ReturnType<SeatStore['read']>>> => {
    const result = await store.read(line);
    const isGood = 'command' in result;
    if (newestLine.current === line)
      setReading({ line, isGood, text: isGood ? 'Understood.' : result.fault });
    return result;
  };
  useEffect(() => {
    if (line.trim() === '') return undefined;
    const timer = setTimeout(() => void read(), READ_MS);
    return () => clearTimeout(timer);
  }, [line]);
  const submit = async (): Promise<void> => {
    if (line.trim() === '' || !isAsked) return;
    const result = await read();
    if (!('command' in result)) return;
    void store.act(result.command);
    setLine('');
    setReading(null);
  };
  const isShown = reading !== null && reading.line === line && line.trim() !== '';
  return (
    <form
      class="line"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <input
        type="text"
        aria-label="Command"
        aria-describedby="command-reading"
        aria-invalid={isShown && !reading.isGood}
        placeholder="Type a command, such as: go to …"
        autocomplete="off"
        spellcheck={false}
        maxLength={1000}
        value={line}
        onInput={(event) => setLine(event.currentTarget.value)}
      />
      <button aria-disabled={!isAsked || line.trim() === ''}>Do it</button>
      <p id="command-reading" class={isShown && reading.isGood ? 'reading good' : 'reading bad'}>
        {isShown ? reading.text : ''}
      </p>
    </form>
  );
}
