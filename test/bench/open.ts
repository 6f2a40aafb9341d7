/** Starts and stops everything that is measured. */
import { newAccounts, storeAccounts } from './accounts.ts';
import { referenceBooks, serviceBooks } from './books.ts';
import { startStack } from './stack.ts';
import type { Bench } from './work.ts';

/** The stack and the reference, with the same accounts in the books of both. */
export async function openBench(accountCount: number): Promise<Bench & { close(): Promise<void> }> {
  const stack = await startStack();
  try {
    const accounts = newAccounts(accountCount);
    const [service, reference] = [serviceBooks(stack), await referenceBooks(stack)];
    await storeAccounts(service.sql, accounts);
    await storeAccounts(reference.sql, accounts);
    const close = async () => {
      await reference.stop();
      await stack.stop();
    };
    return { stack, accounts, service, reference, close };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}
