/**
 * A stranger's scenarios that try to read the machine's variables: every place of a scenario and of a batch where text is expanded, in every
 * command that opens one. In: the name of a variable; out: files and a command line.
 */
import { corridor } from '../orchestrator/two-agents.js';

/** The first are tried in any case, the others in a soak. */
export const SECRET_NAMES: readonly string[] = [
  // As near to what may be read as a name can be.
  'VLLM_URLS',
  'VLLM_URL_',
  'vllm_url',
  'MY_VLLM_URL',
  'VLLM_API_KEY',
  'ORCHESTRATE_TOKEN',
  // What holds secrets somewhere; much of it looks harmless.
  'OPENAI_API_KEY',
  'AWS_SECRET_ACCESS_KEY',
  'DATABASE_URL',
  'REDIS_URL',
  'MONGODB_URI',
  'SENTRY_DSN',
  'SMTP_PASS',
  'MYSQL_PWD',
  'PGPASSFILE',
  'CONNECTION_STRING',
  'SLACK_WEBHOOK',
  'STRIPE_SK',
  'TWILIO_AUTH',
  'GPG_PASSPHRASE',
  'JWT_SIGNING',
  'ENCRYPTION_SALT',
  'OTP_SEED',
  'WIFI_PSK',
  'PIN',
  'GH_PAT',
  'HF_HUB_AUTH',
  'NPM_AUTH',
  'AZURE_SAS',
  'DOCKER_AUTH_CONFIG',
  'KUBECONFIG',
  'NETRC',
  'SSH_AUTH_SOCK',
  'VAULT_ADDR',
  'HTTP_PROXY',
  'HOME',
  'USER',
  'db_pass',
];

/** How a reference is written. */
export const WRITTEN: readonly ((name: string) => string)[] = [
  (name) => `\${${name}}`,
  (name) => `\${${name}:-7}`,
  (name) => `x\${VLLM_MODEL:-m}\${${name}}y`,
];

export interface Attempt {
  place: string;
  /** By name, in a folder of their own. */
  files: Readonly<Record<string, string>>;
  words: readonly string[];
}

const MODEL = (more: string): string =>
  `models:\n  m: { base_url: 'SERVER-ADDRESS', model: fake-vlm, retries: 0, ${more} }\n`;
const ASKED = corridor('max: 1').replaceAll(', sprite: figure', ', model: m, sprite: figure');

function scenario(place: string, text: string, ...words: readonly string[]): Attempt {
  const command = words.length === 0 ? ['run', 'scenario.yaml', '--out', 'run.sqlite'] : words;
  return { place, files: { 'scenario.yaml': text }, words: command };
}

/** Every place, with the same reference in it. */
export function attemptsWith(reference: string): readonly Attempt[] {
  const extra = ASKED + MODEL(`extra: { note: '${reference}' }`);
  return [
    scenario('extra', extra),
    scenario('deep in extra', ASKED + MODEL(`extra: { a: [{ b: ['${reference}'] }] }`)),
    scenario('model', ASKED + MODEL(`extra: {}`).replace('fake-vlm', `'${reference}'`)),
    scenario('base_url', ASKED + MODEL('').replace('SERVER-ADDRESS', `SERVER-ADDRESS/${reference}`)),
    scenario('api_key_env', ASKED + MODEL(`api_key_env: '${reference}'`)),
    scenario('a number of a model', ASKED + MODEL(`temperature: '${reference}'`)),
    scenario('a plain number of a model', `${ASKED}models:\n  m:\n    seed: ${reference}\n`),
    scenario('seed', ASKED.replace('seed: 1', `seed: '${reference}'`) + MODEL('')),
    scenario('turns', corridor(`max: '${reference}'`)),
    scenario('render', `${corridor('max: 1')}render: { tileset: '${reference}' }\n`),
    scenario('a model that nobody asks', corridor('max: 1') + MODEL(`extra: { note: '${reference}' }`)),
    scenario('check', extra, 'check', 'scenario.yaml', '--effort', '0', '--json'),
    scenario('preview', extra, 'preview', 'scenario.yaml', '--messages', '--json'),
    scenario('parse', extra, 'parse', 'scenario.yaml', '--json'),
    scenario('doctor', extra, 'doctor', 'scenario.yaml', '--json'),
    scenario(
      '--set of a command that was copied',
      ASKED + MODEL(''),
      'run',
      'scenario.yaml',
      '--out',
      'run.sqlite',
      '--set',
      `models.m.extra.note=${reference}`,
    ),
    ...batches(reference, extra),
  ];
}

function batches(reference: string, extra: string): readonly Attempt[] {
  const words = ['batch', 'batch.yaml', '--out', 'runs', '--json'];
  const plain = ASKED + MODEL('');
  const batch = (place: string, text: string, played = plain): Attempt => ({
    place,
    files: { 'scenario.yaml': played, 'batch.yaml': `scenarios: [scenario.yaml]\n${text}` },
    words,
  });
  return [
    batch("a batch's model", MODEL(`extra: { note: '${reference}' }`)),
    batch("a batch's seeds", `seeds: ['${reference}']\n`),
    batch('a switch', `switches: { s: { on: ["models.m.extra.note=${reference}"] } }\n`),
    batch("a batch's scenario", '', extra),
  ];
}
