/**
 * Cleans up after this process, even after a SIGKILL: a shell that waits until its input is closed. It then continues
 * frozen processes, so that they receive the signal for children of a dead parent, unmounts the file system and removes
 * the directory.
 */
const SCRIPT = `
while read -r pid; do pids="$pids $pid"; done
[ -z "$pids" ] || kill -CONT $pids
umount -l "$1/postgres"
n=0; until rm -rf "$1" || [ $n -ge 30 ]; do n=$((n+1)); sleep 1; done
`;

export interface CleanUp {
  /** Registers a process for SIGCONT. Call it before a SIGSTOP. */
  registerFrozen(pid: number): void;
  /** Cleans up now. */
  run(): Promise<void>;
}

/** @param directory is removed, after unmounting `postgres` in it */
export function startCleanUp(directory: string): CleanUp {
  const shell = Bun.spawn(['sh', '-c', SCRIPT, 'sh', directory], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
    // A Ctrl-C must not reach it.
    detached: true,
  });
  return {
    registerFrozen(pid) {
      shell.stdin.write(`${pid}\n`);
      shell.stdin.flush();
    },
    async run() {
      await shell.stdin.end();
      await shell.exited;
    },
  };
}
