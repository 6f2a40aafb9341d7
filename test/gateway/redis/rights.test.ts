/** The rights of the gateway's user in Redis, by the texts of the scripts. */
import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ACL } from '../../../gateway/redis/server.ts';
import { ROOT, read } from '../../fixtures/checkout.ts';

test('the page and the message list the commands of every script, and nothing but these and those of the library', () => {
  const commands = ACL.split(' ').filter((right) => right.startsWith('+'));
  const names = readdirSync(join(ROOT, 'gateway/redis')).filter((name) => name.endsWith('.lua'));
  const lua = names.map((name) => read(`gateway/redis/${name}`)).join('\n');
  const called = [...lua.matchAll(/redis\.call\('([A-Z]+)'/g)].map(
    ([, name = '']) => `+${name.toLowerCase()}`,
  );
  expect(called.length).toBeGreaterThan(5);
  expect(new Set(commands)).toEqual(new Set([...called, '+eval', '+evalsha']));
  expect(read('docs/configuration.md')).toContain(`on ${ACL} `);
});
