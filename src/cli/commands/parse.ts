/**
 * `parse <scenario>`: parses a reply from standard input as it would be parsed at the first step of an agent
 * of the scenario.
 */
import { lookUp } from '../../base/look-up.js';
import { meantOf } from '../../base/nearest.js';
import { text } from 'node:stream/consumers';
import { counted } from '../../base/counted.js';
import { UsageError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { Problem } from '../../base/problem.js';
import type { ToolCall } from '../../model/chat.js';
import { member } from '../../model/fault.js';
import { finishedAs } from '../../model/endings.js';
import { toReply } from '../../model/reply.js';
import { interpret } from '../../binding/interpret.js';
import type { Interpretation } from '../../binding/interpret.js';
import { protocolOf } from '../../parse/protocols.js';
import { PROTOCOL_NAMES } from '../../scenario/scenario.js';
import { ENV } from '../options/allow-options.js';
import { command } from '../options/command-line.js';
import { oneOf, flag, single, anyText } from '../options/option.js';
import { ROOT, SCENARIO, SET } from '../options/shared-options.js';
import { readText } from '../../assembly/files.js';
import { framePainter } from '../../assembly/painter.js';
import { fromCwd } from '../options/paths.js';
import type { Io } from '../terminal/io.js';
import { openForCommand } from '../play/open.js';
import { intentText } from '../../trajectory/act-text.js';
import { firstObservation } from '../text/first-request.js';
import { jsonText, painter } from '../terminal/style.js';
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import { loadOwnParts, MODULES } from '../options/modules.js';
import { parsedJson } from '../../base/json.js';

const OPTIONS = {
  ...ENV,
  ...MODULES,
  agent: single('Agent that gives the reply (default: the first agent)'),
  protocol: oneOf(PROTOCOL_NAMES, "Reply format, instead of the agent's"),
  'finish-reason': anyText("The server's finish reason (default: the one in the response, otherwise stop)"),
  'reasoning-file': single('Reasoning that the server returned separately'),
  ...ROOT,
  ...SET,
  json: flag('Print one JSON document: {ok, action, args, span, rung, problem}'),
};

export function parseCommand(modules: readonly EnvironmentModule[]) {
  return command({
    examples: [
      ["echo 'ACTION: GO NORTH' | $0 parse scenarios/crypt.yaml", 'a reply of the first agent'],
      ['$0 parse crypt.yaml --agent knight --finish-reason length < reply.txt', 'a reply that was cut off'],
      [
        '$0 parse crypt.yaml --protocol tools < message.json',
        "a server's response, or only its message, with native tool calls",
      ],
    ],
    arguments: SCENARIO,
    options: OPTIONS,
    run: async (options, io) => {
      const { set = [], env, root, 'finish-reason': givenReason, 'reasoning-file': reasoningFile } = options;
      const parts = await loadOwnParts(options.modules, io, modules);
      const opened = await openForCommand(options.scenario, { io, parts, set, env, root });
      const separateReasoning = reasoningFile === undefined ? null : readText(fromCwd(io, reasoningFile));
      const inputReply = replyOf((await text(io.stdin)).slice(0, LIMITS.replyBytes).toWellFormed());
      const inputReason = inputReply.finishReason === undefined ? 'stop' : inputReply.finishReason;
      const finishReason = finishedAs(givenReason ?? inputReason);
      const reply = { ...inputReply, reasoning: separateReasoning ?? inputReply.reasoning, finishReason };
      const { scenario, environment } = opened;
      const ids = scenario.agents.map(({ id }) => id);
      const id = options.agent ?? ids[0] ?? '';
      const agent = scenario.agents.find((one) => one.id === id);
      if (agent === undefined)
        throw new UsageError(`the scenario has no agent "${id}"`, [meantOf(id, ids, 'its agents')]);
      const ownProtocol =
        options.protocol === undefined ? lookUp(parts.seats.protocols, agent.id) : undefined;
      const protocol = ownProtocol ?? protocolOf(options.protocol ?? agent.protocol);
      const state = environment.create(scenario.seed);
      const { actions } = environment;
      const observation = firstObservation(opened, agent.id, framePainter(scenario, opened.loaded.tileset));
      const interpretation = interpret(reply, protocol, actions.list(), actions, observation);
      const { intent, reading } = interpretation;
      const problem =
        interpretation.problem ?? (intent === null ? null : (environment.check(state, intent) ?? null));
      if (options.json)
        // `action` is null if the action is refused; `args` and `span` still show what was understood.
        io.out.write(
          `${jsonText({
            ok: problem === null,
            action: problem === null ? (intent?.action ?? null) : null,
            args: intent?.args ?? (reading.ok ? reading.command.args : null),
            span: reading.span === null ? null : [reading.span.start, reading.span.end],
            rung: reading.rung,
            problem,
          })}\n`,
        );
      else io.out.write(formatReading(interpretation, problem, reply, io));
      return problem === null ? 0 : 1;
    },
  });
}

interface WrittenReply {
  content: string;
  reasoning: string | null;
  toolCalls: readonly ToolCall[];
  /** Undefined if the input does not contain it. */
  finishReason: string | null | undefined;
}

/**
 * A reply as text, or as a server gives it: the whole body of an answer (`{"choices": […]}`), one of its
 * choices, or a message with or without calls. In the protocols whose answers are objects, an object that is
 * none of these is the reply itself.
 */
function replyOf(input: string): WrittenReply {
  const value = input.trimStart().startsWith('{') ? parsedJson(input) : null;
  const object = typeof value === 'object' ? value : null;
  const ownChoice = member(object, 'message') === undefined ? { message: object } : object;
  const body = Array.isArray(member(object, 'choices')) ? object : { choices: [ownChoice] };
  const choice = member(member(body, 'choices'), '0');
  const isAnswer = body === object || isMessage(member(choice, 'message'));
  const reply = isAnswer ? toReply(body) : null;
  if (reply === null) return { content: input, reasoning: null, toolCalls: [], finishReason: undefined };
  const hasEnd = reply.finishReason !== null || member(choice, 'finish_reason') !== undefined;
  return hasEnd ? reply : { ...reply, finishReason: undefined };
}

/** JSON that identifies itself as a server's answer, or that contains nothing but text. */
function isMessage(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const keys = Object.keys(value);
  return (
    'tool_calls' in value ||
    'function_call' in value ||
    ('content' in value && ('role' in value || keys.length === 1))
  );
}

function formatReading(
  { reading, intent }: Interpretation,
  problem: Problem | null,
  { content, toolCalls }: WrittenReply,
  io: Io,
): string {
  const paint = painter(io, io.out);
  const { span } = reading;
  const markedReply =
    span === null
      ? shortened(content, 'middle')
      : `${shortened(content.slice(0, span.start), 'start')}${paint(['green', 'bold'], `⟦${shortened(content.slice(span.start, span.end), 'middle')}⟧`)}${shortened(content.slice(span.end), 'end')}`;
  // The arguments as they were understood, otherwise as they were written.
  const calls = reading.ok ? [reading.words] : toolCalls.map((one) => `${one.name} ${one.arguments}`);
  const facts = [
    ...(span === null ? calls.map((call) => `call     ${shortened(call, 'middle')}`) : []),
    `rule     ${reading.rung ?? 'none'}`,
    `span     ${span === null ? 'none' : `${span.start}–${span.end}`}`,
    `intent   ${intent === null ? 'none' : paint('cyan', intentText(intent))}`,
    ...(problem === null ? [] : [`problem  ${paint('yellow', problem.code)}: ${problem.message}`]),
  ];
  return `${markedReply.trimEnd()}\n\n${facts.join('\n')}\n`;
}

/**
 * The maximum number of characters of each part of the reply, because the user wants to see the result below.
 */
const SHOWN_CHARACTERS = 2000;

/** A long text, shortened where it is farthest from the span. */
function shortened(part: string, cut: 'start' | 'middle' | 'end'): string {
  if (part.length <= SHOWN_CHARACTERS) return part;
  const head = cut === 'start' ? 0 : cut === 'end' ? SHOWN_CHARACTERS : SHOWN_CHARACTERS / 2;
  const tail = SHOWN_CHARACTERS - head;
  const omitted = `\n… ${counted(part.length - SHOWN_CHARACTERS, 'more character')} …\n`;
  return `${part.slice(0, head)}${omitted}${tail === 0 ? '' : part.slice(-tail)}`.toWellFormed();
}
