/**
 * How commands connect to a served world: its address, the token that identifies the client, and
 * certificates. In: options; out: a client of the world.
 */
import type { Argv } from 'yargs';
import { UsageError } from '../../base/errors.js';
import { WorldClient } from '../../serve/client/world-client.js';
import type { ClientCertificates } from '../../serve/client/world-client.js';
import type { Io } from '../terminal/io.js';
import { once } from './command-line.js';
import { readBytes } from './paths.js';
import { variablesOf } from './variables.js';

export interface WorldOptions {
  readonly world: string;
  readonly 'token-env': string | undefined;
  readonly 'tls-ca': string | undefined;
  readonly 'tls-cert': string | undefined;
  readonly 'tls-key': string | undefined;
}

export function withWorld<T>(parser: Argv<T>) {
  return parser
    .option('world', {
      type: 'string',
      default: '127.0.0.1:50051',
      describe: 'Address of the served world: HOST:PORT, or a URL',
    })
    .option('token-env', {
      type: 'string',
      describe: 'Environment variable that holds the token for the served world (WORLD_TOKEN by default)',
      coerce: once('token-env'),
    })
    .option('tls-ca', {
      type: 'string',
      describe: 'Certificates (PEM) of trusted authorities; the connection then uses TLS',
      coerce: once('tls-ca'),
    })
    .option('tls-cert', {
      type: 'string',
      describe: 'Certificate (PEM) to present if the server requests one',
      coerce: once('tls-cert'),
    })
    .option('tls-key', {
      type: 'string',
      describe: 'Key of that certificate (PEM)',
      coerce: once('tls-key'),
    });
}

export function worldClient(options: WorldOptions, io: Io): WorldClient {
  const { world: address, 'token-env': tokenEnv, 'tls-ca': ca, 'tls-cert': cert, 'tls-key': key } = options;
  const files = { ca: ca ?? null, cert: cert ?? null, key: key ?? null };
  return new WorldClient({
    address,
    token: tokenIn(tokenEnv ?? null, io),
    certificates: certificatesIn(files, (path) => readBytes(path, io)),
  });
}

/** The variable with the token if none is named: the same as for programs of the runner. */
const TOKEN_VARIABLE = 'WORLD_TOKEN';

/**
 * The token in a variable; null if none is named and the usual one is not set. Throws UsageError if a named
 * one is not set.
 */
export function tokenIn(variable: string | null, io: Io): string | null {
  if (variable === null) return io.env[TOKEN_VARIABLE] || null;
  const token = variablesOf(io)(variable);
  if (token !== undefined && token !== '') return token;
  throw new UsageError(`the variable ${variable} is not set`, ['set it to the token for the served world']);
}

export interface CertificateFiles {
  readonly ca: string | null;
  readonly cert: string | null;
  readonly key: string | null;
}

/** Null if no file is named. */
export function certificatesIn(
  { ca, cert, key }: CertificateFiles,
  read: (path: string) => Buffer,
): ClientCertificates | null {
  if ((cert === null) !== (key === null))
    throw new UsageError('a certificate and its key must be given together', [
      '--tls-cert FILE --tls-key FILE (in a runner file: tls_cert and tls_key)',
    ]);
  if (ca === null && cert === null) return null;
  const client = cert === null || key === null ? null : { cert: read(cert), key: read(key) };
  return { ca: ca === null ? null : read(ca), own: client };
}
