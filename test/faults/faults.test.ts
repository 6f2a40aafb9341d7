/** Every fault of a cluster with one Postgres. */
import { CATALOGUE } from './catalogue/catalogue.ts';
import { testEach } from './each-fault.ts';

await testEach('postgres', CATALOGUE.postgres);
