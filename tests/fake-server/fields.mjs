// @ts-check
/** A JSON object, as every part of the fake server looks at one. */

/** @typedef {Record<string, unknown>} Fields */

/** @param {unknown} value @returns {value is Fields} */
export function isFields(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
