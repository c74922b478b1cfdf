/**
 * How commands connect to a served world: its address, the token that identifies the client, and
 * certificates.
 */
import { UsageError } from '../../base/errors.js';
import { WorldClient } from '../../serve/client/world-client.js';
import type { ClientCertificates, WorldAddress } from '../../serve/client/world-client.js';
import type { Io } from '../terminal/io.js';
import { single, anyTextOr } from './option.js';
import type { Chosen } from './option.js';
import { readBytes } from './paths.js';
import { variablesOf } from './variables.js';

export const WORLD = {
  world: anyTextOr('127.0.0.1:50051', 'Address of the served world: HOST:PORT, or a URL'),
  'token-env': single(
    'Environment variable that holds the token for the served world (WORLD_TOKEN by default)',
  ),
  'tls-ca': single('Certificates (PEM) of trusted authorities; the connection then uses TLS'),
  'tls-cert': single('Certificate (PEM) to present if the server requests one'),
  'tls-key': single('Key of that certificate (PEM)'),
};

/** How to reach a served world, and as whom. */
export function worldAddress(options: Chosen<typeof WORLD>, io: Io): WorldAddress {
  const { world: address, 'token-env': tokenEnv, 'tls-ca': ca, 'tls-cert': cert, 'tls-key': key } = options;
  const files = { ca: ca ?? null, cert: cert ?? null, key: key ?? null };
  return {
    address,
    token: tokenIn(tokenEnv ?? null, io),
    certificates: certificatesIn(files, (path) => readBytes(path, io)),
  };
}

export function worldClient(options: Chosen<typeof WORLD>, io: Io): WorldClient {
  return new WorldClient(worldAddress(options, io));
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

/** Null if no file is named. */
export function certificatesIn(
  { ca, cert, key }: { ca: string | null; cert: string | null; key: string | null },
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
