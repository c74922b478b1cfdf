/**
 * The second entry point of the library, `orchestrate-vlm/conformance`: suites that check whether a custom
 * environment, action, controller or model keeps its contract. Re-exports only.
 */

// # Conformance
// Exported by `orchestrate-vlm/conformance`. A suite is a list of checks, for any test runner.
export type { ConformanceCheck } from './check.js';
export { ConformanceError } from './check.js';
export { actionSuite } from './action.js';
export type { ActionUnderTest } from './action.js';
export { environmentSuite } from './environment.js';
export type { EnvironmentUnderTest } from './environment.js';
export { controllerSuite } from './controller.js';
export type { ControllerUnderTest } from './controller.js';
export { modelSuite } from './model.js';
export type { ModelUnderTest } from './model.js';
