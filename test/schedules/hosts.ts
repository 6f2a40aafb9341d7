/**
 * Schedules of the choice of a host of the database: two names that lead to two servers, whose roles change, which restart, respond late,
 * hang, or do not respond.
 */
import fc from 'fast-check';
import type { Logger } from 'pino';
import type { Sql } from '../../ledger-worker/database/connection.ts';
import { Host } from '../../ledger-worker/database/host.ts';
import { Nodes, type NodesOptions } from '../../ledger-worker/database/nodes.ts';
import { rule, type Schedule, schedulesOf } from './schedule.ts';

// As in ledger-worker/grpc/health.ts.
const EVERY_MS = 1_000;
const EVERY_MS_WHILE_UNAVAILABLE = 200;
const CHECK_MS_MAX = 1_000;
const START_MS_MAX = 5_000;
// A connection fails without a response to a check.
const RESPONSE_MS_MAX = 1_500;
/** Names are cached: one that leads away does not lead back before a check has noticed, or the start and a check after it have ended. */
const NAME_MS_MIN = START_MS_MAX + EVERY_MS + CHECK_MS_MAX;
const LOG = { info() {}, warn() {} } as unknown as Logger;

type Behaviour = 'responds' | 'responds' | 'hangs' | 'is refused';
type Change = 'another server takes over' | 'a name leads to the other server' | 'a server restarts';

const plan = fc.record({
  /** Of each check in turn. */
  behaviours: fc.array(fc.constantFrom<Behaviour>('responds', 'responds', 'hangs', 'is refused'), {
    maxLength: 10,
  }),
  changes: fc.array(
    fc.record({
      change: fc.constantFrom<Change>(
        'another server takes over',
        'a name leads to the other server',
        'a server restarts',
      ),
      afterMs: fc.constantFrom(0, 500, 2_500),
    }),
    { maxLength: 3 },
  ),
  /** Requests that find the database unavailable: each checks all hosts at once. */
  requests: fc.nat({ max: 2 }),
});

interface Server {
  name: string;
  isPrimary: boolean;
  starts: number;
}

const nameOf = ({ name, starts }: Server) => `${name}, start ${starts}`;

class ModelHost extends Host {
  /** When its server last said that it accepts writes: the time at which it read that. */
  writableAt = Number.NEGATIVE_INFINITY;
  /** How often it has said so. */
  writableCount = 0;
  isChecked = false;

  constructor(
    private readonly schedule: Schedule,
    readonly name: string,
    public leadsTo: Server,
    private readonly nextBehaviour: () => Behaviour,
  ) {
    super(`postgres://ledger@${name}/ledger`);
  }

  protected override read(): Promise<void> {
    return super.read((() => this.#respond()) as unknown as Sql);
  }

  protected override reconnect(): void {
    rule(!this.isChecked, `the check of ${this.name} is ended while it runs`);
  }

  async #respond(): Promise<object[]> {
    rule(!this.isChecked, `two checks of ${this.name} run at once`);
    this.isChecked = true;
    const late = Promise.withResolvers<never>();
    late.promise.catch(() => {});
    const timer = setTimeout(() => late.reject(new Error('ETIMEDOUT')), RESPONSE_MS_MAX);
    const behaviour = this.nextBehaviour();
    try {
      if (behaviour === 'hangs') await late.promise;
      await Promise.race([this.schedule.happens(`${this.name} ${behaviour}`), late.promise]);
      if (behaviour === 'is refused') throw new Error('ECONNREFUSED');
      const { isPrimary } = this.leadsTo;
      const row = { isReadOnly: !isPrimary, version: '17.1', unsafe: '', serverStart: nameOf(this.leadsTo) };
      const readAt = performance.now();
      await Promise.race([this.schedule.happens(`the response of ${this.name} arrives`), late.promise]);
      if (isPrimary) {
        this.writableAt = readAt;
        this.writableCount++;
      }
      return [{ ...row, hasCitus: false }];
    } finally {
      clearTimeout(timer);
      this.isChecked = false;
    }
  }
}

class ModelNodes extends Nodes<ModelHost> {
  static openModel(options: NodesOptions, hosts: readonly ModelHost[]): ModelNodes {
    const nodes = new ModelNodes(options, hosts);
    nodes.update();
    return nodes;
  }

  /** As `Nodes.open` does. */
  begin(): Promise<this> {
    return this.checkAll();
  }
}

export const hosts = schedulesOf({
  plan,
  async run(schedule, { behaviours, changes, requests }) {
    const servers = ['server 1', 'server 2'].map((name, n) => ({ name, isPrimary: n === 0, starts: 1 }));
    let checks = 0;
    let isHealed = false;
    const nextBehaviour = () => (isHealed ? 'responds' : (behaviours[checks++] ?? 'responds'));
    const all = servers.map((server, n) => new ModelHost(schedule, `host-${n + 1}`, server, nextBehaviour));
    const nodes = ModelNodes.openModel({ urls: [], poolMax: 1, statementTimeoutMs: 0, log: LOG }, all);
    const node = nodes.of('');
    let current = all[0] as ModelHost;
    let connectedTo = '';
    let connectedServer: string | undefined;
    /** A rule that is broken in a promise which the worker handles. */
    let broken = '';
    node.pool.sql.reconnect = (url) => {
      const next = all.find((host) => host.url === url);
      schedule.note(next ? `connections to ${next.name}` : 'no host can be used');
      if (next?.serverStart === connectedServer && next === current)
        broken = 'connections are ended, and nothing has changed';
      connectedServer = next?.serverStart;
      if (!next && current.isSilent) broken = 'a server that may only be slow loses its connections';
      if (!next) return;
      if (next !== current && current.isUp) broken = `${current.name} is left, which is up`;
      current = next;
      connectedTo = nameOf(next.leadsTo);
    };
    const isAnyUp = () => all.some(({ isUp }) => isUp);
    /** The check that runs alone, with the counts at its beginning: of several, one may have had its response before. */
    let alone: number[] | undefined;
    let running = 0;
    const timed = async (check: () => Promise<unknown>, msMax: number) => {
      const begunAt = performance.now();
      const result = await check();
      if (performance.now() > begunAt + msMax) broken = 'a check takes too long';
      if (result === true && !isAnyUp()) broken = 'a check finds a host, and there is none';
      return result;
    };
    const check = async () => {
      alone = ++running === 1 ? all.map(({ writableCount }) => writableCount) : undefined;
      return timed(() => nodes.check(), CHECK_MS_MAX).finally(() => {
        running--;
        alone = undefined;
      });
    };

    let [isStopped, isStarted] = [false, false];
    const repeat = async (): Promise<void> => {
      const isServing = await check();
      if (!isStopped) setTimeout(() => void repeat(), isServing ? EVERY_MS : EVERY_MS_WHILE_UNAVAILABLE);
    };
    const start = async () => {
      const hasStarted = await timed(() => nodes.begin(), START_MS_MAX).catch(() => false);
      // The process exits.
      if (!hasStarted) {
        isStopped = true;
        return;
      }
      isStarted = true;
      connectedTo ||= nameOf(current.leadsTo);
      void repeat();
    };
    void start();
    schedule.always(() => {
      rule(broken === '', broken);
      if (!isStarted) return;
      rule(node.isUp === isAnyUp(), 'the node is not in line with the hosts');
      rule(
        !all.some(
          ({ isUp, writableCount }, n) => isUp && writableCount > (alone?.[n] ?? Number.POSITIVE_INFINITY),
        ),
        'a check waits for other hosts, and one is known to accept writes',
      );
      const age = performance.now() - current.writableAt;
      rule(
        !node.isUp || age <= RESPONSE_MS_MAX + EVERY_MS + CHECK_MS_MAX,
        `${current.name} is used, and has not said for ${age} ms that it accepts writes`,
      );
    });
    const movedAt = new Map<ModelHost, number>();
    const make = (change: Change, n: number) => {
      const [server, host] = [servers[n % 2] as Server, all[n % 2] as ModelHost];
      if (change === 'another server takes over')
        for (const each of servers) each.isPrimary = !each.isPrimary;
      else if (change === 'a server restarts') server.starts++;
      else if (
        host.state === 'read_only' ||
        performance.now() >= (movedAt.get(host) ?? Number.NEGATIVE_INFINITY) + NAME_MS_MIN
      ) {
        host.leadsTo = servers.find((each) => each !== host.leadsTo) as Server;
        movedAt.set(host, performance.now());
      }
    };
    for (const [n, { change, afterMs }] of changes.entries())
      setTimeout(() => schedule.event(change, () => make(change, n)), afterMs);
    for (let n = 0; n < requests; n++)
      schedule.event('a request finds the database unavailable', () => {
        if (isStarted) void check();
      });

    let isOver = false;
    setTimeout(() => (isOver = true), START_MS_MAX + 2_000);
    await schedule.run(() => isOver);
    isHealed = true;
    schedule.calm();
    isOver = false;
    // The check that runs fails, or has its response; the next one begins, and has its response.
    setTimeout(() => (isOver = true), RESPONSE_MS_MAX + 2 * EVERY_MS);
    await schedule.run(() => isOver);
    isStopped = true;
    rule(broken === '', broken);
    if (!isStarted) return;
    const hasPrimary = all.some(({ leadsTo }) => leadsTo.isPrimary);
    rule(
      node.isUp === hasPrimary,
      hasPrimary ? 'a host accepts writes, and none is used' : 'a host is used in vain',
    );
    rule(!hasPrimary || current.leadsTo.isPrimary, `${current.name} is used, and does not accept writes`);
    rule(
      !hasPrimary || connectedTo === nameOf(current.leadsTo),
      `the connections are to ${connectedTo}, and ${current.name} is ${nameOf(current.leadsTo)}`,
    );
  },
});
