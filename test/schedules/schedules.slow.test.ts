/** Each part of the service that has state, under many schedules. */
import { testParts } from './parts.ts';

testParts(10_000);
