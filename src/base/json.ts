/**
 * The JSON types of state, logs and contracts. State contains only safe integers, strings, booleans, null,
 * arrays and string-keyed records; `canonical.ts` refuses everything else.
 */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** A JSON object that is not changed in place. */
export type JsonObject = { readonly [key: string]: Json };
