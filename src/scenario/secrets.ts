/** Reports API keys that were pasted into a scenario, without repeating them. */
import type { Json } from '../base/json.js';
import { containsSecret } from './secret-pattern.js';
import type { MistakeReport } from './report.js';
import type { YamlPath } from './tree.js';

export function reportSecrets(value: Json, report: MistakeReport, path: YamlPath = []): void {
  if (typeof value === 'string' && containsSecret(value)) {
    report.secret(
      path,
      'this looks like a secret key; keys must not be put in a scenario',
      'put it into an environment variable and name that: api_key_env: MY_KEY',
    );
  } else if (Array.isArray(value))
    value.forEach((each: Json, i) => reportSecrets(each, report, [...path, i]));
  else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value)) reportSecrets(each, report, [...path, key]);
  }
}
