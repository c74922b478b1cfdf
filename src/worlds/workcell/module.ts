/** The workcell world as a module: its rules, its scenario reader and its built-in player. */
import type { BuiltInWorld } from '../environment-module.js';
import { repairPlayer } from './player/repair.js';
import { workcellWorld } from './scenario/workcell-world.js';
import { workcell } from './workcell.js';

export const workcellModule: BuiltInWorld = {
  kind: workcell,
  reader: workcellWorld,
  effectHandlers: {},
  player: repairPlayer,
};
