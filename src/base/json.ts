/**
 * The JSON types that state, logs and contracts are made of.
 * State holds only safe integers, strings, booleans, null, arrays and string-keyed records (DESIGN section 4);
 * `canonical.ts` is where a value outside that set is refused.
 */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** A JSON object that is not changed in place. */
export type JsonObject = { readonly [key: string]: Json };
