/** An environment without a picture that no line of src knows, through every command: the contract is general. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { LIBRARY_YAML } from '../support/library-scenario.js';
import { libraryModule } from '../support/library-world.js';

const folder = temporaryFolder();
const modules = [libraryModule()];
const on = (args: readonly string[], stdin = '') => orchestrate(args, { cwd: folder, modules, stdin });

beforeAll(() => writeFileSync(join(folder, 'question.yaml'), LIBRARY_YAML));

describe('an environment of one’s own', () => {
  it('is checked', async () => {
    const { code, out, err } = await on(['check', 'question.yaml']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^ok question.yaml: The Question \(1 agent, at most 5 turns\)\n/);
    // Its answer is a text that no search could hit upon.
    expect(out).toContain('not known whether it can be won');
  });

  it('has its own keys checked', async () => {
    writeFileSync(join(folder, 'wrong.yaml'), LIBRARY_YAML.replace('answer: blue', 'anser: blue'));
    const { code, err } = await on(['check', 'wrong.yaml']);
    expect(code).toBe(2);
    expect(err).toContain("wrong.yaml:5:1 error: unknown key 'anser'");
    expect(err).toContain("did you mean 'answer'?");
  });

  it('shows the first request, which has no picture', async () => {
    const { code, out } = await on(['preview', 'question.yaml', '--messages']);
    expect(code).toBe(0);
    expect(out).toContain('The question is: Which colour has the sky?');
    expect(out).toContain('LOOKUP');
    expect(out).not.toMatch(/picture|tiles/);
  });

  it('has no map to draw, and says so', async () => {
    const { code, err } = await on(['preview', 'question.yaml']);
    expect(code).toBe(2);
    expect(err).toContain('the environment "library" has no picture');
  });

  it('reads replies', async () => {
    const { code, out } = await on(['parse', 'question.yaml', '--json'], 'The sky?\nACTION: FIND "the sky"');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      ok: true,
      action: 'LOOKUP',
      args: { entry: 'the sky' },
      span: [17, 31],
      rung: 'label',
      problem: null,
    });
    const wrong = await on(['parse', 'question.yaml', '--json'], 'ACTION: GO NORTH');
    expect(JSON.parse(wrong.out)).toMatchObject({ ok: false, action: null });
  });

  it('is played, logged and shown', async () => {
    const run = await on(['run', 'question.yaml', '--out', 'run.sqlite']);
    expect(run.code).toBe(0);
    expect(run.out).toContain('LOOKUP "sky"');
    expect(run.out).toContain('succeeded: the answer is right');
    const shown = await on(['show', 'run.sqlite']);
    expect(shown.out).toContain('ANSWER "blue"');
    const step = await on(['show', 'run.sqlite', '--step', '1']);
    expect(step.code).toBe(0);
    expect(step.out).toContain('picture: none');
    expect(step.out).toContain('The catalogue says of "sky": "The sky is blue."');
    expect(step.out).toContain('ACTION: ⟦ANSWER "blue"⟧');
  });

  it('without its effect handler is refused before there is a log', async () => {
    const bare = [{ ...libraryModule(), effectHandlers: {} }];
    const refused = await orchestrate(['run', 'question.yaml', '--out', 'bare.sqlite'], {
      cwd: folder,
      modules: bare,
    });
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('needs the effect handler "catalogue"');
    expect(existsSync(join(folder, 'bare.sqlite'))).toBe(false);
  });

  it('is unknown to every file of src', () => {
    const src = new URL('../../src/', import.meta.url);
    const naming = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .filter((path) => /'library'|LOOKUP|catalogue/.test(sourceOf(new URL(path, src))));
    expect(naming).toEqual([]);
  });
});

/** Without the owner that Ollama names of its models, which is no environment. */
function sourceOf(file: URL): string {
  return readFileSync(file, 'utf8').replace("owner: 'library'", '');
}
