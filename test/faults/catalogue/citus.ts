/** Faults of the servers of Citus, and rows that move between them. */
import type { CitusCluster } from '../../fixtures/citus-cluster.ts';
import type { CitusNode } from '../../fixtures/citus-node.ts';
import type { Cluster } from '../cluster.ts';
import { type Fault, type FaultContext, type Heal, healed, NO_FAILURES, UNAVAILABLE } from '../fault.ts';
import { PASS } from '../proxy.ts';
import type { Random } from '../random.ts';

const NODES_MAX = 4;
const MOVES = 3;

type Act = (server: CitusNode) => Promise<Heal>;

const killed: Act = async (server) => {
  await server.kill();
  return () => server.start();
};
const restarted: Act = async (server) => {
  await server.stop();
  await server.start();
  return healed;
};
const frozen: Act = async (server) => {
  server.freeze();
  return async () => server.thaw();
};

const anyNode = ({ nodes }: CitusCluster, random: Random) => random.pick(nodes);

function serverFault(name: string, failures: Fault['failures'], act: Act, choose = anyNode): Fault {
  return {
    name,
    failures,
    async inject({ cluster, random, note }) {
      const server = choose(citusOf(cluster), random);
      note(`${server.name}: ${name}`);
      return act(server);
    },
  };
}

export const CITUS: Fault[] = [
  serverFault('node killed', UNAVAILABLE, killed),
  serverFault('node restarted', NO_FAILURES, restarted),
  serverFault('node frozen', UNAVAILABLE, frozen),
  serverFault('coordinator killed', NO_FAILURES, killed, ({ coordinator }) => coordinator),
  ...(['cut', 'blackhole'] as const).map(
    (kind): Fault => ({
      name: kind === 'cut' ? 'node cut off' : 'node in a black hole',
      failures: UNAVAILABLE,
      async inject({ cluster, random, note }) {
        const { database } = cluster;
        const index = random.int(1, citusOf(cluster).nodes.length);
        note(`${citusOf(cluster).nodes[index - 1]?.name} for workers and for other servers: ${kind}`);
        await database.links[index]?.set({ kind });
        return async () => database.links[index]?.set(PASS);
      },
    }),
  ),
  {
    name: 'shards moved',
    failures: NO_FAILURES,
    async inject(context) {
      for (let move = 1; move <= MOVES; move++) await moveShard(context);
      return healed;
    },
  },
  {
    name: 'node added and shards rebalanced',
    failures: NO_FAILURES,
    isPossible: (cluster) => citusOf(cluster).nodes.length < NODES_MAX,
    async inject({ cluster, note }) {
      const { sql } = cluster.database;
      const added = await citusOf(cluster).addNode();
      note(`${added.name} is added`);
      await sql`select citus_rebalance_start()`;
      return async () => {
        await sql`select citus_rebalance_wait()`;
        const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`
          select count(*)::integer as count from citus_shards where nodename = '127.0.0.1' and nodeport = ${cluster.database.links.at(-1)?.port ?? 0}`;
        if (count === 0) throw new Error('the new node has no shard');
        note(`${added.name} has ${count} shards`);
      };
    },
  },
];

function citusOf({ database }: Cluster): CitusCluster {
  if (!database.citus) throw new Error('this fault is one of Citus');
  return database.citus;
}

/** Moves the shards of an account that clients use to the other node. */
async function moveShard({ cluster, history, random, note }: FaultContext): Promise<void> {
  const { sql } = cluster.database;
  const { accountId } = random.pick(history.requests);
  const [shard] = await sql<{ shardId: string; from: number; to: number }[]>`
    select shardid as "shardId", own.nodeport as "from", other.nodeport as "to"
      from pg_dist_shard_placement own, pg_dist_node other
     where shardid = get_shard_id_for_distribution_column('ledger.account', ${accountId}::text)
       and other.shouldhaveshards and other.nodeport <> own.nodeport
     limit 1`;
  if (!shard) throw new Error('there is no other node');
  note(`the shard of ${accountId} moves from port ${shard.from} to ${shard.to}`);
  await sql`
    select citus_move_shard_placement(${shard.shardId}::bigint, '127.0.0.1', ${shard.from}, '127.0.0.1', ${shard.to})`;
}
