/** Database faults: ended, frozen, dropping connections, without disk space or free connections. */
import { readFileSync } from 'node:fs';
import type { Sql } from 'postgres';
import { type Cluster, setFull } from '../cluster.ts';
import { connect } from '../cluster-database.ts';
import { type Fault, healed, NO_FAILURES, UNAVAILABLE } from '../fault.ts';

export const POSTGRES: Fault[] = [
  {
    name: 'postgres killed',
    part: 'postgres',
    failures: UNAVAILABLE,
    async inject({ cluster, note }) {
      note('SIGKILL of postgres');
      await postgresOf(cluster).end('SIGKILL');
      return () => postgresOf(cluster).start();
    },
  },
  {
    name: 'postgres restarted',
    part: 'postgres',
    failures: NO_FAILURES,
    async inject({ cluster, note }) {
      note('SIGINT to postgres (fast shutdown), then a new start');
      await postgresOf(cluster).end('SIGINT');
      await postgresOf(cluster).start();
      return healed;
    },
  },
  {
    name: 'postgres frozen',
    part: 'postgres',
    failures: UNAVAILABLE,
    async inject({ cluster, note }) {
      note('SIGSTOP of every process of postgres');
      // The postmaster first, so that it starts no further process.
      postgresOf(cluster).freeze();
      const backends = childrenOf(postgresOf(cluster).current.pid);
      for (const pid of backends) cluster.registerFrozen(pid);
      signalEach(backends, 'SIGSTOP');
      return async () => {
        signalEach(backends, 'SIGCONT');
        postgresOf(cluster).thaw();
      };
    },
  },
  {
    name: 'postgres drops connections',
    part: 'postgres',
    failures: NO_FAILURES,
    async inject({ cluster, note }) {
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
    async inject({ cluster, note }) {
      note('no space left for postgres');
      // Postgres may end when it cannot write its write-ahead log.
      postgresOf(cluster).expectsEnd = true;
      setFull(cluster.files.directory, true);
      return async () => {
        setFull(cluster.files.directory, false);
        await postgresOf(cluster).start();
      };
    },
  },
  {
    name: 'postgres out of connections',
    part: 'postgres',
    failures: UNAVAILABLE,
    async inject({ cluster, note }) {
      note('other clients take every connection to postgres');
      const others = occupyConnections(cluster);
      await dropWorkers(cluster);
      return async () => others.release();
    },
  },
];

function postgresOf({ database }: Cluster) {
  if (!database.postgres) throw new Error('this fault is one of plain Postgres');
  return database.postgres;
}

async function dropWorkers({ database }: Cluster): Promise<void> {
  await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ledger-worker'`;
}

interface OccupiedConnections {
  release(): Promise<void>;
}

/** Takes every connection that becomes free, until it is released. */
function occupyConnections(cluster: Cluster): OccupiedConnections {
  const connections: Sql[] = [];
  let isOccupying = true;
  const take = async () => {
    while (isOccupying) {
      const connection = connect(postgresOf(cluster).current);
      const connected = await connection`select 1`.then(
        () => true,
        () => false,
      );
      if (connected) connections.push(connection);
      else await connection.end({ timeout: 0 });
    }
  };
  const takers = Array.from({ length: 4 }, take);
  return {
    async release() {
      isOccupying = false;
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
      // The process has ended in the meantime.
    }
  }
}
