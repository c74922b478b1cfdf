/** Controllers from a user's module, unless the command line assigns the agent another. */
import type { OwnSeats } from '../../assembly/own-exports.js';
import type { ProtocolName } from '../../scenario/scenario.js';

/** The player options of the command line. */
export interface SeatChoices {
  controller?: string | undefined;
  model?: string | undefined;
  baseUrl?: string | undefined;
  human: readonly string[];
  protocol?: ProtocolName | undefined;
}

/** The agents that are left to the modules. */
export function seatsFromModules(
  { controllers, protocols, memory }: OwnSeats,
  choices: SeatChoices,
): OwnSeats {
  const { controller, model, baseUrl, human, protocol } = choices;
  const isChosenForAll = (controller ?? model ?? baseUrl) !== undefined;
  const remaining = Object.entries(controllers).filter(
    ([agent]) => !isChosenForAll && !human.includes(agent),
  );
  return {
    controllers: Object.fromEntries(remaining),
    protocols: protocol === undefined ? protocols : {},
    memory,
  };
}
