/** A small workcell for tests, as data, and a way to play it: every step goes through JSON, so that nothing lives outside the state. */
import { canonicalJson } from '../../../src/base/canonical.js';
import type { Args } from '../../../src/environment/action.js';
import type { DefinedState } from '../../../src/environment/environment-spec.js';
import type { ActResult, Environment } from '../../../src/environment/environment.js';
import type {
  Angle,
  PartDefinition,
  RobotDefinition,
  WorkcellDefinition,
} from '../../../src/worlds/workcell/definition.js';
import { SIDE_TILES } from '../../../src/worlds/workcell/layout.js';
import type { WorkcellState } from '../../../src/worlds/workcell/state.js';
import { openWorkcell } from '../../../src/worlds/workcell/workcell.js';

export function part(id: string, side: Angle, place = 0): PartDefinition {
  const { x, y } = SIDE_TILES[side][place] ?? { x: 0, y: 0 };
  const faults = [
    { id: 'cracked', finding: `The ${id} is cracked.` },
    { id: 'loose', finding: `The ${id} is loose.` },
  ];
  const name = id.replaceAll('-', ' ');
  return {
    id,
    name,
    side,
    description: '',
    faults,
    sprite: 'car/panel',
    looseSprite: 'item/part-panel',
    x,
    y,
  };
}

export function robot(id: string, change: Partial<RobotDefinition> = {}): RobotDefinition {
  return { id, name: id, sprite: 'figure/robot', orientation: 0, actions: null, ...change };
}

/** Windscreen and bumper in front, tyre and door at the left (the tyre is cracked), glass at the rear, nothing at the right. */
export function cell(change: Partial<WorkcellDefinition> = {}): WorkcellDefinition {
  const parts = [
    part('bumper', 0),
    part('windscreen', 0, 1),
    part('tyre', 90),
    part('door', 90, 1),
    part('glass', 180),
  ];
  return {
    window: { columns: 15, rows: 15 },
    cars: [{ name: 'car', parts }],
    faults: [{ part: 'tyre', side: null, fault: 'cracked' }],
    stock: { kind: 'listed', parts: ['tyre', 'windscreen'] },
    robots: [robot('ann')],
    rules: { sight: 'scan', isBurningSoundFatal: false },
    ...change,
  };
}

export class Game {
  readonly environment: Environment<DefinedState<WorkcellState>>;
  state: DefinedState<WorkcellState>;

  constructor(definition: WorkcellDefinition = cell(), seed = '1') {
    this.environment = openWorkcell(definition);
    this.state = this.environment.create(seed);
  }

  /** One intent, then the end of the turn. */
  act(agent: string, action: string, args: Args = {}): ActResult {
    const { state, results } = this.environment.advance(this.state, [{ agent, action, args }]);
    this.state = throughJson(this.environment.endTurn(throughJson(state)).state);
    return results[0] ?? { ok: true, message: '', path: null };
  }

  /** Several, each of which must be done: `SET_ORIENTATION 90`. */
  all(agent: string, ...commands: readonly string[]): void {
    for (const command of commands) {
      const [action = '', value] = command.split(' ');
      const result = this.act(agent, action, value === undefined ? {} : { [slotOf(action)]: value });
      if (!result.ok) throw new Error(`${command}: ${result.problem.message}`);
    }
  }

  told(agent: string, section: string): readonly string[] {
    return this.environment.observe(this.state, agent).sections.find(({ id }) => id === section)?.lines ?? [];
  }
}

function slotOf(action: string): string {
  if (action === 'SET_ORIENTATION') return 'angle';
  return action === 'HAND_OVER' ? 'to' : action === 'SPEAK' ? 'text' : 'name';
}

export function throughJson<T>(value: T): T {
  const copy: T = JSON.parse(canonicalJson(value));
  return copy;
}
