/**
 * How a scenario's values are checked: by zod's interpreter. Otherwise, zod writes and compiles a function for each
 * schema (`new Function`), which takes longer than the check, because a process reads a scenario only once or twice.
 */
export const PARSE_ONCE = { jitless: true } as const;
