/**
 * Writes docs/reference/actions.md from the actions of every environment (`npm run docs`, after a build). With `--check` it
 * writes nothing and exits 1 where the page is not what it would write.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { actionsDoc } from '../dist/modules/forms/actions-doc.js';
import { openGrid } from '../dist/modules/worlds/grid/grid.js';
import { toolbox } from '../dist/modules/worlds/toolbox/toolbox.js';
import { EMPTY_WORKCELL, openWorkcell } from '../dist/modules/worlds/workcell/workcell.js';

const PAGE = new URL('../docs/reference/actions.md', import.meta.url);

/**
 * The smallest grid with the default rules: an action's text may depend on them.
 * @type {import('../dist/modules/worlds/grid/definition.js').GridDefinition}
 */
const GRID = {
  size: { width: 1, height: 1 },
  terrain: [{ id: 'floor', name: 'floor', walkable: true, opaque: false, sprite: 'floor' }],
  terrainKeys: '.',
  rows: ['.'],
  rooms: [{ id: 'room', name: 'room', areas: [{ x: 0, y: 0, width: 1, height: 1 }], description: '' }],
  doors: [],
  things: [],
  npcs: [],
  agents: [],
  rules: {
    movement: 'room',
    diagonals: true,
    sight: 'recursive',
    fog: true,
    speakRadius: 4,
    speechFree: false,
    bodiesBlock: true,
  },
  window: { columns: 15, rows: 15 },
  success: null,
  successReason: '',
  failure: null,
  failureReason: '',
};

/** A toolbox with nothing in it: its verbs are always the same. */
const TOOLBOX = {
  question: '',
  answer: null,
  knowledge: [],
  folder: null,
  tools: [],
  agents: [],
  scopes: {},
};

const page = actionsDoc([
  { environment: 'grid', vocabulary: openGrid(GRID).actions.list() },
  { environment: 'toolbox', vocabulary: toolbox.open(TOOLBOX).actions.list() },
  { environment: 'workcell', vocabulary: openWorkcell(EMPTY_WORKCELL).actions.list() },
]);

if (!process.argv.includes('--check')) {
  writeFileSync(PAGE, page);
} else if (readFileSync(PAGE, 'utf8') !== page) {
  process.stderr.write('docs/reference/actions.md is not current; run: npm run docs\n');
  process.exitCode = 1;
}
