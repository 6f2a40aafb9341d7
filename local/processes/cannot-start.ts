/** The system cannot come up for a reason that the user can act on: `message` is that reason, in whole sentences. */
export class CannotStart extends Error {
  override name = 'CannotStart';
}
