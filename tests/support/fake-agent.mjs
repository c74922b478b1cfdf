/**
 * An agent's program for tests: answers WAIT to everything, except as its arguments say. `fake-agent.mjs <way> [file]`; the file counts its
 * starts, so that a way may be tried in the first life only. A number instead is a size in bytes.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, closeSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [way = 'wait', file] = process.argv.slice(2);
const counts = file !== undefined && !/^\d+$/.test(file);
if (counts) appendFileSync(file, 'x');
const isFirst = !counts || readFileSync(file, 'utf8').length === 1;
const say = (value) => process.stdout.write(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`);
const reply = (id, content = 'ACTION: WAIT', more = {}) => say({ type: 'reply', id, content, ...more });
const heard = [];

const READY = {
  mute: () => undefined,
  old: () => say({ type: 'ready', protocol: 0 }),
  chatty: () => say('Loading the weights …'),
  refuse: () => process.exit(3),
};

const OBSERVE = {
  dies: ({ id }) => (isFirst ? process.exit(7) : reply(id)),
  always: () => {
    console.error('Traceback: no such luck');
    process.exit(7);
  },
  hangs: ({ id }) => (isFirst ? undefined : reply(id)),
  mum: ({ id }) => (isFirst ? closeSync(1) : reply(id)),
  unplugs: ({ id }) => (isFirst ? process.stdin.destroy() : reply(id)),
  half: ({ id }) => (isFirst ? process.stdout.write('{"type":"reply"') : reply(id)),
  escapes: ({ id }) => {
    if (!isFirst) return reply(id);
    // Of a session of its own, so that it outlives its parent and holds on to the pipes.
    const script = 'setTimeout(() => undefined, 20_000)';
    spawn(process.execPath, ['-e', script], { stdio: 'inherit', detached: true }).unref();
    process.exit(7);
  },
  // As .NET and PowerShell begin what they write.
  marked: ({ id }) => say(`\uFEFF${JSON.stringify({ type: 'reply', id, content: 'ACTION: WAIT' })}`),
  garbage: () => say('I think I should wait.'),
  list: () => say([1]),
  untyped: () => say({ type: 'thought' }),
  wordless: ({ id }) => say({ type: 'reply', id }),
  future: ({ id }) => reply(id + 1),
  stale: ({ id }) => {
    if (id > 1) reply(id - 1, 'ACTION: SPEAK "too late"');
    reply(id);
    reply(id, 'ACTION: SPEAK "twice"');
  },
  floods: () => process.stdout.write('x'.repeat(Number(file))),
  line: ({ id }) => {
    const text = JSON.stringify({ type: 'reply', id, content: 'ACTION: WAIT', pad: '' });
    say(text.replace('"pad":""', `"pad":"${'x'.repeat(Number(file) - text.length)}"`));
  },
  long: ({ id }) => reply(id, `${'x'.repeat(Number(file) - 13)}\nACTION: WAIT`),
  remembers: ({ id, memory }) =>
    reply(id, `I remember ${memory}\nACTION: WAIT`, { memory: (memory ?? 0) + 1 }),
  forgets: ({ id, memory, turn }) => {
    if (turn === 2 && isFirst) process.exit(1);
    reply(id, `I remember ${memory}\nACTION: WAIT`, { memory: (memory ?? 0) + 1 });
  },
  env: ({ id }) => reply(id, `${Object.keys(process.env).sort().join(' ')}\nACTION: WAIT`),
  tells: ({ id }) => reply(id, 'ACTION: WAIT', { memory: heard.map((one) => ({ ...one, memory: null })) }),
  mumbles: ({ id, frame, memory }) =>
    reply(id, memory === null ? 'Hm.' : 'ACTION: WAIT', { memory: [...(memory ?? []), frame !== null] }),
  child: ({ id }) => {
    // A grandchild that would hold on to the pipes for ever.
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'inherit' });
    // One in a session of its own, which the end of the group does not reach.
    const stray = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], {
      stdio: 'ignore',
      detached: true,
    });
    stray.unref();
    reply(id, `${stray.pid} ${child.pid} ${process.pid}\nACTION: WAIT`);
  },
  deaf: ({ id }) => reply(id, `${process.pid}\nACTION: WAIT`),
};

createInterface({ input: process.stdin }).on('line', (text) => {
  const message = JSON.parse(text);
  heard.push(message);
  if (message.type === 'hello') (READY[way] ?? (() => say({ type: 'ready', protocol: 1 })))();
  if (message.type === 'observe') (OBSERVE[way] ?? (({ id }) => reply(id)))(message);
});
// Goes on though its input has ended.
if (['deaf', 'mum', 'unplugs', 'half'].includes(way)) setInterval(() => undefined, 1000);
