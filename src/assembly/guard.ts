/**
 * The guard: a small process of its own that ends what its parent started if the parent dies, however it dies. It holds the read end of a
 * pipe whose write end only the parent has: when the parent is gone the pipe ends. In: lines `+PID` and `-PID` of process groups; it does
 * nothing else.
 */

const groups = new Set<number>();
let rest = '';

process.stdin.on('data', (data: Buffer) => {
  rest += data.toString('latin1');
  const lines = rest.split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) {
    const pid = Number(line.slice(1));
    if (!Number.isSafeInteger(pid) || pid <= 1) continue;
    if (line.startsWith('+')) groups.add(pid);
    else groups.delete(pid);
  }
});

process.stdin.on('end', () => {
  for (const pid of groups) {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // The group is gone.
    }
  }
  process.exit(0);
});

// A Ctrl-C in the terminal is the parent's to answer: the guard ends with the pipe alone.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
