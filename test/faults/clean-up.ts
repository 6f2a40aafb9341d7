/**
 * Tidies up when this process ends, however it ends: a shell that waits for its input to close, and then
 * wakes what was left stopped (so that it gets the signal that ends the children of a dead parent),
 * unmounts, and removes the directory.
 */
const TIDY = `
while read -r pid; do pids="$pids $pid"; done
[ -z "$pids" ] || kill -CONT $pids
umount -l "$1/postgres"
n=0; until rm -rf "$1" || [ $n -ge 30 ]; do n=$((n+1)); sleep 1; done
`;

export interface Janitor {
  /** The process is about to be stopped (SIGSTOP). */
  wakeLater(pid: number): void;
  /** Tidies up now. */
  tidy(): Promise<void>;
}

/** @param directory is removed, with what is mounted at `postgres` in it */
export function startJanitor(directory: string): Janitor {
  const shell = Bun.spawn(['sh', '-c', TIDY, 'sh', directory], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
    // Out of reach of a Ctrl-C.
    detached: true,
  });
  return {
    wakeLater(pid) {
      shell.stdin.write(`${pid}\n`);
      shell.stdin.flush();
    },
    async tidy() {
      await shell.stdin.end();
      await shell.exited;
    },
  };
}
