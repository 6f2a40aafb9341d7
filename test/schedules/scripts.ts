/** A model of the scripts of `gateway/redis/`. test/gateway/redis/scripts.test.ts compares it with them. */
import type { Call } from '../../gateway/redis/server.ts';

interface Write {
  earliest: number;
  total: number;
  latest: number;
}

export class Scripts {
  /** The times of admission of each key. */
  readonly minutes = new Map<string, number[]>();
  /** The writes of each account. */
  readonly #days = new Map<string, Write[]>();

  /** @param now µs @returns the reply of the script */
  run({ script, keys, args }: Call, now: number): unknown {
    const numbers = args.map(Number);
    switch (script) {
      case 'count':
        return this.#count(keys, numbers, now);
      case 'readDay':
        return this.#readDay(`${keys[0]}`, numbers, now);
      case 'recordDay':
        return this.#recordDay(keys, numbers, now);
      default:
        return 1;
    }
  }

  /** count.lua */
  #count([minute = '', day]: readonly string[], args: readonly number[], now: number) {
    const [limit = 0, window = 0, cap = 0, dayWindow = 0] = args;
    let times = this.minutes.get(minute) ?? [];
    const ahead = Math.max(0, (times.at(-1) ?? now) - now);
    times = times.map((time) => time - ahead).filter((time) => time > now - window);
    this.minutes.set(minute, times);
    const fits = day === undefined ? undefined : this.#fits(day, cap, dayWindow, now);
    if (times.length >= limit) return [0, 0, (times[0] as number) + window - now, fits];
    times.push(now);
    return [1, limit - times.length, 0, fits];
  }

  /** day-window.lua. The writes begin anew if the clock was set back since the last. */
  #writes(key: string, now: number): Write[] {
    const kept = this.#days.get(key) ?? [];
    const writes = (kept.at(-1)?.latest ?? 0) > now ? [] : kept;
    this.#days.set(key, writes);
    return writes;
  }

  #fits(key: string, cap: number, window: number, now: number): number {
    const writes = this.#writes(key, now);
    while (writes[1] && writes[1].earliest <= now - window) writes.shift();
    const [first, newest] = [writes[0], writes.at(-1)];
    if (!first || !newest || writes.length < 2) return cap;
    return Math.max(cap - newest.total + first.total, 0);
  }

  /** read-day.lua */
  #readDay(key: string, [cap = 0, window = 0, entries = 0]: readonly number[], now: number) {
    const fits = this.#fits(key, cap, window, now);
    if (entries <= fits) return [fits, 0];
    const [, ...writes] = this.#days.get(key) ?? [];
    const total = writes.at(-1)?.total ?? 0;
    const last = writes.find((write) => total - write.total + entries <= cap) ?? writes.at(-1);
    return [fits, (last?.latest ?? now) + window - now];
  }

  /** record-day.lua */
  #recordDay(keys: readonly string[], [, ...figures]: readonly number[], now: number): number {
    for (const [n, key] of keys.entries()) {
      const [created = 0, age = 0] = figures.slice(2 * n, 2 * n + 2);
      const writes = this.#writes(key, now);
      if (writes.length === 0) writes.push({ earliest: 0, total: 0, latest: 0 });
      const { total } = writes.at(-1) as Write;
      const earliest = now - age;
      for (const write of writes) write.earliest = Math.min(write.earliest, earliest);
      writes.push({ earliest, total: total + created, latest: now });
    }
    return keys.length;
  }
}
