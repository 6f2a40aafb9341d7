/** The system cannot start, for a reason that the user can act on: `message` states it in whole sentences. */
export class CannotStart extends Error {
  override name = 'CannotStart';
}
