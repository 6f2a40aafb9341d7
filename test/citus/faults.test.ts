/** Every fault of the servers of Citus. The other parts of a cluster have the same faults with one Postgres. */
import { CITUS } from '../faults/catalogue/citus.ts';
import { testEach } from '../faults/each-fault.ts';
import { hasCitus } from '../fixtures/citus-program.ts';
import { test } from './with-citus.ts';

if (hasCitus()) await testEach('citus', CITUS);
else test.each(CITUS)('$name', () => {});
