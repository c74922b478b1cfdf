/** Keys that were pasted into a scenario: told without repeating them, wherever they stand. */
import type { Json } from '../base/json.js';
import type { Report } from './report.js';
import type { Path } from './tree.js';

/* Openings of the keys that services hand out. */
const KEY =
  /(?:^|[^A-Za-z0-9])(?:sk-(?:proj-|ant-)?[A-Za-z0-9_-]{20,}|hf_[A-Za-z0-9]{20,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|xox[abpr]-[A-Za-z0-9-]{10,}|AKIA[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{30,}|gsk_[A-Za-z0-9]{20,}|nvapi-[A-Za-z0-9_-]{20,})/;

export function tellSecrets(value: Json, report: Report, path: Path = []): void {
  if (typeof value === 'string' && KEY.test(value)) {
    report.secret(
      path,
      'this looks like a secret key, which never stands in a scenario',
      'put it into an environment variable and name that: api_key_env: MY_KEY',
    );
  } else if (Array.isArray(value)) value.forEach((each: Json, i) => tellSecrets(each, report, [...path, i]));
  else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value)) tellSecrets(each, report, [...path, key]);
  }
}
