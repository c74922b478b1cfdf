/** The scripted controller's manners: it waits for a word where things look alike, heeds warnings, and learns from its notebook. */
import { FREE_FORM } from '../../../../src/model/chat.js';
import { describe, expect, it } from 'vitest';
import { isRecommended } from '../../../../src/worlds/grid/player/lookalikes.js';
import { closeNotebook, openNotebook } from '../../../../src/worlds/grid/player/notebook.js';
import type { ScriptedSituation } from '../../../../src/worlds/grid/player/situation.js';
import { scriptedController } from '../../../../src/worlds/scripted-controller.js';
import { at } from '../../../../src/base/assert.js';
import type { Json } from '../../../../src/base/json.js';
import type { Observation } from '../../../../src/environment/observation.js';
import { corridor } from '../../../orchestrator/two-agents.js';
import { partsFor } from '../../../support/play.js';
import { MemorySink } from '../../../../src/trajectory/memory-sink.js';

const lever = (colour: string) => ({ id: `${colour}-lever`, name: `${colour} lever` });

/** Whether it would touch the red one of some levers, after these sentences. */
function advised(colours: readonly string[], ...sentences: readonly string[]): boolean {
  const facts = { things: colours.map(lever), remembered: [], self: { holds: [] } };
  return isRecommended({ facts, sentences } as unknown as ScriptedSituation, lever('red'));
}

describe('advice', () => {
  it('is not needed for one or two of a kind', () => {
    expect(advised(['red'])).toBe(true);
    expect(advised(['red', 'blue'])).toBe(true);
  });

  it('is waited for among three alike, until a sentence tells the right one apart', () => {
    const three = ['red', 'blue', 'green'];
    expect(advised(three)).toBe(false);
    expect(advised(three, 'Pull a lever to leave.')).toBe(false);
    expect(advised(three, 'The blue lever opens the gate.')).toBe(false);
    expect(advised(three, 'The RED lever opens the gate.')).toBe(true);
  });

  it.each([
    'Never pull the red lever.',
    'The red one is a trap.',
    "Don't touch red.",
    'Whoever pulls red is dead.',
  ])('against a thing is heeded, whatever else was said: %s', (warning) => {
    expect(advised(['red', 'blue', 'green'], warning, 'The red lever opens the gate.')).toBe(false);
  });

  it('is read clause by clause', () => {
    const said = 'The blue lever is a trap, but the red lever opens the gate; never pull the green one.';
    expect(advised(['red', 'blue', 'green'], said)).toBe(true);
  });
});

describe('the notebook', () => {
  it.each([null, 'text', 7, [], {}])('of a stranger is a new one: %j', (memory) => {
    expect(openNotebook(memory)).toMatchObject({ failed: {}, read: [], told: {}, last: null });
  });

  it('survives the log', () => {
    const notebook = { ...openNotebook(null), read: ['sign'], worn: { hall: 2 } };
    const stored: Json = JSON.parse(JSON.stringify(closeNotebook(notebook)));
    expect(openNotebook(stored)).toEqual(notebook);
  });

  it('keeps it from saying in one turn what was refused in that turn', async () => {
    const { environment } = await partsFor(corridor(), new MemorySink());
    const observation: Observation = environment.observe(environment.create('1'), 'ann');
    const controller = scriptedController();
    const signal = new AbortController().signal;
    const commands: string[] = [];
    let memory: Json = null;
    for (let attempt = 1; attempt <= 4; attempt++) {
      const input = {
        agent: 'ann',
        turn: observation.turn,
        attempt,
        observation,
        messages: [],
        form: FREE_FORM,
        memory,
      };
      const decision = await controller.decide(input, signal);
      commands.push(at(decision.reply.content.split('ACTION: '), 1));
      ({ memory } = decision);
    }
    const refused = commands.filter((command) => command !== 'WAIT');
    expect(new Set(refused).size).toBe(refused.length);
    expect(refused.length).toBeGreaterThan(1);
  });
});
