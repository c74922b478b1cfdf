/** The observation of one robot: text, facts, nouns, offered actions and scene, all made from its one view (`view.ts`). It only reads. */
import type { Observation, Section } from '../../environment/observation.js';
import { factsOf } from './facts.js';
import { nounsOf } from './nouns.js';
import { legalActions, scopeOf } from './offers.js';
import type { WorkcellRegistry } from './registry.js';
import { sceneOf } from './scene.js';
import { SECTIONS } from './sections.js';
import type { WorkcellMindState, WorkcellState } from './state.js';
import { holdLines, placeLines, seeLines, shelfLines } from './text.js';
import type { RobotView } from './view.js';
import { viewOf } from './view.js';
import { heardByAll, proseText } from './wording.js';
import type { Workcell } from './world.js';

export function observe(
  world: Workcell,
  state: WorkcellState,
  agent: string,
  actions: WorkcellRegistry,
): Observation {
  const view = viewOf(world, state, agent);
  return {
    agent,
    turn: state.turn,
    sections: sections(view),
    scope: scopeOf(world, actions, agent),
    offered: legalActions(world, state, agent, actions),
    nouns: nounsOf(world, view),
    facts: factsOf(world, state, view),
    scene: sceneOf(world, state, agent),
  };
}

function sections(view: RobotView): readonly Section[] {
  const { mind } = view;
  const lines: Readonly<Record<(typeof SECTIONS)[number]['id'], readonly string[]>> = {
    place: placeLines(view),
    see: seeLines(view),
    shelf: shelfLines(view),
    hold: holdLines(view),
    heard: heard(mind),
    noticed: noticed(mind),
    last: mind.last === '' ? [] : [proseText(mind.last)],
  };
  return SECTIONS.map((section) => ({ ...section, lines: lines[section.id] })).filter(
    (section) => section.lines.length > 0,
  );
}

function heard({ inbox }: WorkcellMindState): readonly string[] {
  return inbox.flatMap((item) => (item.kind === 'heard' ? [heardByAll(item)] : []));
}

function noticed({ inbox }: WorkcellMindState): readonly string[] {
  return inbox.flatMap((item) => (item.kind === 'noticed' ? [item.line] : []));
}
