/** A reporter of vitest for `sabotage.config.ts`: how many tests passed and failed, by planted bug and by control, as JSON in SABOTAGE_REPORT. */
import { writeFileSync } from 'node:fs';
import type { TestModule } from 'vitest/node';

export class Outcomes {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const outcomes = modules.map((module) => {
      const tests = [...module.children.allTests()];
      const count = (state: string): number => tests.filter((test) => test.result().state === state).length;
      const errors = module.errors().map(({ message }) => message);
      // A test that skips itself gives a reason; one that was not asked for is skipped without.
      const lacking = tests.flatMap((test) => {
        const result = test.result();
        return result.state === 'skipped' && result.note !== undefined ? [result.note] : [];
      });
      const { name } = module.project;
      const key = name === 'control' ? `control ${module.relativeModuleId.replace(/^tests\//, '')}` : name;
      return [key, { passed: count('passed'), failed: count('failed'), errors, lacking }] as const;
    });
    writeFileSync(
      process.env['SABOTAGE_REPORT'] ?? 'sabotage.json',
      JSON.stringify(Object.fromEntries(outcomes)),
    );
  }
}
