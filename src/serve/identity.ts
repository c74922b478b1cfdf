/**
 * Authentication and authorisation. Without a token file, every client may do everything, so the server then
 * listens only on this machine. With one, a request has the header `authorization: Bearer TOKEN`; the file
 * contains only SHA-256 hashes of tokens.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { UsageError } from '../base/errors.js';
import { oneLine } from '../base/text.js';
import { ServeError } from './serve-error.js';

/**
 * `agent`: plays entities. `viewer`: sees everything. `operator`: begins and stops runs and takes over
 * leases. Each role includes the previous ones.
 */
export type Role = 'agent' | 'viewer' | 'operator';

const ROLES: readonly Role[] = ['agent', 'viewer', 'operator'];

/** An authenticated client. */
export interface Principal {
  name: string;
  roles: readonly Role[];
  /** The entities that an agent may control; null: any. */
  entities: readonly string[] | null;
}

export interface KnownToken {
  /** SHA-256 of the token, 32 bytes. */
  hash: Buffer;
  principal: Principal;
}

/** The server's certificate, and its requirements for clients. */
export interface TlsFiles {
  cert: Buffer;
  key: Buffer;
  /** The authority of client certificates; null: none are required. */
  ca: Buffer | null;
}

const ANYBODY: Principal = { name: 'anybody', roles: ROLES, entities: null };

export class Identity {
  readonly #tokens: readonly KnownToken[] | null;

  /** Null: no tokens are required. */
  constructor(tokens: readonly KnownToken[] | null) {
    this.#tokens = tokens;
  }

  /** Throws TOKEN_MISSING or TOKEN_UNKNOWN. */
  authenticate(headers: Headers): Principal {
    if (this.#tokens === null) return ANYBODY;
    const [, token = ''] = /^Bearer (\S+)$/i.exec(headers.get('authorization') ?? '') ?? [];
    if (token === '')
      throw new ServeError(
        'TOKEN_MISSING',
        'no token was sent, but this server requires one (authorization: Bearer TOKEN)',
      );
    const hash = createHash('sha256').update(token).digest();
    const known = this.#tokens.find((candidate) => timingSafeEqual(candidate.hash, hash));
    if (known === undefined) throw new ServeError('TOKEN_UNKNOWN', 'this server does not accept the token');
    return known.principal;
  }
}

/** Throws ROLE_MISSING. */
export function requireRole({ name, roles }: Principal, role: Role): void {
  if (roles.includes(role) || roles.includes('operator')) return;
  throw new ServeError('ROLE_MISSING', `${name} does not have the role ${role}`);
}

/**
 * Throws ROLE_MISSING if the principal may not control the entity, whether or not it knows the entity's
 * lease.
 */
export function requireControl(principal: Principal, entity: string): void {
  requireRole(principal, 'agent');
  const { name, entities } = principal;
  if (entities === null || entities.includes(entity)) return;
  throw new ServeError('ROLE_MISSING', `${name} may not control ${entity}`);
}

/**
 * The token file: each line is `SHA256 NAME ROLE[,ROLE…] [ENTITY,…]`, and `#` begins a comment. Throws
 * UsageError with the number of the first invalid line.
 */
export function readTokens(text: string, path: string): readonly KnownToken[] {
  const tokens = text.split('\n').flatMap((line, i) => {
    const fields = line.replace(/#.*/, '').trim().split(/\s+/);
    if (fields[0] === '') return [];
    const [hash = '', name = '', roles = '', entities] = fields;
    const validRoles = roles.split(',').filter((role): role is Role => ROLES.some((one) => one === role));
    const isComplete = /^[0-9a-f]{64}$/i.test(hash) && name !== '' && fields.length <= 4;
    if (!isComplete || validRoles.length === 0 || validRoles.length !== roles.split(',').length)
      throw new UsageError(`${path}:${i + 1} is not a token${describeInvalidField({ hash, roles })}`, [
        `each line must be: SHA256 NAME ROLES, with one or more of ${ROLES.join(', ')} as ROLES, separated by commas`,
        'to get the SHA256 of a token: printf %s TOKEN | sha256sum | cut -d" " -f1',
      ]);
    const principal = { name, roles: validRoles, entities: entities?.split(',') ?? null };
    return [{ hash: Buffer.from(hash, 'hex'), principal }];
  });
  if (tokens.length === 0) throw new UsageError(`${path} contains no token`);
  return tokens;
}

/** The first invalid field; '' if there are too few or too many fields. The hash itself is not repeated. */
function describeInvalidField({ hash, roles }: { hash: string; roles: string }): string {
  if (!/^[0-9a-f]{64}$/i.test(hash)) return ': it does not begin with 64 hexadecimal digits';
  const unknownRole = roles.split(',').find((role) => !ROLES.some((one) => one === role));
  return unknownRole === undefined || unknownRole === ''
    ? ''
    : `: there is no role "${oneLine(unknownRole)}"`;
}
