/** Keys that were pasted into a scenario: reported without repeating them, wherever they are. */
import type { Json } from '../base/json.js';
import { holdsSecret } from './secret-pattern.js';
import type { MistakeReport } from './report.js';
import type { YamlPath } from './tree.js';

export function tellSecrets(value: Json, report: MistakeReport, path: YamlPath = []): void {
  if (typeof value === 'string' && holdsSecret(value)) {
    report.secret(
      path,
      'this looks like a secret key; keys must not be put in a scenario',
      'put it into an environment variable and name that: api_key_env: MY_KEY',
    );
  } else if (Array.isArray(value)) value.forEach((each: Json, i) => tellSecrets(each, report, [...path, i]));
  else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value)) tellSecrets(each, report, [...path, key]);
  }
}
