/** NOTE laid over a world: those who keep notes have it, others don't, and the world does not change. */
import { describe, expect, it } from 'vitest';
import { NOTE, withNotes } from '../../src/environment/notes.js';
import { LIMITS } from '../../src/base/limits.js';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import { corridor } from '../orchestrator/two-agents.js';
import { partsFor } from '../support/play.js';

const { environment: bare } = await partsFor(corridor(), new MemorySink());
const environment = withNotes(bare, ['ann']);
const state = environment.create('1');
const note = { agent: 'ann', action: NOTE, args: { text: 'the door is red' } };

describe('NOTE', () => {
  it('is offered to those who keep notes, among their other actions', () => {
    for (const agent of ['ann', 'bob']) {
      const expected = agent === 'ann';
      const offered = environment.legalActions(state, agent).map(({ action }) => action);
      const observation = environment.observe(state, agent);
      expect(environment.scope(agent).includes(NOTE)).toBe(expected);
      expect(offered.includes(NOTE)).toBe(expected);
      expect(offered).toEqual([...offered].sort());
      expect(observation.offered.some(({ action }) => action === NOTE)).toBe(expected);
      expect(observation.scope.includes(NOTE)).toBe(expected);
    }
  });

  it('leaves the world as it is', () => {
    const advance = environment.advance(state, [note]);
    expect(advance.state).toBe(state);
    expect(advance.results).toEqual([{ ok: true, message: 'You wrote it down.', path: null }]);
    expect(advance.events).toEqual([]);
  });

  it('is refused for others', () => {
    expect(environment.check(state, note)).toBeUndefined();
    expect(environment.check(state, { ...note, agent: 'bob' })).toMatchObject({ code: 'not-offered' });
  });

  it('takes no more text than a note holds', () => {
    const grammar = environment.actions.get('note')?.grammar;
    expect(grammar).toMatchObject({ kind: 'text', charactersMax: LIMITS.noteCharacters });
  });

  it('adds nothing where nobody keeps notes', () => {
    expect(withNotes(bare, [])).toBe(bare);
    expect(withNotes(environment, ['bob'])).toBe(environment);
  });
});
