/**
 * The version of a log's tables, which every run records. It is apart from the tables, so that a command
 * which names it does not load SQLite.
 */

/**
 * Raised with every change of the tables; a newer program reads every older version (docs/reference/log.md).
 */
export const LOG_VERSION = 5;
