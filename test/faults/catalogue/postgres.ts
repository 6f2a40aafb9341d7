/** A database that dies, hangs, drops its connections, or has no room. */
import { readFileSync } from 'node:fs';
import type { Sql } from 'postgres';
import { type Cluster, connect, setFull } from '../cluster.ts';
import { type Fault, healed, NO_FAILURES, UNAVAILABLE } from '../fault.ts';

export const POSTGRES: Fault[] = [
  {
    name: 'postgres killed',
    part: 'postgres',
    failures: UNAVAILABLE,
    async inflict({ cluster, note }) {
      note('SIGKILL of postgres');
      await cluster.postgres.end('SIGKILL');
      return () => cluster.postgres.start();
    },
  },
  {
    name: 'postgres restarted',
    part: 'postgres',
    failures: NO_FAILURES,
    async inflict({ cluster, note }) {
      note('SIGINT to postgres (fast shutdown), and a new one');
      await cluster.postgres.end('SIGINT');
      await cluster.postgres.start();
      return healed;
    },
  },
  {
    name: 'postgres frozen',
    part: 'postgres',
    failures: UNAVAILABLE,
    async inflict({ cluster, note }) {
      note('SIGSTOP of every process of postgres');
      // First the one that makes the others.
      cluster.postgres.freeze();
      const backends = childrenOf(cluster.postgres.current.pid);
      for (const pid of backends) cluster.wakeLater(pid);
      signalEach(backends, 'SIGSTOP');
      return async () => {
        signalEach(backends, 'SIGCONT');
        cluster.postgres.thaw();
      };
    },
  },
  {
    name: 'postgres drops connections',
    part: 'postgres',
    failures: NO_FAILURES,
    async inflict({ cluster, note }) {
      for (let time = 1; time <= 6; time++) {
        note('pg_terminate_backend for every connection of the workers');
        await dropWorkers(cluster);
        await Bun.sleep(80);
      }
      return healed;
    },
  },
  {
    name: 'postgres disk full',
    part: 'postgres',
    failures: UNAVAILABLE,
    isPossible: ({ files }) => files.canFill,
    async inflict({ cluster, note }) {
      note('no space left for postgres');
      // It may give up when it cannot write its log.
      cluster.postgres.expectsEnd = true;
      setFull(cluster.files.directory, true);
      return async () => {
        setFull(cluster.files.directory, false);
        await cluster.postgres.start();
      };
    },
  },
  {
    name: 'postgres out of connections',
    part: 'postgres',
    failures: UNAVAILABLE,
    async inflict({ cluster, note }) {
      note('other clients take every connection to postgres');
      const others = openGreedily(cluster);
      await dropWorkers(cluster);
      return async () => others.release();
    },
  },
];

async function dropWorkers({ sql }: Cluster): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ledger-worker'`;
}

interface Greed {
  release(): Promise<void>;
}

/** Takes connections whenever there is one to be had, until it is released. */
function openGreedily({ postgres }: Cluster): Greed {
  const connections: Sql[] = [];
  let greedy = true;
  const take = async () => {
    while (greedy) {
      const connection = connect(postgres.current);
      const taken = await connection`select 1`.then(
        () => true,
        () => false,
      );
      if (taken) connections.push(connection);
      else await connection.end({ timeout: 0 });
    }
  };
  const takers = Array.from({ length: 4 }, take);
  return {
    async release() {
      greedy = false;
      await Promise.all(takers);
      await Promise.all(connections.map((connection) => connection.end({ timeout: 1 })));
    },
  };
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
}

function signalEach(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}
