/** Database faults: ended, frozen, dropping connections, without disk space or free connections. */
import type { Sql } from 'postgres';
import { type Cluster, setFull } from '../cluster.ts';
import { connect } from '../cluster-database.ts';
import { type Fault, type Heal, healed, NO_FAILURES, UNAVAILABLE } from '../fault.ts';
import { POSTGRES_PROCESS, postgresOf } from './processes.ts';

export const POSTGRES: Fault[] = [
  ...POSTGRES_PROCESS,
  {
    name: 'postgres drops connections',
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
    name: 'postgres switched over',
    failures: UNAVAILABLE,
    async inject({ cluster, note }) {
      note('another server accepts writes; the name still leads to the old one, which is its standby');
      const moveName = await cluster.database.switchOver?.();
      return async () => {
        note('the name moves');
        await moveName?.();
      };
    },
  },
  {
    name: 'postgres disk full',
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
    failures: UNAVAILABLE,
    async inject({ cluster, note }) {
      note('other clients take every connection to postgres');
      const release = occupyConnections(cluster);
      await dropWorkers(cluster);
      return release;
    },
  },
];

async function dropWorkers({ database }: Cluster): Promise<void> {
  await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ledger-worker'`;
}

/** Takes every connection that becomes free. @returns releases them */
function occupyConnections(cluster: Cluster): Heal {
  const connections: Sql[] = [];
  let isOccupying = true;
  const take = async () => {
    while (isOccupying) {
      const connection = connect(postgresOf(cluster).current);
      const connected = await connection`select 1`.catch(() => undefined);
      if (connected) connections.push(connection);
      else await connection.end({ timeout: 0 });
    }
  };
  const takers = Array.from({ length: 4 }, take);
  return async () => {
    isOccupying = false;
    await Promise.all(takers);
    await Promise.all(connections.map((connection) => connection.end({ timeout: 1 })));
  };
}
