/** The journal, newest line last, as a list that scrolls to its end. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { JournalLine } from './state.js';

export function Journal({ lines }: { lines: readonly JournalLine[] }) {
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    if (list.current !== null) list.current.scrollTop = list.current.scrollHeight;
  }, [lines]);
  if (lines.length === 0) return null;
  return (
    <section aria-label="What happened">
      <h3>What happened</h3>
      <ol class="journal" ref={list} tabIndex={0}>
        {lines.map((line, i) => (
          <li key={i} class={line.kind}>
            <span class="number">{line.tick}</span>
            <span>
              {line.speaker !== '' && <cite>{line.speaker}: </cite>}
              {line.kind === 'own' ? `You: ${line.text}` : line.text}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
