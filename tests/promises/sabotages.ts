/**
 * Bugs that are planted, one at a time, while a check runs: each as one change of a source file, made when the file is loaded and nowhere else.
 * In: nothing; out: the list that `sabotage.test.ts` tries. Whoever changes a line that stands here is told, and plants the bug anew.
 */
export interface Sabotage {
  /** What is wrong then. */
  readonly bug: string;
  /** Of issue's promises, or what else is kept. */
  readonly promise: string;
  /** Below `src`. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly put: string;
  /** The check that claims to catch it: a test file below `tests`, and a pattern of the names of its tests. */
  readonly check: string;
  readonly tests: string;
}

const SIMULATION = { check: 'promises/simulation.test.ts', tests: '' } as const;
const RESUME = 'replay/resume.test.ts';
const FAILURES = 'log/failures.test.ts';
const DURABILITY = 'log/durability.test.ts';
const VERIFY = 'replay/verify.test.ts';

export const SABOTAGES: readonly Sabotage[] = [
  {
    bug: 'the time gets into the random streams',
    promise: '1 determinism',
    file: 'base/rng.ts',
    find: 'const [a, b, c, d] = state;',
    put: 'const [a, b, c, d] = [state[0] ^ (performance.now() * 1000), state[1], state[2], state[3]];',
    check: 'orchestrator/determinism.test.ts',
    tests: 'makes a random run in sequential order again',
  },
  {
    bug: 'the chain leaves out what happened',
    promise: '1 determinism',
    file: 'log/chain.ts',
    find: 'events: step.events,',
    put: 'events: [],',
    check: 'log/chain.test.ts',
    tests: 'the chain of a step',
  },
  {
    bug: 'stored replies of a step that was begun are forgotten',
    promise: '2 kill',
    file: 'replay/past.ts',
    find: 'calls: calls.filter(({ request }) => !isBeside.has(request.purpose)),',
    put: 'calls: [],',
    ...SIMULATION,
  },
  {
    bug: 'a turn that goes on begins anew',
    promise: '2 kill',
    file: 'orchestrator/progress.ts',
    find: 'this.#waiting ??= active;',
    put: 'this.#waiting = active;',
    ...SIMULATION,
  },
  {
    bug: 'numbers of calls that were begun are given again',
    promise: '2 kill',
    file: 'replay/past.ts',
    find: 'isAll ? Number.MAX_SAFE_INTEGER : last',
    put: 'last',
    ...SIMULATION,
  },
  {
    bug: 'what came from outside is fetched again',
    promise: '2 kill',
    file: 'replay/past.ts',
    find: 'outside: steps.flatMap((step) => reader.outside(runId, step)),',
    put: 'outside: [],',
    check: RESUME,
    tests: 'reaches outside once for what is stored',
  },
  {
    bug: "a controller's memory is lost with its process",
    promise: '2 kill',
    file: 'orchestrator/retrace.ts',
    find: 'if (isActing && end?.kind === ',
    put: 'if (!isActing && end?.kind === ',
    check: RESUME,
    tests: 'goes on again and again',
  },
  {
    bug: 'a step is told before it is durable',
    promise: '2 kill',
    file: 'log/writer.ts',
    find: 'this.#staged.push(record);',
    put: 'this.#staged.push(record);\n    for (const listener of this.#listeners) listener(record);',
    check: DURABILITY,
    tests: 'tells of a step once it is durable',
  },
  {
    bug: 'a request goes out before the step before it is committed',
    promise: '2 kill',
    file: 'orchestrator/ask.ts',
    find: 'parts.sink.request(request, seat.controller.isRemote);',
    put: 'parts.sink.request(request, false);',
    check: 'orchestrator/durability.test.ts',
    tests: 'of a remote agent is committed with the next request',
  },
  {
    bug: 'a reply is not committed before it is read',
    promise: '2 kill',
    file: 'log/writer.ts',
    find: 'this.#write(() => this.#rows.reply(runId, call, end), durable);',
    put: 'this.#write(() => this.#rows.reply(runId, call, end), false);',
    check: DURABILITY,
    tests: 'two per step with a remote one',
  },
  {
    bug: 'a full disk is told as a busy one',
    promise: '3 disk full',
    file: 'log/failures.ts',
    find: "['SQLITE_FULL', SPACE],",
    put: "['SQLITE_FULL', BUSY],",
    check: FAILURES,
    tests: 'a full disk',
  },
  {
    bug: 'the writer goes on after a failure',
    promise: '3 disk full',
    file: 'log/writer.ts',
    find: 'if (this.#failure !== null) throw this.#refusal(this.#failure);',
    put: '',
    check: FAILURES,
    tests: 'nothing of the open transaction is kept',
  },
  {
    bug: 'commits are not synced',
    promise: '4 power loss',
    file: 'log/file.ts',
    find: "db.pragma('synchronous = FULL');",
    put: "db.pragma('synchronous = NORMAL');",
    check: DURABILITY,
    tests: 'syncs every commit',
  },
  {
    bug: "a killed writer's journal is not played back",
    promise: '4 power loss',
    file: 'log/file.ts',
    find: 'playBack(copy, path);',
    put: '',
    check: 'promises/power-loss.test.ts',
    tests: 'traced elsewhere leaves every finished step',
  },
  {
    bug: 'texts are not held against their hashes',
    promise: '5 corruption',
    file: 'log/blobs.ts',
    find: "this.#checking === 'unchecked' || read.hash === row.sha256",
    put: 'true',
    check: FAILURES,
    tests: 'is found in texts by their hashes',
  },
  {
    bug: 'pictures are not held against their hashes',
    promise: '5 corruption',
    file: 'log/frames.ts',
    find: 'if (sha256(png) !== row.sha256) throw',
    put: 'if (png.length < 0) throw',
    check: FAILURES,
    tests: 'is found in pictures by their hashes',
  },
  {
    bug: "a stranger's tables are not looked at",
    promise: '5 corruption',
    file: 'log/file.ts',
    find: 'checkTables(db, shown);',
    put: '',
    check: FAILURES,
    tests: 'trigger is refused in words',
  },
  {
    bug: 'a few bytes may unfold to any length',
    promise: '5 corruption',
    file: 'log/blobs.ts',
    find: ', { maxOutputLength: inflatedMax(row.bytes) }',
    put: '',
    check: FAILURES,
    tests: 'without unfolding more than was promised',
  },
  {
    bug: 'verify takes any picture for the same',
    promise: '5 corruption',
    file: 'replay/pixels.ts',
    find: 'if (found === null) continue;',
    put: 'if (found !== undefined) continue;',
    check: VERIFY,
    tests: 'a pixel of a frame',
  },
  {
    bug: 'verify compares no step',
    promise: '5 corruption',
    file: 'replay/playback.ts',
    find: 'compareStep(record, this.#calls.renumbered(made), this.#partsOf);',
    put: '',
    check: VERIFY,
    tests: 'one field of a step, changed a part of the state',
  },
  {
    bug: 'verify does not look at what was played',
    promise: '5 corruption',
    file: 'replay/verify.ts',
    find: 'genesisHash, made);',
    put: 'made, made);',
    check: VERIFY,
    tests: 'what the run began with, changed with its hashes the scenario$',
  },
  {
    bug: 'simultaneous intents are taken as they come',
    promise: '6 order',
    file: 'worlds/grid/advance.ts',
    find: 'return acts.toSorted((a, b) => compareText(a.intent.agent, b.intent.agent));',
    put: 'return [...acts];',
    check: 'promises/order.test.ts',
    // Not the YAML files of every scenario.
    tests: '^(?!.*means the same in any order)',
  },
  {
    bug: 'bodies out of sight are listed',
    promise: '7 no leaks',
    file: 'worlds/grid/view.ts',
    find: '({ id, x, y }) => id !== self.id && sight.has(x, y)',
    put: '({ id }) => id !== self.id',
    check: 'promises/no-leaks.test.ts',
    tests: 'give the same messages and pixels',
  },
  {
    bug: "an action out of an agent's scope is accepted",
    promise: '8 parser',
    file: 'parse/bind.ts',
    find: 'if (!observation.scope.includes(action.name)) {',
    put: 'if (observation.scope.length < 0) {',
    check: 'promises/parser.test.ts',
    tests: 'is read without an exception',
  },
  {
    bug: 'control tokens stay whole in a quotation',
    promise: '9 speech',
    file: 'base/text.ts',
    find: 'return JSON.stringify(breakControlTokens(oneLine(text, max)));',
    put: 'return JSON.stringify(oneLine(text, max));',
    check: 'promises/speech.test.ts',
    tests: 'holds exactly what was said, and nothing that acts',
  },
  {
    bug: 'two processes may write one log',
    promise: 'one writer',
    file: 'log/claim.ts',
    find: 'return processIdentity(row.pid) === row.process;',
    put: 'return row.pid < 0;',
    check: DURABILITY,
    tests: 'within one process too',
  },
  {
    bug: 'a writer that lost its claim writes on',
    promise: 'one writer',
    file: 'log/writer.ts',
    find: 'if (this.#writerToken.get() !== this.#token) throw taken(this.path, null);',
    put: '',
    check: DURABILITY,
    tests: 'takes over from a process that is gone',
  },
  {
    bug: 'the state is never stored',
    promise: 'instant steps',
    file: 'orchestrator/progress.ts',
    find: 'step % SNAPSHOT_EVERY === 0',
    put: 'step < 0',
    check: 'orchestrator/determinism.test.ts',
    tests: 'stand at every 256th step',
  },
];
