/** Each part of the service that has state, under some schedules. */
import { testParts } from './parts.ts';

testParts(1_000);
