/** The parts of the service under schedules: a file each. */
import { admission } from './admission.ts';
import { groupCommit } from './group-commit.ts';
import { requests } from './requests.ts';
import type { Part } from './schedule.ts';

export const PARTS = [admission, groupCommit, requests] as unknown as readonly Part<unknown>[];
