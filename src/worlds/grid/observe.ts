/**
 * The observation of one agent: text, facts, nouns, offered actions and scene, all made from what it perceives
 * (`perception.ts`). It only reads. What it heard and noticed comes from the agent's inbox.
 */
import { known } from '../../base/assert.js';
import type { Observation, Section } from '../../environment/observation.js';
import { factsOf } from './facts.js';
import { offersOf, scopeOf } from './legal-actions.js';
import type { Perception } from './perception.js';
import { perceptionOf } from './perception.js';
import { sceneOf } from './scene.js';
import type { GridState, GridMindState } from './state.js';
import { doorStates, exitLines, holdLines, placeLines, seeLines } from './text.js';
import { SECTIONS } from './sections.js';
import { heardIn, nameText, proseText } from './wording.js';
import type { GridWorld } from './world.js';
import { mindOf } from './world.js';
import type { ActionRegistry } from '../../environment/action.js';

export function observe(
  world: GridWorld,
  state: GridState,
  agent: string,
  actions: ActionRegistry<GridState>,
): Observation {
  const perception = perceptionOf(world, state, agent);
  return {
    agent,
    turn: state.turn,
    sections: sections(world, state, perception),
    scope: scopeOf(world, actions, agent),
    offered: offersOf(world, state, perception, actions),
    nouns: perception.nouns,
    facts: factsOf(world, state, perception),
    scene: sceneOf(world, state, perception.view),
  };
}

function sections(world: GridWorld, state: GridState, told: Perception): readonly Section[] {
  const { view, label } = told;
  const mind = mindOf(state, view.self.id);
  const { rules } = world.definition;
  const isAsked = rules.observe === 'ask';
  const lines: Readonly<Record<(typeof SECTIONS)[number]['id'], readonly string[]>> = {
    place: isAsked ? placeLines(view).slice(0, 1) : placeLines(view),
    see: isAsked ? doorStates(view) : seeLines(view, label, { rules }),
    exits: isAsked ? [] : exits(world, told),
    hold: holdLines(view, label),
    heard: heard(world, mind),
    noticed: noticed(mind),
    last: mind.last === '' ? [] : [proseText(mind.last)],
  };
  return SECTIONS.filter(({ id }) => lines[id].length > 0).map((section) =>
    'isPictured' in section
      ? { id: section.id, isPictured: section.isPictured, lines: lines[section.id] }
      : { id: section.id, lines: lines[section.id] },
  );
}

function exits(world: GridWorld, { view, steps, label, exits: ways }: Perception): readonly string[] {
  return exitLines(view, ways, {
    label,
    roomName: (id) => nameText(known(world.rooms.get(id), `room ${id}`).name),
    steps: world.definition.rules.movement === 'tile' ? steps : null,
  });
}

function heard(world: GridWorld, { inbox }: GridMindState): readonly string[] {
  return inbox.flatMap((item) => (item.kind === 'heard' ? [heardIn(world.definition.rules, item)] : []));
}

function noticed({ inbox }: GridMindState): readonly string[] {
  return inbox.flatMap((item) => (item.kind === 'noticed' ? [item.line] : []));
}
