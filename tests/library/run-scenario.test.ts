/** A run from a program, in one call: from a path, YAML or data; with parts of one's own; into memory or a log; step by step. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  LogReader,
  defineAction,
  embeddedReply,
  grammar,
  gridRules,
  gridWith,
  noMemory,
  problem,
  protocolOf,
  runScenario,
  scenarioSteps,
  ScenarioError,
  userMessage,
} from '../../src/index.js';
import type { Controller, GridState, Memory, Protocol } from '../../src/index.js';
import { temporaryFolder } from '../support/folder.js';
import { LIBRARY_YAML } from '../support/library-scenario.js';
import { libraryModule } from '../support/library-world.js';

const FOLDER = temporaryFolder();

const ROOM = {
  title: 'A Room',
  map: '#####\n#A.k#\n#...#\n#####\n',
  legend: { A: { agent: 'ranger' }, k: { thing: 'key' } },
  things: { key: { name: 'brass key', kind: 'key' } },
  rooms: { hall: { name: 'hall', from: [1, 1] } },
  agents: [{ id: 'ranger', replies: ['ACTION: GO TO brass key', 'ACTION: TAKE brass key'] }],
  success: { agent: 'ranger', holds: 'key' },
  turns: { max: 4 },
} as const;

describe('runScenario', () => {
  it('plays data, YAML and files alike', async () => {
    const data = await runScenario(ROOM);
    expect(data.end).toMatchObject({ status: 'succeeded' });
    expect(data.steps.map(({ agent }) => agent)).toContain('ranger');
    const yaml = await runScenario(LIBRARY_YAML, { modules: [libraryModule()] });
    expect(yaml.end.status).toBe('succeeded');
    const file = await runScenario('scenarios/brass-key.yaml', { set: ['turns.max=2'] });
    expect(file.run.scenario.name).toBe('brass-key');
    expect(file.end.status).not.toBe('succeeded');
  });

  it('tells every mistake of a scenario', async () => {
    const wrong = { ...ROOM, turns: { maxx: 4 } };
    await expect(runScenario(wrong)).rejects.toBeInstanceOf(ScenarioError);
  });

  it('keeps a log where one is wanted, which reads back as what was played', async () => {
    const log = join(FOLDER, 'room.sqlite');
    const { run, steps, end } = await runScenario(ROOM, { log });
    const reader = new LogReader(log);
    expect([...reader.steps(run.runId)]).toEqual(steps);
    expect(reader.end(run.runId)).toEqual(end);
    reader.close();
  });

  it('plays with a controller, a protocol and a memory of one’s own, and says so in the run', async () => {
    const asked: string[] = [];
    const shouter: Controller = {
      name: 'shouter',
      isRemote: false,
      decide: async ({ messages, memory }) => {
        asked.push(
          messages
            .flatMap(({ parts }) => parts)
            .map((part) => ('text' in part ? part.text : ''))
            .join(),
        );
        const count = typeof memory === 'number' ? memory : 0;
        return { reply: embeddedReply(`!! ${count === 0 ? 'GO TO' : 'TAKE'} brass key`), memory: count + 1 };
      },
    };
    const command = protocolOf('command');
    const shout: Protocol = {
      ...command,
      name: 'shout',
      instructions: (vocabulary) =>
        `Answer with !! and one of ${vocabulary.map(({ name }) => name).join(', ')}.`,
      read: (reply, vocabulary) =>
        command.read({ ...reply, content: reply.content.replace(/^!! /, 'ACTION: ') }, vocabulary),
    };
    const counted = (turns: number): Memory => ({
      ...noMemory(),
      messages: () => [userMessage(`You have acted ${turns} times.`)],
      remember: () => counted(turns + 1),
    });
    const { run, end } = await runScenario(ROOM, {
      controllers: { ranger: shouter },
      protocols: { ranger: shout },
      memory: { ranger: counted(0) },
    });
    expect(end.status).toBe('succeeded');
    expect(asked[0]).toContain('Answer with !!');
    expect(asked[1]).toContain('You have acted 1 times.');
    expect(run.controllers['ranger']).toEqual({ name: 'shouter', protocol: 'shout', memory: 'own' });
  });

  it('plays the grid with an action of one’s own', async () => {
    const module = gridWith((world) =>
      defineAction({
        name: 'CONJURE',
        description: 'Call a thing that you see into your hands.',
        grammar: grammar.name('thing', ['thing'], 'what to call'),
        examples: ['brass key'],
        check: (state: GridState, agent, { thing }) =>
          gridRules.perceivedTarget(world, state, agent, thing) === null
            ? gridRules.notPerceived(state, agent, thing)
            : thing === 'lid'
              ? problem('illegal/stuck', 'It is stuck.')
              : undefined,
        apply: (state: GridState, agent, { thing }) => ({
          state: gridRules.transfer(world, state, {
            id: thing,
            amount: 1,
            to: { at: 'held', by: agent },
            by: agent,
          }).state,
          message: 'It came.',
        }),
      }),
    );
    const agents = [{ id: 'ranger', replies: ['ACTION: CONJURE brass key'], actions: ['CONJURE'] }];
    const { end, steps } = await runScenario({ ...ROOM, agents }, { modules: [module] });
    expect(end).toMatchObject({ status: 'succeeded' });
    expect(steps[0]?.acts[0]).toMatchObject({ intent: { action: 'CONJURE', args: { thing: 'key' } } });
  });
});

describe('scenarioSteps', () => {
  it('gives steps as they happen, and ends the run where the loop is left', async () => {
    const log = join(FOLDER, 'left.sqlite');
    const seen: string[] = [];
    for await (const step of scenarioSteps(
      { ...ROOM, agents: [{ id: 'ranger', replies: ['ACTION: WAIT'] }] },
      { log },
    )) {
      seen.push(step.agent);
      break;
    }
    expect(seen).toEqual(['ranger']);
    const reader = new LogReader(log);
    const [run] = reader.runs();
    expect(run?.status).toBe('interrupted');
    reader.close();
  });

  it('throws what ended the run, after its last step', async () => {
    const failing: Controller = {
      name: 'failing',
      isRemote: false,
      decide: async ({ turn }) => {
        if (turn > 1) throw new ScenarioError('gone', []);
        return { reply: embeddedReply('ACTION: WAIT'), memory: null };
      },
    };
    const played = async (): Promise<void> => {
      for await (const step of scenarioSteps(ROOM, { controllers: { ranger: failing } }))
        expect(step.turn).toBe(1);
    };
    await expect(played()).rejects.toThrow('gone');
  });
});
