/** The real server that `npm run test:vllm` started, and what it tells of itself. */

export function serverUrl(): string {
  const url = process.env['VLLM_BASE_URL'];
  if (url === undefined) throw new Error('these tests are run by `npm run test:vllm`');
  return url;
}

async function text(path: string): Promise<string> {
  const answer = await fetch(new URL(path, serverUrl()));
  expectOk(answer);
  return answer.text();
}

function expectOk(answer: Response): void {
  if (!answer.ok) throw new Error(`HTTP ${answer.status} from ${answer.url}`);
}

export async function serverVersion(): Promise<string> {
  return (JSON.parse(await text('/version')) as { version: string }).version;
}

/** A counter of its own, by its name without `vllm:` and `_total`. */
export async function metric(name: string): Promise<number> {
  const line = new RegExp(`^vllm:${name}_total\\{[^}]*\\} (\\S+)$`, 'm').exec(await text('/metrics'));
  if (line === null) throw new Error(`the server counts no ${name}`);
  return Number(line[1]);
}
