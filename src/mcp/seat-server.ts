/**
 * What an MCP client of one entity gets: a tool for each action of the entity, named as the scenario names it, or with `?reply` one
 * tool for a whole reply; `observe`, the rules, the memory and the pictures. Results are the messages that any
 * agent is sent, with the picture as an image.
 */
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { CallToolResult, ContentBlock, ServerContext, Tool } from '@modelcontextprotocol/server';
import { embeddedReply } from '../agent/controllers/embedded-reply.js';
import { vocabularyOf } from '../assembly/seats.js';
import { PROGRAM_VERSION } from '../assembly/version.js';
import { parametersSchema } from '../forms/schema.js';
import type { VocabularyAction } from '../forms/vocabulary.js';
import type { Message, MessagePart, Reply } from '../model/chat.js';
import { protocolOf } from '../parse/protocols.js';
import { commandWords } from '../serve/intents.js';
import { ServeError } from '../serve/serve-error.js';
import type { McpSeat, Told } from './seat.js';
import type { McpCaller, McpSeats } from './seats.js';
import { SENT_UNSEEN } from './sent-unseen.js';

const RULES_URI = 'orchestrate://rules';
const MEMORY_URI = 'orchestrate://memory';
const PICTURE_URI = 'orchestrate://picture/';

export function seatServer(caller: McpCaller, seats: McpSeats): Server {
  const { run, entity, isReply } = caller;
  const { environment, scenario } = run.opened;
  const agent = scenario.agents.find(({ id }) => id === entity);
  const protocol = protocolOf(agent?.protocol ?? 'command');
  const vocabulary = vocabularyOf(environment, entity);
  const actions = new Map(vocabulary.map((action) => [action.name.toLowerCase(), action]));
  const observe = actions.has('observe') ? 'observe_turn' : 'observe';
  const gate = run.gate(entity);
  // How to answer is told only to those who write whole replies, or whose protocol is that of tools.
  const rules = isReply || protocol.name === 'tools' ? gate.instructions : gate.briefing;
  const instructions = `${rules}\n\nThe tool ${observe} shows what you perceive and waits for your turn. ${
    isReply ? 'The tool act takes your reply.' : 'Every other tool is an action.'
  } Each result shows what you perceive next; an error says why your action was refused.`;
  const server = new Server(
    { name: 'orchestrate', version: PROGRAM_VERSION, title: `${scenario.title}: ${agent?.name ?? entity}` },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions },
  );

  const tools = isReply
    ? [observeTool(observe), ACT]
    : [observeTool(observe), ...[...actions].map(actionTool)];
  server.setRequestHandler('tools/list', () => ({ tools: [...tools] }));

  /**
   * The reply that a call stands for: a native tool call where that is the protocol, otherwise its command as the protocol writes it;
   * a sentence if the action doesn't take these arguments.
   */
  const replyTo = (name: string, args: Record<string, unknown>): Reply | string => {
    const written = (content: string): Reply => ({ ...embeddedReply(content), model: caller.model });
    if (isReply) {
      const { reply } = args;
      return typeof reply === 'string'
        ? written(reply.toWellFormed())
        : 'Nothing was done: act needs reply, a text.';
    }
    const toolCalls = [
      { name: actions.get(name)?.name ?? name, arguments: JSON.stringify(args).toWellFormed() },
    ];
    if (protocol.name === 'tools') return { ...written(''), toolCalls };
    const reading = protocolOf('tools').read({ ...embeddedReply(''), toolCalls }, vocabulary);
    if (!reading.ok) return `Nothing was done: ${reading.problem.message}`;
    const { command } = reading;
    return written(protocol.replyText({ ...reading, words: commandWords(environment.actions, command) }));
  };

  // Some clients show their model nothing but results.
  const resultOf = (told: Told): CallToolResult => {
    if (told.kind === 'refused') return failed(told.mayAct ? told.reason : `${told.reason} Call ${observe}.`);
    const isFirst = told.kind === 'observation' && told.isFirst;
    return { content: [...(isFirst ? [textBlock(instructions)] : []), ...contentOf(told, observe)] };
  };

  server.setRequestHandler('tools/call', async ({ params }, context): Promise<CallToolResult> => {
    // Names are told in capitals where the agent's protocol is that of tools.
    const name = params.name.toLowerCase();
    const { _meta: meta } = params;
    const { args, turn } = withoutTurn(params.arguments ?? {}, actions.get(name));
    if (!tools.some((tool) => tool.name === name))
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `there is no tool "${params.name}"; the tools are ${tools.map((tool) => tool.name).join(', ')}`,
      );
    try {
      const seat = await seats.take(caller);
      return await seats.cancellable(caller, context.mcpReq, async (signal) => {
        const call = { signal, onWait: onWaitOf(context) };
        if (name === observe) return resultOf(await seat.observe(call));
        // What is decided in several calls at once was decided with one look.
        if (meta?.[SENT_UNSEEN] === true)
          return failed(
            `Nothing was done: it was sent before the answer to your earlier call. Call ${observe}.`,
          );
        const reply = replyTo(name, args);
        if (typeof reply === 'string') return failed(reply);
        return resultOf(await seat.act({ reply, turn }, call));
      });
    } catch (error) {
      if (!(error instanceof ServeError)) throw error;
      return failed(error.message);
    }
  });

  answerResources(server, { rules, seatOf: () => seats.of(caller) });

  server.setRequestHandler('prompts/list', () => ({
    prompts: [{ name: 'role', description: 'Who you are, your goals and the rules' }],
  }));
  server.setRequestHandler('prompts/get', ({ params: { name } }) => {
    if (name !== 'role')
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no prompt "${name}"; there is role`);
    return { messages: [{ role: 'user', content: { type: 'text', text: instructions } }] };
  });
  return server;
}

function observeTool(name: string): Tool {
  return {
    name,
    description: 'What you perceive now. Waits until it is your turn; costs nothing.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    annotations: { readOnlyHint: true },
  };
}

/**
 * A client that got no result may repeat its call, and has no way of the protocol's own to say so. An action's own parameter of
 * this name has precedence.
 */
const TURN = {
  type: 'integer',
  description: 'the number of the turn that you answer: nothing is done if it is over',
} as const;

const ACT: Tool = {
  name: 'act',
  description: 'Takes your turn with one whole reply, written as the instructions say.',
  inputSchema: {
    type: 'object',
    properties: { reply: { type: 'string', description: 'your reply' }, turn: TURN },
    required: ['reply'],
    additionalProperties: false,
  },
};

function actionTool([name, { description, grammar, cost }]: [string, VocabularyAction]): Tool {
  const schema = parametersSchema(grammar);
  const own = Object(schema['properties']) as NonNullable<Tool['inputSchema']['properties']>;
  return {
    name,
    description: `${description}${cost === 'free' ? ' Free: costs no turn.' : ''}`,
    inputSchema: { ...schema, properties: { ...own, turn: own['turn'] ?? TURN }, type: 'object' },
  };
}

/** A call's arguments for its action, and the turn that it names, if it names one. */
function withoutTurn(given: Record<string, unknown>, action: VocabularyAction | undefined) {
  const { turn, ...args } = given;
  const isOwn = 'turn' in Object(parametersSchema(action?.grammar ?? null)['properties']);
  return isOwn ? { args: given, turn: null } : { args, turn: turn == null ? null : Number(turn) };
}

function answerResources(
  server: Server,
  { rules, seatOf }: { rules: string; seatOf: () => McpSeat | null },
): void {
  server.setRequestHandler('resources/list', () => ({
    resources: [
      {
        uri: RULES_URI,
        name: 'rules',
        description: 'The rules, your role and your goals',
        mimeType: 'text/plain',
      },
      {
        uri: MEMORY_URI,
        name: 'memory',
        description: 'What the scenario lets you remember: notes, a summary or earlier turns',
        mimeType: 'text/plain',
      },
    ],
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      {
        uriTemplate: `${PICTURE_URI}{turn}`,
        name: 'picture',
        description: 'What you saw in a turn',
        mimeType: 'image/png',
      },
    ],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const text = (content: string) => ({ contents: [{ uri, mimeType: 'text/plain', text: content }] });
    if (uri === RULES_URI) return text(rules);
    if (uri === MEMORY_URI) return text(memoryText(seatOf()?.told?.messages ?? []));
    const turn = /^[1-9]\d{0,8}$/.exec(uri.startsWith(PICTURE_URI) ? uri.slice(PICTURE_URI.length) : '')?.[0];
    const picture = turn === undefined ? undefined : seatOf()?.pictureOf(Number(turn));
    if (picture == null)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no resource "${uri}"`);
    return { contents: [{ uri, mimeType: 'image/png', blob: base64(picture) }] };
  });
}

function failed(text: string): CallToolResult {
  return { isError: true, content: [textBlock(text)] };
}

/** Reports progress if the client asked for it. */
function onWaitOf({ mcpReq: { notify, _meta: meta } }: ServerContext): () => void {
  const progressToken = meta?.progressToken;
  let progress = 0;
  return () => {
    if (progressToken === undefined) return;
    const params = { progressToken, progress: ++progress, message: 'waiting for the others' };
    // The client may have left.
    notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

function textBlock(text: string): ContentBlock {
  return { type: 'text', text };
}

function contentOf(told: Exclude<Told, { kind: 'refused' }>, observe: string): ContentBlock[] {
  switch (told.kind) {
    case 'over':
      return [textBlock(told.reason)];
    case 'not-yet': {
      const why = told.hasBegun
        ? 'The others have not decided yet.'
        : 'The run has not begun yet: it waits for its other players.';
      return [textBlock(`${why} Call ${observe} again.`)];
    }
    case 'observation':
      return (told.input.messages.at(-1)?.parts ?? []).map(blockOf);
  }
}

function blockOf(part: MessagePart): ContentBlock {
  return part.kind === 'text'
    ? { type: 'text', text: part.text }
    : { type: 'image', data: base64(part.png), mimeType: 'image/png' };
}

/** What stands between the rules and the present. */
function memoryText(messages: readonly Message[]): string {
  const past = messages.slice(1, -1).map(({ role, parts }) => {
    const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
    return `${role === 'assistant' ? 'You answered' : 'You were told'}:\n${texts.join('\n')}`;
  });
  return past.length === 0 ? 'You remember nothing.' : past.join('\n\n');
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
