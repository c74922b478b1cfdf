/** Controllers from a user's module, unless the command line assigns the agent another. */
import type { OwnSeats } from '../../assembly/own-exports.js';
import type { ProtocolName } from '../../scenario/scenario.js';

/** The player options of the command line. */
export interface SeatChoices {
  readonly controller?: string | undefined;
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly human: readonly string[];
  readonly protocol?: ProtocolName | undefined;
}

/** The agents that are left to the modules. */
export function seatsLeft({ controllers, protocols, memory }: OwnSeats, said: SeatChoices): OwnSeats {
  const { controller, model, baseUrl, human, protocol } = said;
  const isAll = (controller ?? model ?? baseUrl) !== undefined;
  const kept = Object.entries(controllers).filter(([agent]) => !isAll && !human.includes(agent));
  return {
    controllers: Object.fromEntries(kept),
    protocols: protocol === undefined ? protocols : {},
    memory,
  };
}
