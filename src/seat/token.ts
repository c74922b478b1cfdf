/**
 * A person's token for the served world: removed from the address at once, so that it is not part of any
 * link, and kept as long as the tab is open.
 */

const KEY = 'orchestrate-world-token';

/** '' if none was given. */
export function takeToken(): string {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const token = fragment.get('token');
  if (token === null) return sessionStorage.getItem(KEY) ?? '';
  history.replaceState(null, '', location.pathname);
  keepToken(token);
  return token;
}

export function keepToken(token: string): void {
  sessionStorage.setItem(KEY, token);
}
