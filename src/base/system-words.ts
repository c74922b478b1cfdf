/**
 * File system errors in words: "there is no such file" instead of ENOENT. They are the end of a sentence such
 * as "notes.txt can't be read: …". An error without a code keeps its own message.
 */
import { lookUp } from './look-up.js';
const MESSAGES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EEXIST: 'something else already has that name',
  ELOOP: 'its symbolic links form a loop',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full (your quota is used up)',
  EROFS: 'the disk is read-only',
  EIO: 'the disk reported an error',
  EMFILE:
    'too many files are open (`ulimit -Hn` prints the limit); try again in a new shell, after `ulimit -n 1024`',
  ENFILE: 'too many files are open on this machine; end other programs and try again',
  ENOTEMPTY: 'the folder is not empty',
  EBUSY: 'it is in use',
};

/** The reason for a failure, in words for a person. */
export function systemWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return lookUp(MESSAGES, codeOf(error)) ?? error.message;
}

/** Whether this user may not look for a file in its folder, or the folder is something else. */
export function isOutOfReach(error: unknown): boolean {
  return error instanceof Error && ['EACCES', 'EPERM', 'ENOTDIR'].includes(codeOf(error));
}

/** Whether the system refused to open one more file, for this process or at all. */
export function isOutOfFiles(error: unknown): boolean {
  return error instanceof Error && ['EMFILE', 'ENFILE'].includes(codeOf(error));
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
