/** In a process of the built program, under `sabotage.config.ts`: PLANTED_BUG (`url`, `find`, `put`) is changed as its file is loaded. */
import { register } from 'node:module';

register('./planted-loader.mjs', import.meta.url, { data: JSON.parse(process.env['PLANTED_BUG'] ?? '{}') });
