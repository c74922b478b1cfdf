/**
 * Text that is safe in the report's page: names come from scenarios and servers, and must have no effect
 * there.
 */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For the text of an element and for a quoted attribute. */
export function escaped(text: string): string {
  return text.toWellFormed().replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? mark);
}
