/**
 * The version of a log's tables, which every run records: that of the newest column, table or view. A newer
 * program reads every older version (docs/reference/log.md).
 */
import { NEWEST_BASE } from './table.js';
import { NEWEST_ADDITION } from './tables.js';

export const LOG_VERSION = Math.max(NEWEST_BASE, NEWEST_ADDITION);
