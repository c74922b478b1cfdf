/**
 * The rules of the house, read from the source as text: who may import whom, who is pure, which package lives where, how long
 * files and functions may be. A rule that is broken names the file and the line.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

interface Source {
  /** Path from src/, with slashes. */
  readonly path: string;
  readonly folder: string;
  readonly text: string;
  readonly lines: readonly string[];
  readonly imports: readonly string[];
}

/** Made by `npm run proto` from the .proto files, and never read. */
const GENERATED = 'serve/gen/';

const IMPORT =
  /^(?:import|export)\s[^'"]*?from\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

function sources(folder: string): readonly Source[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.startsWith(GENERATED))
    .sort()
    .map((path) => {
      const text = readFileSync(join(ROOT, folder, path), 'utf8');
      const imports = [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
      return { path, folder: folderOf(path), text, lines: text.split('\n'), imports };
    });
}

/** What a world has beside its rules: the reader of its part of a scenario, who plays it without a model, what its actions do outside. */
const WORLD_PARTS = ['scenario', 'player', 'effects'] as const;

/** `worlds/grid/actions/go.ts` → `worlds/grid`, but its parts that are not pure stand for themselves; everything else by its first folder. */
function folderOf(path: string): string {
  const parts = path.split('/');
  if (parts.length === 1) return '';
  if (path.startsWith('view/page/')) return 'view/page';
  if (parts[0] !== 'worlds') return parts[0] ?? '';
  if (parts.length === 2) return 'worlds';
  const world = parts.slice(0, 2).join('/');
  if (parts[2] === 'module.ts') return `${world}/module`;
  return WORLD_PARTS.some((part) => part === parts[2]) ? parts.slice(0, 3).join('/') : world;
}

const SRC = sources('src');
const PATHS = new Set(SRC.map(({ path }) => path));

/** Whatever worlds there are: no rule names one. */
const WORLDS = readdirSync(join(ROOT, 'src/worlds'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `worlds/${name}`);

/** What each folder may import besides itself. The flow line reads from top to bottom. */
const LEAVES = ['base', 'speech', 'environment'];
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  package: [],
  listen: [],
  speech: ['base'],
  environment: ['base', 'speech'],
  ...Object.fromEntries(WORLDS.flatMap(worldRules)),
  worlds: [...LEAVES, 'scenario', 'agent', 'orchestrator', ...WORLDS.map((world) => `${world}/module`)],
  scenario: [...LEAVES, 'package'],
  render: LEAVES,
  model: [...LEAVES, 'scenario'],
  forms: [...LEAVES, 'model'],
  parse: [...LEAVES, 'model', 'forms'],
  binding: [...LEAVES, 'forms', 'parse'],
  solve: ['base', 'environment'],
  agent: [...LEAVES, 'scenario', 'model', 'forms', 'parse'],
  trajectory: [...LEAVES, 'scenario', 'model', 'parse'],
  log: [...LEAVES, 'scenario', 'model', 'trajectory'],
  orchestrator: [...LEAVES, 'scenario', 'model', 'parse', 'binding', 'solve', 'agent', 'trajectory'],
  assembly: [
    ...LEAVES,
    'package',
    'worlds',
    'scenario',
    'render',
    'model',
    'forms',
    'parse',
    'agent',
    'trajectory',
    'log',
    'orchestrator',
    'solve',
    'replay',
  ],
  batch: [
    ...LEAVES,
    'worlds',
    'scenario',
    'render',
    'model',
    'trajectory',
    'log',
    'orchestrator',
    'assembly',
    'replay',
  ],
  serve: [
    ...LEAVES,
    'listen',
    'model',
    'forms',
    'parse',
    'binding',
    'agent',
    'trajectory',
    'log',
    'assembly',
    'replay',
  ],
  gate: ['base', 'environment', 'scenario', 'forms', 'solve', 'assembly', 'batch', 'report'],
  mcp: ['base', 'serve', 'model', 'forms', 'parse', 'trajectory', 'agent', 'assembly'],
  runner: ['base', 'scenario', 'assembly'],
  cli: [
    ...LEAVES,
    'package',
    'serve',
    'mcp',
    'gate',
    'runner',
    'worlds',
    'batch',
    'scenario',
    'solve',
    'render',
    'model',
    'parse',
    'binding',
    'agent',
    'trajectory',
    'log',
    'orchestrator',
    'assembly',
    'replay',
    'report',
    'export',
    'view',
  ],
  view: [
    ...LEAVES,
    'listen',
    'package',
    'scenario',
    'render',
    'model',
    'parse',
    'agent',
    'trajectory',
    'log',
    'orchestrator',
    'replay',
  ],
  seat: ['base', 'serve', 'view/page'],
  'view/page': ['base', 'environment', 'render', 'replay', 'view'],
  report: [...LEAVES, 'scenario', 'model', 'trajectory', 'log'],
  export: [
    ...LEAVES,
    'scenario',
    'render',
    'model',
    'parse',
    'agent',
    'trajectory',
    'log',
    'replay',
    'solve',
  ],
  replay: [
    ...LEAVES,
    'scenario',
    'render',
    'model',
    'parse',
    'binding',
    'agent',
    'trajectory',
    'log',
    'orchestrator',
  ],
  conformance: [
    ...LEAVES,
    'scenario',
    'render',
    'model',
    'forms',
    'parse',
    'binding',
    'agent',
    'orchestrator',
    'assembly',
  ],
};

/** A world knows no other one, and its rules know nothing but the contract. */
function worldRules(world: string): readonly (readonly [string, readonly string[]])[] {
  const parts = WORLD_PARTS.map((part) => `${world}/${part}`);
  return [
    [world, LEAVES],
    [`${world}/scenario`, [...LEAVES, 'scenario', world]],
    [`${world}/player`, [...LEAVES, 'agent', world]],
    [`${world}/effects`, [...LEAVES, 'scenario', 'orchestrator', 'worlds', world, `${world}/scenario`]],
    [`${world}/module`, [...LEAVES, 'worlds', world, ...parts]],
  ];
}

const PACKAGES: Readonly<Record<string, readonly RegExp[]>> = {
  'rot-js': [/^worlds\/grid\//],
  '@napi-rs/canvas': [/^render\//],
  sharp: [/^render\//, /^export\//],
  'better-sqlite3': [/^log\//],
  'hyparquet-writer': [/^export\//],
  hyparquet: [/^view\//],
  'tar-stream': [/^export\//],
  jsep: [/^export\//],
  'fraction.js': [/^worlds\/toolbox\//],
  openai: [/^model\//],
  omggif: [/^render\//],
  yargs: [/^cli\//],
  yaml: [/^scenario\//],
  zod: [/^trajectory\//, /^log\//, /^scenario\//, /^worlds\/\w+\/scenario\//, /^batch\//],
  bullmq: [/^batch\/remote\//],
  ioredis: [/^batch\/remote\//],
  minio: [/^batch\/store\//],
  preact: [/^view\/page\//, /^seat\//],
  '@bufbuild/protobuf': [/^serve\//, /^seat\//],
  '@connectrpc/connect': [/^serve\//, /^seat\//],
  '@connectrpc/connect-web': [/^seat\//],
  '@connectrpc/connect-node': [/^serve\//],
  '@modelcontextprotocol/client': [/^mcp\//],
  '@modelcontextprotocol/node': [/^mcp\//],
  '@modelcontextprotocol/server': [/^mcp\//],
};

const PURE = [
  'base',
  'speech',
  'environment',
  ...WORLDS,
  'forms',
  'parse',
  'binding',
  'solve',
  'trajectory',
  ...WORLDS.flatMap((world) => [`${world}/scenario`, `${world}/player`]),
];

const IMPURE: readonly (readonly [RegExp, string])[] = [
  [/\bMath\.random\b/, 'Math.random'],
  [/\bDate\.now\b|\bnew Date\b/, 'the clock'],
  [/\bsetTimeout\b|\bsetInterval\b|\bsetImmediate\b|\bqueueMicrotask\b/, 'a timer'],
  [/\bprocess\./, 'process'],
  [/\bconsole\./, 'console'],
  [/\basync\b|\bawait\b|\bPromise\b/, 'async'],
  [/\bIntl\b|\blocaleCompare\b|\btoLocale/, 'the locale'],
  [/\bMath\.(?:sin|cos|tan|atan2?|pow|exp|log\d*|hypot|cbrt)\b|[^*]\*\*[^*/]/, 'inexact arithmetic'],
  [/\bperformance\./, 'the clock'],
  [/\bWeakRef\b|\bFinalizationRegistry\b/, 'the garbage collector'],
];

/** Code without comments and texts, line by line, so that a word in prose breaks no rule. */
function codeLines(source: Source): readonly string[] {
  const blank = (match: string): string => match.replace(/[^\n]/g, ' ');
  return withoutNotes(source)
    .replace(/`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, blank)
    .replace(/\/\/[^\n]*/g, blank)
    .split('\n');
}

/** The text without its block comments. */
function withoutNotes({ text }: Source): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, (match) => match.replace(/[^\n]/g, ' '));
}

function targetOf(source: Source, specifier: string): string {
  const path = normalize(join(dirname(source.path), specifier)).replace(/\.js$/, '.ts');
  return PATHS.has(`${path}x`) ? `${path}x` : path;
}

describe('imports', () => {
  it('point left in the flow line', () => {
    const broken = SRC.flatMap((source) =>
      source.imports
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => folderOf(targetOf(source, specifier)))
        .filter((folder) => folder !== source.folder && source.folder !== '')
        .filter((folder) => !(MAY_IMPORT[source.folder] ?? []).includes(folder))
        .map((folder) => `${source.path} imports ${folder}`),
    );
    expect(broken).toEqual([]);
  });

  it('name every folder that exists', () => {
    const folders = new Set(SRC.map((source) => source.folder).filter((folder) => folder !== ''));
    expect([...folders].filter((folder) => MAY_IMPORT[folder] === undefined)).toEqual([]);
  });

  it('form no cycle', () => {
    const graph = new Map(
      SRC.map((source) => [
        source.path,
        source.imports.filter((one) => one.startsWith('.')).map((one) => targetOf(source, one)),
      ]),
    );
    expect(cycleIn(graph)).toBeNull();
  });

  it('are followed through no more than 20 files that are loaded, 30 with those that only name types', () => {
    const chained = (pattern: RegExp) => (source: Source) =>
      [...source.text.matchAll(pattern)].map((match) => match[1] ?? '');
    const loaded = chained(/^(?:import|export)\s(?!type\b)[^'"]*?from\s+['"](\.[^'"]+)['"]/gm);
    const named = chained(/^(?:import|export)\s[^'"]*?from\s+['"](\.[^'"]+)['"]/gm);
    expect(longestChain(loaded)).toBeLessThanOrEqual(20);
    expect(longestChain(named)).toBeLessThanOrEqual(30);
  });

  it("reach a command's file from the list of commands alone", () => {
    const broken = SRC.filter(({ path }) => path !== 'cli/commands.ts').flatMap((source) =>
      source.imports
        .filter((one) => one.startsWith('.') && targetOf(source, one).startsWith('cli/commands/'))
        .map((one) => `${source.path} imports ${one}`),
    );
    expect(broken).toEqual([]);
  });

  it('of a package stay in its folder', () => {
    const broken = SRC.flatMap((source) =>
      source.imports
        .filter((specifier) => !specifier.startsWith('.') && !specifier.startsWith('node:'))
        .map((specifier) =>
          specifier
            .split('/')
            .slice(0, specifier.startsWith('@') ? 2 : 1)
            .join('/'),
        )
        .filter((name) => !(PACKAGES[name] ?? []).some((place) => place.test(source.path)))
        .map((name) => `${source.path} imports ${name}`),
    );
    expect(broken).toEqual([]);
  });

  it('reach a file that exists', () => {
    const paths = new Set(SRC.map((source) => source.path));
    const missing = SRC.flatMap((source) =>
      source.imports
        .filter((one) => one.startsWith('.') && !one.includes(`/${GENERATED.split('/')[1]}/`))
        .filter((one) => !paths.has(targetOf(source, one)))
        .map((one) => `${source.path}: ${one}`),
    );
    expect(missing).toEqual([]);
  });
});

/** How many files the longest chain has in which each imports the next; there is no cycle. */
function longestChain(importsOf: (source: Source) => readonly string[]): number {
  const byPath = new Map(SRC.map((source) => [source.path, source]));
  const lengths = new Map<string, number>();
  const lengthAt = (path: string): number => {
    const source = byPath.get(path);
    if (source === undefined) return 0;
    const length =
      lengths.get(path) ??
      1 + Math.max(0, ...importsOf(source).map((specifier) => lengthAt(targetOf(source, specifier))));
    lengths.set(path, length);
    return length;
  };
  return Math.max(...SRC.map(({ path }) => lengthAt(path)));
}

function cycleIn(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | null {
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): readonly string[] | null => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return null;
    for (const next of graph.get(path) ?? []) {
      const found = visit(next, [...trail, path]);
      if (found !== null) return found;
    }
    done.add(path);
    return null;
  };
  for (const path of graph.keys()) {
    const found = visit(path, []);
    if (found !== null) return found;
  }
  return null;
}

describe('pure folders', () => {
  const pure = SRC.filter((source) => PURE.includes(source.folder));

  it('import nothing of Node but hashing', () => {
    const broken = pure.flatMap((source) =>
      source.imports
        .filter((one) => one.startsWith('node:') && !(source.folder === 'base' && one === 'node:crypto'))
        .map((one) => `${source.path} imports ${one}`),
    );
    expect(broken).toEqual([]);
  });

  it('touch no clock, chance, timer, process or locale', () => {
    const broken = pure.flatMap((source) =>
      codeLines(source).flatMap((line, i) =>
        IMPURE.filter(([pattern]) => pattern.test(line)).map(
          ([, what]) => `${source.path}:${i + 1} uses ${what}`,
        ),
      ),
    );
    expect(broken).toEqual([]);
  });

  it('keep no Map or Set in what they export as state', () => {
    const states = SRC.filter((source) => /^worlds\/\w+\/state\.ts$/.test(source.path));
    expect(states.length).toBeGreaterThan(1);
    for (const { text } of states) expect(text).not.toMatch(/\b(?:Map|Set)</);
  });
});

describe("the browser's page", () => {
  it('is made of nothing that reaches for Node, however far its imports lead', () => {
    const values = (source: Source) =>
      [...source.text.matchAll(/^(?:import|export)\s(?!type\b)[^'"]*?from\s+['"]([^'"]+)['"]/gm)].map(
        (match) => match[1] ?? '',
      );
    const isForBrowsers = (specifier: string) =>
      /^(?:preact|@bufbuild\/protobuf|@connectrpc\/connect(?:-web)?)(?:\/|$)/.test(specifier);
    const reached = new Set(['view/page/main.tsx', 'view/page/list-main.tsx', 'seat/main.tsx']);
    const broken: string[] = [];
    for (const path of reached) {
      const source = SRC.find((one) => one.path === path);
      if (source === undefined) continue;
      for (const specifier of values(source)) {
        if (specifier.startsWith('.')) reached.add(targetOf(source, specifier));
        else if (!isForBrowsers(specifier)) broken.push(`${path} imports ${specifier}`);
      }
      if (codeLines(source).some((line) => /\bBuffer\b|\bprocess\./.test(line)))
        broken.push(`${path} uses Node`);
    }
    expect(reached.size).toBeGreaterThan(20);
    expect(broken).toEqual([]);
  });

  it('makes no markup of texts', () => {
    const broken = SRC.filter(({ path }) => /^(?:view\/page|seat)\//.test(path)).flatMap((source) =>
      codeLines(source).flatMap((line, i) =>
        /innerHTML|outerHTML|dangerouslySet|insertAdjacent|document\.write|DOMParser|createContextualFragment|srcdoc|setHTML/.test(
          line,
        )
          ? [`${source.path}:${i + 1}`]
          : [],
      ),
    );
    expect(broken).toEqual([]);
  });
});

describe('worlds', () => {
  it('are unknown to render, agent and model, which see observations and scenes alone', () => {
    const broken = SRC.filter((source) =>
      ['render', 'agent', 'model', 'parse', 'binding', 'trajectory', 'log', 'orchestrator'].includes(
        source.folder,
      ),
    )
      .filter((source) => source.imports.some((one) => targetOf(source, one).startsWith('worlds/')))
      .map((source) => source.path);
    expect(broken).toEqual([]);
  });

  it('are called by name in no line of what serves them all', () => {
    const serving =
      'render agent model parse binding trajectory log orchestrator replay solve conformance cli'.split(' ');
    const broken = SRC.filter(({ folder }) => serving.includes(folder)).flatMap((source) =>
      withoutNotes(source)
        .split('\n')
        .flatMap((line, i) =>
          /\b(?:workcell|toolbox)\b|(["'`])grid\1/i.test(line)
            ? [`${source.path}:${i + 1} ${line.trim()}`]
            : [],
        ),
    );
    expect(broken).toEqual([]);
  });
});

describe('text for terminals', () => {
  /** Make codes for terminals, or read their answers. */
  const CODES =
    'half-blocks kitty-image pictures screen style terminal-codes terminal-query text-output'.split(' ');
  const isCode = ({ path }: Source): boolean => CODES.some((name) => path === `cli/terminal/${name}.ts`);
  const isEntry = ({ path }: Source): boolean => path === 'cli/terminal/io.ts' || path === 'cli/program.ts';

  const PAST_THE_OUTPUT =
    /\bprocess\W{0,4}(?:stdout|stderr)|\bconsole\b\s*[.[]|from 'node:(?:process|console|tty)'|\bwriteSync\(\s*[12]\b|\/dev\/(?:tty|std)|stdio: (?!'ignore'|'pipe'|\['pipe', 'ignore', 'pipe'\])/;
  const ESCAPE =
    /\\u00(?:1b|07|9[b-f]|08)|\\u\{(?:1b|9[b-f])\}|\\x(?:1b|07|9[b-f])|\\033|[\u001b\u0007\u009b]/i;

  const found = (pattern: RegExp, isAllowed: (source: Source) => boolean): readonly string[] =>
    SRC.filter((source) => !isAllowed(source)).flatMap((source) =>
      withoutNotes(source)
        .split('\n')
        .flatMap((line, i) => (pattern.test(line) ? [`${source.path}:${i + 1} ${line.trim()}`] : [])),
    );

  it('leaves through a text output alone', () => {
    expect(found(PAST_THE_OUTPUT, isEntry)).toEqual([]);
    // These files open the outputs and listen to the streams; they write nothing.
    for (const { text } of SRC.filter(isEntry))
      expect(text).not.toMatch(/(?:out|err)\.(?:write|end)\(|console\./);
    expect(
      found(
        /\btextOutput\(/,
        ({ path }) => path === 'cli/terminal/text-output.ts' || path === 'cli/terminal/io.ts',
      ),
    ).toEqual([]);
  });

  it('holds codes that are made in few files', () => {
    const readsText = /^(?:base\/text|scenario\/source|export\/redaction)\.ts$/;
    expect(found(ESCAPE, (source) => isCode(source) || readsText.test(source.path))).toEqual([]);
    expect(found(/\bownCode\b/, isCode)).toEqual([]);
  });

  it('is bytes only where a file goes to standard output', () => {
    expect(found(/\.writeBytes\(/, ({ path }) => path === 'cli/commands/preview.ts')).toEqual([]);
  });

  it.each([
    [PAST_THE_OUTPUT, 'process.stdout.write(words);'],
    [PAST_THE_OUTPUT, "process['stderr'].write(words);"],
    [PAST_THE_OUTPUT, 'console.log(words);'],
    [PAST_THE_OUTPUT, "import { stdout } from 'node:process';"],
    [PAST_THE_OUTPUT, 'writeSync(1, words);'],
    [PAST_THE_OUTPUT, "spawn(program, [], { stdio: 'inherit' });"],
    [ESCAPE, "const RED = '\\u001b[31m';"],
    [ESCAPE, "const RED = '\\x1b[31m';"],
    [ESCAPE, "const RED = '\u001b[31m';"],
  ])('%s would find %s', (pattern, line) => {
    expect(line).toMatch(pattern);
  });
});

describe('house style', () => {
  it('keeps every source file under 400 lines', () => {
    expect(SRC.filter((source) => source.lines.length > 401).map((source) => source.path)).toEqual([]);
  });

  it('opens every source file with a comment that says what it is', () => {
    const bare = SRC.filter((source) => !/^(?:#!.*\n)?\/\*\*/.test(source.text)).map((source) => source.path);
    expect(bare).toEqual([]);
  });

  it('keeps every function within 100 lines', () => {
    expect(SRC.flatMap((source) => longFunctions(source))).toEqual([]);
  });

  it('uses no name that says nothing', () => {
    const banned = /(?:^|\/)(?:utils?|helpers?|managers?|common|misc|enhanced-[^/]*|new-[^/]*)\.tsx?$/;
    expect(
      SRC.map((source) => source.path).filter((path) => banned.test(path) || /[A-Z_]/.test(path)),
    ).toEqual([]);
  });

  it('leaves nothing for later and switches no check off', () => {
    const left = SRC.flatMap((source) => {
      const code = codeLines(source);
      return source.lines.flatMap((line, i) =>
        /\b(?:TODO|FIXME|XXX)\b|@ts-ignore|@ts-expect-error|lint-disable(?!.* -- )/.test(line) ||
        /\bas any\b|: any\b/.test(code[i] ?? '')
          ? [`${source.path}:${i + 1} ${line.trim()}`]
          : [],
      );
    });
    expect(left).toEqual([]);
  });

  it('never runs text as code', () => {
    const broken = SRC.flatMap((source) =>
      codeLines(source).flatMap((line, i) =>
        /\beval\(|\bnew Function\b|\bFunction\(|\bvm\.|shell:\s*true/.test(line)
          ? [`${source.path}:${i + 1}`]
          : [],
      ),
    );
    expect(broken).toEqual([]);
  });

  it('has no source file that nothing imports', () => {
    const imported = new Set([
      ...SRC.flatMap((source) => source.imports.map((one) => targetOf(source, one))),
      ...scriptImports(),
    ]);
    const doors = [
      'index.ts',
      'conformance/index.ts',
      'cli/main.ts',
      'view/page/main.tsx',
      'view/page/list-main.tsx',
      'seat/main.tsx',
      // Processes of their own.
      'assembly/guard.ts',
      'cli/batch-worker.ts',
      'cli/log-worker.ts',
    ];
    expect(
      SRC.map((source) => source.path).filter((path) => !imported.has(path) && !doors.includes(path)),
    ).toEqual([]);
  });
});

/** What the generators under scripts/ take from the built sources. */
function scriptImports(): readonly string[] {
  return readdirSync(join(ROOT, 'scripts'), { encoding: 'utf8' })
    .filter((path) => path.endsWith('.mjs'))
    .map((path) => readFileSync(join(ROOT, 'scripts', path), 'utf8'))
    .flatMap((text) =>
      [...text.matchAll(/'\.\.\/dist\/modules\/([^']+)\.js'/g)].map((match) => `${match[1] ?? ''}.ts`),
    );
}

/** Functions and methods whose body spans more than 100 lines, found by their indentation (the formatter keeps it). */
function longFunctions(source: Source): readonly string[] {
  const found: string[] = [];
  source.lines.forEach((line, start) => {
    const opening =
      /^(\s*)(?:export )?(?:async )?(?:function\b|(?:static |override |readonly )*#?[a-z]\w*\(.*\{$|const \w+ = .*=> \{$)/i.exec(
        line,
      );
    if (opening === null || /^\s*(?:if|for|while|switch|return)\b/.test(line)) return;
    const close = `${opening[1] ?? ''}}`;
    // A call's function ends with the call, as in `useLayoutEffect(() => {` … `}, [step]);`.
    const closes = line.endsWith('=> {') ? [`${close};`, `${close})`, `${close},`] : [`${close};`];
    const end = source.lines.findIndex(
      (other, i) => i > start && (other === close || closes.some((one) => other.startsWith(one))),
    );
    if (end - start > 100) found.push(`${relative('.', source.path)}:${start + 1} has ${end - start} lines`);
  });
  return found;
}

it('ARCHITECTURE.md is one page: at most 900 words', () => {
  const words = readFileSync('ARCHITECTURE.md', 'utf8')
    .split(/\s+/)
    .filter((word) => word !== '');
  expect(words.length).toBeLessThanOrEqual(900);
});
