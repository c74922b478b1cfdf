/**
 * Recognises API keys by the patterns of the services that issue them. A line or a message that contains one
 * is never printed unchanged.
 */

/* Beginnings of the keys that services issue, and the password in an address. */
const KEY =
  /(?<![A-Za-z0-9])(?:sk-(?:proj-|ant-)?[A-Za-z0-9_-]{20,}|hf_[A-Za-z0-9]{20,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|xox[abpr]-[A-Za-z0-9-]{10,}|AKIA[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{30,}|gsk_[A-Za-z0-9]{20,}|nvapi-[A-Za-z0-9_-]{20,})|(?<=:\/\/[^\s/:@]{0,80}:)[^\s/@]{1,200}(?=@)/;

const EVERY_KEY = new RegExp(KEY.source, 'g');

export function containsSecret(text: string): boolean {
  return KEY.test(text);
}

/* The user and the query of an address: services accept keys in either. */
const ADDRESS_SECRET = /(?<=:\/\/)[^\s/@'"]{1,300}(?=@)|(?<=:\/\/[^\s?#'"]{1,300}[?#])[^\s'"]+/g;

/** The text with every key in it replaced, and the user, password and query of every address. */
export function withoutSecrets(text: string): string {
  return text.replace(EVERY_KEY, '********').replace(ADDRESS_SECRET, '********');
}
