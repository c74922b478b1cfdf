/** The workcell as a part of the scenario format: its keys, and how they become a WorkcellDefinition. */
import type { Json } from '../../../base/json.js';
import { LIMITS } from '../../../base/limits.js';
import type { RobotDefinition, WorkcellDefinition } from '../definition.js';
import { FLOOR_SIDE } from '../layout.js';
import { SECTION_IDS } from '../text.js';
import { readAgentActions } from '../../../scenario/agent-actions.js';
import { spriteOf } from '../../../scenario/sprites.js';
import { properNameFromId } from '../../../scenario/names.js';
import type { MistakeReport } from '../../../scenario/report.js';
import type { WorldInput, WorldReader } from '../../../scenario/world.js';
import type { WorkcellReading } from './car.js';
import { readCars } from './car.js';
import { readFaults, readStock } from './faults.js';
import {
  WORKCELL_AGENT_KEYS,
  WORKCELL_KEYS,
  workcellAgentSchema,
  workcellSchema,
} from './schema-workcell.js';
import { PARSE_ONCE } from '../../../scenario/parse-once.js';

/** Reads the workcell's keys of a scenario; its definition opens with the environment of the same kind. */
export const workcellWorld: WorldReader = {
  kind: 'workcell',
  keys: WORKCELL_KEYS,
  agentKeys: WORKCELL_AGENT_KEYS,
  sections: SECTION_IDS,
  read: readWorkcell,
};

function readWorkcell(input: WorldInput, report: MistakeReport): Json {
  const reading: WorkcellReading = {
    values: workcellSchema.parse(input.values, PARSE_ONCE),
    known: input.known,
    report,
  };
  const cars = readCars(reading);
  const stock = readStock(reading, cars);
  const { rules } = reading.values;
  const { columns, rows } = input.render;
  if (columns < FLOOR_SIDE || rows < FLOOR_SIDE)
    report.error(
      ['render'],
      `the workshop does not fit into a frame of ${columns} × ${rows} tiles`,
      `write render: { window: [${FLOOR_SIDE}, ${FLOOR_SIDE}] }`,
    );
  const definition: WorkcellDefinition = {
    window: { columns, rows },
    cars,
    stock,
    faults: readFaults(reading, cars, stock),
    robots: robotsOf(reading, input),
    rules: {
      sight: rules.sight,
      isBurningSoundFatal: rules.burning_sound === 'fails',
      ...(input.drawsTies ? { ties: 'drawn' } : {}),
    },
  };
  const json: Json = JSON.parse(JSON.stringify(definition));
  return json;
}

/** The actions needed to repair a car: each must be allowed to a robot. */
const NEEDED = ['REMOVE_PART', 'INCINERATE', 'GET_SPARE', 'ATTACH_PART'] as const;

function robotsOf(reading: WorkcellReading, input: WorldInput): readonly RobotDefinition[] {
  const { report } = reading;
  const agents = input.agents.map((agent) => workcellAgentSchema.parse(agent, PARSE_ONCE));
  if (agents.length > LIMITS.robots)
    report.error(
      ['agents', LIMITS.robots],
      `${agents.length} robots; the maximum is ${LIMITS.robots}, because no more fit on one side`,
    );
  const robots = agents.map((agent, i) => {
    const at = agent.sprite === undefined ? { key: ['agents', i] } : ['agents', i, 'sprite'];
    return {
      id: agent.id,
      name: agent.name ?? properNameFromId(agent.id),
      sprite: spriteOf(reading, agent.sprite ?? 'robot', { groups: ['figure'], at }),
      orientation: agent.orientation,
      actions: readAgentActions(agent.actions, reading, ['agents', i]),
    };
  });
  for (const verb of NEEDED) {
    if (robots.every(({ actions }) => actions !== null && !actions.includes(verb)))
      report.warning(
        { key: ['agents'] },
        `no robot may ${verb}, so the car can't be repaired`,
        `add ${verb} to the actions of a robot`,
      );
  }
  return robots;
}
