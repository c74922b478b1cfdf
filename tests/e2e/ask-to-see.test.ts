/** `observe: ask`: unasked an agent is told where it stands, what it holds and whether doors in sight are open; LOOK tells the rest. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const folder = temporaryFolder();
const on = (...args: readonly string[]) => orchestrate(args, { cwd: folder });
const PUZZLE = join(process.cwd(), 'scenarios', 'three-keys.yaml');

interface Replayed {
  wins: string;
  /** What the first of them that was refused was told. */
  told: string;
}

async function played(...replies: readonly string[]): Promise<Replayed> {
  writeFileSync(join(folder, 'replies.json'), JSON.stringify({ seeker: replies }));
  const { out } = await on('check', PUZZLE, '--effort', '0', '--replies', 'replies.json');
  return { wins: /win in \d+ turns/.exec(out)?.[0] ?? '', told: /first refusal: (.*)/.exec(out)?.[1] ?? '' };
}

const call = (name: string, parameters: object = {}): string => JSON.stringify({ name, parameters });
const fetch = (x: number) => [call('move', { x, y: 0 }), call('pickup', { x, y: 0 })];

/** The whole request of the first turn, with offers and the snapshot for programs; the picture by its hash. */
async function observed(scenario: string, ...more: readonly string[]): Promise<string> {
  const set = ['prompt.offers=true', 'prompt.snapshot=true'].flatMap((one) => ['--set', one]);
  return (await on('preview', scenario, '--agent', 'seeker', '--messages', '--json', ...set, ...more)).out;
}

describe('an agent that has to ask', () => {
  it('is told its place, its hands and the state of doors, and nothing else of the world', async () => {
    const { out } = await on(
      'preview',
      PUZZLE,
      '--agent',
      'seeker',
      '--messages',
      '--set',
      'render.channel=text',
    );
    const turn = out.slice(out.indexOf('\nTurn 1.'));
    expect(turn).toContain('at x 0, y 3');
    expect(turn).toContain('The door is locked.');
    expect(turn).toContain('You hold nothing.');
    expect(out).not.toMatch(/red|green|blue|engraved|guardian who/i);
  });

  it('finds out the rest with its tool: things by tile, how they look, what the room says', async () => {
    const after = async (name: string): Promise<string> => {
      const set = ['--set', `agents.seeker.replies=[${JSON.stringify(call(name))}]`];
      await on('run', PUZZLE, '--max-turns', '1', '--out', `${name}.sqlite`, ...set);
      return (await on('show', `${name}.sqlite`, '--json')).out;
    };
    const [looked, waited] = [await after('observe'), await after('wait')];
    for (const words of ['guardian who', 'x 5, y 0', 'red key', 'I say what is so, except when I do not']) {
      expect(looked).toContain(words);
      expect(waited).not.toContain(words);
    }
  });

  it('wins with the blue key and with no other, and learns from a refusal that it was wrong', async () => {
    const door = [call('move', { x: 3, y: 5 }), call('use_item', { target_id: 'door' })];
    expect(await played(call('observe'), ...fetch(5), ...door)).toEqual({ wins: 'win in 4 turns', told: '' });
    for (const x of [1, 3]) {
      const { wins, told } = await played(call('observe'), ...fetch(x), ...door);
      expect([wins, told]).toEqual(['', expect.stringContaining('does not fit the door')]);
    }
    const bare = await played(...door);
    expect(bare.told).toContain('You hold nothing that you could use on something.');
    const far = await played(call('observe'), ...fetch(5), call('use_item', { target_id: 'door' }));
    expect(far.told).toContain('Use MOVE TO door first.');
    const away = await played(call('pickup', { x: 5, y: 0 }));
    expect(away.told).not.toBe('');
    const unseen = await played(...fetch(5));
    expect(unseen.told).toBe('turn 2, seeker: You see nothing to pick up at x 5, y 0.');
  });

  it('gets no offer, no fact and no pixel of what it has not asked for', async () => {
    writeFileSync(join(folder, 'other.yaml'), readFileSync(PUZZLE, 'utf8').replace('.r.g.b.', 'b.g..r.'));
    const [furnished, other] = [await observed(PUZZLE), await observed('other.yaml')];
    expect(furnished).toContain('MOVE {\\"target\\": \\"door\\"}');
    expect(furnished).toEqual(other);
    // What it compares is there to be told: an agent that is told everything gets it.
    const told = ['--set', 'rules.observe=told'];
    expect(await observed(PUZZLE, ...told)).not.toEqual(await observed('other.yaml', ...told));
  });

  it('is offered what it has looked at, and what it has put down again', async () => {
    const set = ['--set', 'prompt.offers=true', '--max-turns', '4'];
    const at = async (step: number, log: string, ...replies: readonly string[]): Promise<string> => {
      const given = `agents.seeker.replies=${JSON.stringify(replies)}`;
      await on('run', PUZZLE, '--out', log, '--set', given, ...set);
      return (await on('show', log, '--step', String(step))).out;
    };
    const move = call('move', { x: 5, y: 0 });
    expect(await at(3, 'unasked.sqlite', move)).not.toMatch(/blue/);
    expect(await at(3, 'asked.sqlite', call('observe'), move)).toMatch(/PICKUP .*blue key/);
    const there = [
      call('observe'),
      move,
      call('pickup', { x: 5, y: 0 }),
      call('drop', { thing: 'blue key' }),
    ];
    expect(await at(7, 'dropped.sqlite', ...there)).toMatch(/PICKUP .*blue key/);
  });

  it('keeps in sight what it has held, though LOOK never showed it', async () => {
    const held = readFileSync(PUZZLE, 'utf8')
      .replace('.r.g.b.', '.r.g...')
      .replace(/^ {2}b: .*\n/m, '')
      .replace(/^( {4}name: blue key)$/m, '$1\n    held_by: seeker');
    writeFileSync(join(folder, 'held.yaml'), held);
    const replies = JSON.stringify([call('drop', { thing: 'blue key' })]);
    const set = ['--set', 'prompt.offers=true', '--set', `agents.seeker.replies=${replies}`];
    await on('run', 'held.yaml', '--max-turns', '2', '--out', 'held.sqlite', ...set);
    expect((await on('show', 'held.sqlite', '--step', '3')).out).toMatch(/PICKUP .*blue key/);
  });
});
