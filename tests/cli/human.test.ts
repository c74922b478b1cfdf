/** A person at the terminal, played by lines on standard input: what is shown, asked, kept, and how agents change hands. */
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { LIMITS } from '../../src/base/limits.js';
import { main } from '../../src/cli/main.js';
import { LineInput } from '../../src/cli/terminal/line-input.js';
import { LogReader } from '../../src/log/reader.js';
import type { StepRecord } from '../../src/trajectory/records.js';
import { capturedIo, orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { corridor } from '../orchestrator/two-agents.js';

const cwd = temporaryFolder();
writeFileSync(join(cwd, 'corridor.yaml'), corridor('max: 3'));
writeFileSync(
  join(cwd, 'declared.yaml'),
  corridor('max: 2').replace('id: ann', 'id: ann, controller: human'),
);
const never = new AbortController().signal;

const run = (args: readonly string[], stdin: string) =>
  orchestrate(['run', 'corridor.yaml', '--human', 'ann', ...args], { cwd, stdin });

interface Call {
  controller: string;
  content: string | null;
}

/** Who decided in each of an agent's steps, and in what words. */
function callsOf(log: string, agent: string): readonly Call[] {
  const reader = new LogReader(join(cwd, log));
  try {
    const [only] = reader.runs();
    const id = only?.runId ?? '';
    const steps: readonly StepRecord[] = [...reader.steps(id)];
    return steps
      .filter((step) => step.agent === agent)
      .flatMap((step) => step.calls.map((call) => known(reader.call(id, call), `call ${call}`)))
      .map((call) => ({
        controller: call.request.controller,
        content: call.end?.kind === 'replied' ? call.end.reply.content : null,
      }));
  } finally {
    reader.close();
  }
}

describe('run --human', () => {
  it('takes typed words behind a byte order mark', async () => {
    const { code, out } = await run(['--out', 'marked.sqlite'], '\uFEFFgo east\nwait\nwait\n');
    expect(code).toBe(0);
    expect(out).toContain('Ann> go east\n');
  });

  it('shows what the agent perceives and takes a bare command', async () => {
    const { code, out } = await run(['--out', 'a.sqlite'], 'go east\nwait\nwait\n');
    expect(code).toBe(0);
    expect(out).toContain('You may now:');
    expect(out).toMatch(/\nAnn\nTurn 1\.\n/);
    expect(out).toContain('Ann> go east\n');
    expect(out).not.toContain('\u001b');
  });

  it('logs it like any agent, by the name human, the own words kept', async () => {
    await run(['--out', 'b.sqlite'], 'go east\nACTION: WAIT\nwait\n');
    expect(callsOf('b.sqlite', 'ann')).toEqual([
      { controller: 'human', content: 'ACTION: go east' },
      { controller: 'human', content: 'ACTION: WAIT' },
      { controller: 'human', content: 'ACTION: wait' },
    ]);
  });

  it('tells what is wrong with a command and asks again, without the whole page', async () => {
    const { out } = await run(['--out', 'c.sqlite'], 'dance\nwait\nwait\nwait\n');
    const [, again = ''] = out.split('Ann> dance\n');
    expect(again.split('\n')[0]).toContain('You answered "ACTION: dance".');
    expect(again.split('\n')[1]).toBe('Ann> wait');
  });

  it('asks again at an empty line and at ?, which shows the rules once more', async () => {
    const { out } = await run(['--out', 'd.sqlite'], '\n?\nwait\nwait\nwait\n');
    expect(out.match(/How to answer:/g)).toHaveLength(2);
    expect(callsOf('d.sqlite', 'ann')).toHaveLength(3);
  });

  it('stops where input ends, with the log whole', async () => {
    const { code, out, err } = await run(['--out', 'e.sqlite'], 'go east\n');
    expect([code, err]).toEqual([130, '']);
    expect(out).toContain('standard input ended, so the run stops\n');
    expect(callsOf('e.sqlite', 'ann')).toHaveLength(1);
    expect((await orchestrate(['show', 'e.sqlite'], { cwd })).out).toContain('interrupted');
  });

  it('may be the scenario’s own wish, and everybody’s with --controller human', async () => {
    const declared = await orchestrate(['run', 'declared.yaml', '--out', 'f.sqlite'], {
      cwd,
      stdin: 'wait\nwait\n',
    });
    expect([declared.code, declared.err]).toEqual([0, '']);
    const all = ['run', 'corridor.yaml', '--controller', 'human', '--max-turns', '1', '--out', 'g.sqlite'];
    const { out, code } = await orchestrate(all, { cwd, stdin: 'wait\nwait\n' });
    expect(code).toBe(0);
    expect(out).toContain('Bob> wait');
  });

  it('asks one person after the other where all act at once', async () => {
    const all = ['run', 'corridor.yaml', '--controller', 'human', '--set', 'turns.order=simultaneous'];
    const { out, code } = await orchestrate([...all, '--max-turns', '2'], { cwd, stdin: 'wait\n'.repeat(4) });
    expect(code).toBe(0);
    expect([...out.matchAll(/(Ann|Bob)> wait/g)].map(([, name]) => name)).toEqual([
      'Ann',
      'Bob',
      'Ann',
      'Bob',
    ]);
  });

  it('gives the same chain as the same words from a list', async () => {
    const chain = (out: string) => /chain (\w+)/.exec(out)?.[1];
    const own = await run(['--out', 'h.sqlite'], 'ACTION: WAIT\nACTION: WAIT\nACTION: WAIT\n');
    const list = corridor('max: 3').replace(
      'id: ann',
      "id: ann, replies: ['ACTION: WAIT'], after_replies: repeat",
    );
    mkdirSync(join(cwd, 'list'));
    writeFileSync(join(cwd, 'list', 'corridor.yaml'), list);
    const other = await orchestrate(['run', 'list/corridor.yaml', '--out', 'i.sqlite'], { cwd });
    expect(chain(own.out)).toBe(chain(other.out));
  });

  it.each([
    [['--human', 'anne'], 'corridor has no agent "anne" for --human', 'did you mean ann?'],
    [['--human', 'ann', '--human', 'ann'], '--human and --process name ann more than once', ''],
  ])('refuses %j', async (args, message, hint) => {
    const { code, err } = await orchestrate(['run', 'corridor.yaml', ...args], { cwd });
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(err).toContain(hint);
  });
});

describe('run --step', () => {
  /** A terminal whose lines come by themselves. */
  const stepping = async (log: string, lines: string) => {
    const captured = capturedIo({ cwd });
    const stdin = Object.assign(Readable.from([lines]), { isTTY: true });
    const args = ['run', 'corridor.yaml', '--step', '--max-turns', '2', '--out', log];
    const code = await main(args, { ...captured.io, stdin });
    return { code, out: captured.out() };
  };

  it('hands an agent over for some steps and back, and the log tells whose they were', async () => {
    const { code, out } = await stepping('s.sqlite', 'take ann\n\nwait\n\nback ann\n\n\n');
    expect(code).toBe(0);
    expect(out).toContain('you decide for ann from its next step');
    expect(out).toContain('ann decides for itself again');
    expect(callsOf('s.sqlite', 'ann').map(({ controller }) => controller)).toEqual(['human', 'scripted']);
    expect(new Set(callsOf('s.sqlite', 'bob').map(({ controller }) => controller))).toEqual(
      new Set(['scripted']),
    );
  });

  it('explains itself, and stops where input ends', async () => {
    const { code, out } = await stepping('t.sqlite', 'take anna\nhelp\n');
    expect(out).toContain('there is no agent "anna"; did you mean ann?');
    expect(out).toContain('`take <agent>` lets you decide');
    expect([code, out]).toEqual([130, expect.stringContaining('interrupted: stopped by the user')]);
  });
});

describe('lines from standard input', () => {
  it('come one at a time, in whatever pieces they arrive, the last without its end too', async () => {
    const lines = new LineInput(
      Readable.from([Buffer.from('ä'), Buffer.from('b\r\nc'), Buffer.from('\n\nd')]),
    );
    const read = [];
    for (let i = 0; i < 5; i += 1) read.push(await lines.next(never));
    expect(read).toEqual(['äb', 'c', '', 'd', null]);
  });

  it('are cut at their limit', async () => {
    const at = 'x'.repeat(LIMITS.typedLineCharacters);
    const lines = new LineInput(Readable.from([`${at}\n${at}y\n`]));
    expect([await lines.next(never), await lines.next(never)]).toEqual([at, at]);
  });

  it('are waited for no longer than the signal allows', async () => {
    const stop = new AbortController();
    const waiting = new LineInput(new Readable({ read: () => undefined })).next(stop.signal);
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});
