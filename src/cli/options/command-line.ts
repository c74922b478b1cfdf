/** The command line as yargs parses it: strict, with suggestions, and our own messages. */
import yargs from 'yargs';
import type { Argv, PositionalOptions } from 'yargs';
import { lookUp } from '../../base/look-up.js';
import { nearest } from '../../base/nearest.js';
import { UsageError } from '../../base/errors.js';
import type { ExitCode } from '../../base/errors.js';
import { named } from './option.js';
import type { Chosen, Option, OptionTable } from './option.js';
import type { Io } from '../terminal/io.js';
import { PROGRAM_VERSION } from '../../assembly/version.js';

/** What a command file defines: its examples, its arguments and options, and what it does with them. */
export interface CommandSpec<A extends OptionTable, O extends OptionTable> {
  examples: readonly (readonly [string, string])[];
  arguments: A;
  options: O;
  run(options: Chosen<A & O>, io: Io): Promise<ExitCode>;
}

/** The same, for a command whose options only its own file knows. */
export interface CommandBody {
  options(parser: Argv): Argv;
  run(options: object, io: Io): Promise<ExitCode>;
}

/** A command as `--help` lists it; its body is loaded on demand. */
export interface ListedCommand {
  /** As yargs spells it: `show <log>`. */
  usage: string;
  summary: string;
  load: () => Promise<CommandBody>;
}

export function command<A extends OptionTable, O extends OptionTable>(spec: CommandSpec<A, O>): CommandBody {
  return {
    options: (parser) => {
      for (const [usage, description] of spec.examples) parser.example(usage, description);
      for (const [name, make] of Object.entries<Option>(spec.arguments))
        parser.positional(name, make(name) as PositionalOptions);
      return parser.options(named(spec.options));
    },
    run: (options, io) => spec.run(options as Chosen<A & O>, io),
  };
}

/** Marks an argument after `--` that begins with a dash; no process argument contains this character. */
const NO_OPTION = '\0';

/** Words after `--` are not options; yargs hides them from a command that asks for them. */
function withoutDoubleDash(args: readonly string[]): readonly string[] {
  const index = args.indexOf('--');
  if (index === -1) return args;
  const words = args.slice(index + 1).map((word) => (word.startsWith('-') ? `${NO_OPTION}${word}` : word));
  return [...args.slice(0, index), ...words];
}

/** The values made from such words, as they were typed. */
function restoreDashes(value: object): object {
  const restored = (one: unknown): unknown => {
    if (typeof one === 'string' && one.startsWith(NO_OPTION)) return one.slice(NO_OPTION.length);
    return Array.isArray(one) ? one.map(restored) : one;
  };
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, restored(one)]));
}

/**
 * Thrown once a command is chosen, to leave yargs early: after a handler, yargs would format the help of that
 * command, which is not needed and takes a twentieth of the time of `check`.
 */
class CommandChosen extends Error {
  readonly run: () => Promise<ExitCode>;

  constructor(run: () => Promise<ExitCode>) {
    super('a command was chosen');
    this.run = run;
  }
}

export async function readCommandLine(
  rawArgs: readonly string[],
  commands: readonly ListedCommand[],
  io: Io,
): Promise<(() => Promise<ExitCode>) | null> {
  const args = withoutDoubleDash(rawArgs);
  let parser = yargs([...args])
    .scriptName('orchestrate')
    .usage('$0 <command>\n\nLets vision-language models act in a shared world, and logs every step.')
    .wrap(Math.min(100, io.out.columns))
    .version(PROGRAM_VERSION)
    .help()
    .alias('h', 'help')
    .strict()
    .recommendCommands()
    .demandCommand(1, 'enter a command')
    .parserConfiguration({
      'duplicate-arguments-array': true,
      'parse-numbers': false,
      'camel-case-expansion': false,
    })
    .locale('en')
    .exitProcess(false)
    .fail((message, error) => {
      // An error thrown by `coerce` arrives as an error of yargs with our message.
      if (error instanceof Error && error.name !== 'YError') throw error;
      throw usageError(message || error.message, { parser, args, commands });
    })
    .completion('completion', 'Print a completion script for bash or zsh');
  for (const { usage: line, summary, load } of commands) {
    let body: CommandBody;
    parser = parser.command(
      line,
      summary,
      async (sub) => (body = await load()).options(sub),
      (options) => {
        throw new CommandChosen(() => body.run(restoreDashes(options), io));
      },
    );
  }
  try {
    await parser.parseAsync([...args], {}, (_error, _argv, output) => {
      if (output !== '') io.out.write(`${output}\n`);
    });
  } catch (error) {
    if (error instanceof CommandChosen) return error.run;
    // An error of an option after a command's body was loaded bypasses `fail`.
    if (!(error instanceof Error) || error.name !== 'YError') throw error;
    throw usageError(error.message, { parser, args, commands });
  }
  return null;
}

const LIST_HINT = 'orchestrate --help lists the commands, orchestrate <command> --help its options';

/**
 * For an unknown option or command, the nearest one is suggested; yargs's own messages are replaced by ours.
 */
function usageError(
  message: string,
  { parser, args, commands }: { parser: Argv; args: readonly string[]; commands: readonly ListedCommand[] },
): UsageError {
  const [commandName = ''] = args;
  const usage = commands.find((one) => one.usage.split(' ')[0] === commandName)?.usage;
  const [, suggestion] = /^Did you mean (.+)\?$/.exec(message) ?? [];
  if (suggestion !== undefined)
    return new UsageError(`there is no command ${JSON.stringify(commandName)}`, [
      `did you mean ${suggestion}?`,
      LIST_HINT,
    ]);
  const missingNames = usage === undefined ? null : missingArguments(message, usage);
  if (missingNames !== null)
    return new UsageError(`${commandName} needs ${missingNames}`, [
      `orchestrate ${usage ?? ''}${missingNames.startsWith('--') ? ` ${missingNames.replaceAll(' and', ' …')} …` : ''}`,
      `orchestrate ${commandName} --help shows its options`,
    ]);
  const [, unknownWord] = /^Unknown arguments?: ([^-,][^,]*)/.exec(message) ?? [];
  // If the first word is not a command, yargs does not know the command's options either, and may complain
  // about one of those instead.
  const meantAsCommand = commandName.startsWith('-') ? unknownWord : commandName;
  if (unknownWord !== undefined && usage === undefined && args.includes(meantAsCommand ?? ''))
    return new UsageError(`there is no command ${JSON.stringify(meantAsCommand)}`, [LIST_HINT]);
  const [, option, value, choices] =
    /^Invalid values:\s+Argument: (\S+), Given: (.*), Choices: (.*)$/.exec(message) ?? [];
  if (option !== undefined) return choiceError(option, value ?? '', choices ?? '');
  const [, unknownOption] = /^Unknown arguments?: ([^,]+)/.exec(message) ?? [];
  const nearestName = unknownOption === undefined ? undefined : nearest(unknownOption, optionNames(parser));
  const hints = nearestName === undefined ? [] : [`did you mean --${nearestName}?`];
  const isOption = unknownOption !== undefined && args.some((one) => one.startsWith(`--${unknownOption}`));
  return new UsageError(isOption ? `there is no option --${unknownOption}` : message, [...hints, LIST_HINT]);
}

const ARGUMENT_NAMES: Readonly<Record<string, string>> = {
  scenario: 'a scenario file',
  file: 'a batch file',
  log: 'a log',
  a: 'a log',
  question: 'a question',
};

/**
 * "a log and a question", "--format and --out": required arguments that are missing; null if the error is
 * something else.
 */
function missingArguments(message: string, usage: string): string | null {
  if (message.startsWith('Not enough non-option arguments'))
    return Array.from(
      usage.matchAll(/<(\w+)/g),
      ([, place = '']) => lookUp(ARGUMENT_NAMES, place) ?? place,
    ).join(' and ');
  const [, options] = /^Missing required arguments?: (.+)$/.exec(message) ?? [];
  return options === undefined
    ? null
    : options
        .split(', ')
        .map((option) => `--${option}`)
        .join(' and ');
}

/** `given` and `choices` as yargs formats them: in double quotes, separated by commas. */
function choiceError(option: string, value: string, choices: string): UsageError {
  const known = Array.from(choices.matchAll(/"([^"]*)"/g), ([, word = '']) => word);
  const nearestName = nearest(value.replaceAll('"', ''), known);
  const hints = nearestName === undefined ? [] : [`did you mean ${nearestName}?`];
  return new UsageError(`--${option} takes ${choices}, not ${value}`, [...hints, LIST_HINT]);
}

/** yargs supports them, but its published types don't. */
function optionNames(parser: Argv & { getOptions?: () => { key: object } }): readonly string[] {
  return Object.keys(parser.getOptions?.().key ?? {});
}
