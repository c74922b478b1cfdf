/** A small situation for whoever decides: an agent in a room with a key, as a run would ask about it, picture and all. */
import type { ControllerInput } from '../agent/controller.js';
import { openScenario } from '../assembly/open.js';
import { framePainter } from '../assembly/painter.js';
import { scenarioFile } from '../scenario/folder.js';
import type { ScenarioSource } from '../scenario/folder.js';
import { seatsFor } from '../assembly/seats.js';
import { known } from '../base/assert.js';
import { systemDependencies } from '../model/dependencies.js';
import { frozen } from './check.js';
import { earOf } from './sayings.js';
import type { SpeechContext } from './sayings.js';

export const ROOM: ScenarioSource = {
  title: 'A room with a key',
  map: '######\n#A..k#\n#....#\n######\n',
  legend: { A: { agent: 'ranger' }, k: { thing: 'key' } },
  rooms: { hall: { name: 'hall', from: [1, 1] } },
  things: { key: { name: 'brass key', kind: 'key' } },
  agents: [{ id: 'ranger', goals: ['Take the brass key.'] }],
};

export interface ControllerSample {
  readonly input: ControllerInput;
  readonly ear: SpeechContext;
}

/** The first turn of a scenario's first agent. */
export async function sampleOf(source: ScenarioSource): Promise<ControllerSample> {
  const { scenario, environment, loaded, hasPicture } = await openScenario(scenarioFile(source));
  const painter = hasPicture ? framePainter(scenario, loaded.tileset) : null;
  const dependencies = systemDependencies(() => undefined);
  const { seats } = seatsFor({ scenario, environment, hasPicture: painter !== null, dependencies });
  const { spec, composer } = known(seats[0], 'an agent');
  const observation = environment.observe(environment.create(scenario.seed), spec.id);
  const picture = observation.scene === null ? null : (painter?.paint(observation.scene) ?? null);
  const messages = composer.messages([], composer.turnText(observation, null), picture);
  const form = composer.form(observation);
  const input = { agent: spec.id, turn: 1, attempt: 1, observation, messages, form, memory: null };
  // A picture's bytes can't be frozen; everything else is.
  return {
    input: { ...input, observation: frozen(observation), form: frozen(form) },
    ear: earOf(environment, observation),
  };
}
