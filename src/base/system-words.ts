/**
 * What the file system says, in words: a message tells that there is no such file, not ENOENT. In: whatever was thrown; out: the end of a
 * sentence such as "notes.txt can't be read: …". An error without a code speaks for itself.
 */
const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EEXIST: 'something else stands there already',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full (your share of it)',
  EROFS: 'the disk is read-only',
  EIO: 'the disk reported an error',
  EMFILE: 'too many files are open (`ulimit -n` raises how many a program may have)',
  ENFILE: 'too many files are open on this machine',
  ENOTEMPTY: 'the folder is not empty',
  EBUSY: 'it is in use',
};

/** The reason of a failure, for a person. */
export function systemWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return WORDS[code] ?? error.message;
}
