/** A setup file: what a test file made goes with it. Modules are loaded once a worker, so an `afterAll` of theirs would be of one file alone. */
import { afterAll } from 'vitest';
import { removeFolders } from './folder.js';

afterAll(removeFolders);
