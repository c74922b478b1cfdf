/** The list of seats: who controls which entity, and which are free to take. */
import { useState } from 'preact/hooks';
import { Control } from '../serve/gen/orchestrate/world/v1/world_pb.js';
import type { Entity } from '../serve/gen/orchestrate/world/v1/world_pb.js';
import type { SeatProps } from './seat-store.js';
import { isOver, stateText } from './state.js';

/** Why the world can't be reached, or why the seat was lost. */
export function Notice({ text }: { text: string }) {
  if (text === '') return null;
  return (
    <p class="outcome bad" role="alert">
      {text}
    </p>
  );
}

export function Lobby({ store, state }: SeatProps) {
  const { entities, notice, isLocked, world, end } = state;
  const [name, setName] = useState(state.name);
  const isEnded = world !== null && isOver(world.state);
  return (
    <main class="pause">
      <h2>Take a seat</h2>
      <Notice text={notice} />
      {isLocked && <TokenField onEnter={(token) => store.enter(token)} />}
      {isEnded && (
        <p>
          The run {stateText(world.state)}. {end?.reason ?? world.reason}
        </p>
      )}
      <label class="field">
        <span>Your name, for this list and the log</span>
        <input
          type="text"
          value={name}
          maxLength={60}
          placeholder="person"
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <ul class="seats">
        {entities.map((entity) => (
          <li key={entity.entity}>
            <div>
              <strong>{entity.displayName}</strong>
              <span class="quiet"> {controlText(entity)}</span>
            </div>
            <button
              type="button"
              class="main"
              aria-label={`Take ${entity.displayName}`}
              disabled={entity.control !== Control.FREE || isEnded}
              onClick={() => void store.take(entity.entity, plainName(name))}
            >
              Take
            </button>
          </li>
        ))}
      </ul>
    </main>
  );
}

/** A name is one line. */
function plainName(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ').trim();
}

function controlText({ control, controller, tags }: Entity): string {
  const tagText = tags.length === 0 ? '' : ` · ${tags.join(', ')}`;
  if (control === Control.HELD) return `played by ${controller}${tagText}`;
  if (control === Control.SERVER) return `played by the server${tagText}`;
  if (control === Control.OUT) return `out of play${tagText}`;
  return `free${tagText}`;
}

function TokenField({ onEnter }: { onEnter: (token: string) => void }) {
  const [token, setToken] = useState('');
  return (
    <form
      class="field row"
      onSubmit={(event) => {
        event.preventDefault();
        onEnter(token.trim());
      }}
    >
      <input
        type="password"
        aria-label="Token"
        placeholder="Token"
        autocomplete="off"
        value={token}
        onInput={(event) => setToken(event.currentTarget.value)}
      />
      <button class="main">Enter</button>
    </form>
  );
}
