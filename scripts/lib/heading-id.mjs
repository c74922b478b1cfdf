/**
 * The address of a heading as GitHub makes it: lower case, spaces as hyphens, no other punctuation. A heading that a page has twice gets a
 * number from whoever keeps count (`-1`, `-2`).
 * @param {string} heading its words without markup
 */
export function headingId(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
}
