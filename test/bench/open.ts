/** Starts and stops everything that is measured. */
import { newAccounts, storeAccounts } from './accounts.ts';
import { bareStackBooks, referenceBooks, serviceBooks } from './books.ts';
import { startStack } from './stack.ts';
import type { Bench } from './work.ts';

/** The stack and the reference, with the same accounts in the books of both. */
export async function openBench(accountCount: number): Promise<Bench & { close(): Promise<void> }> {
  const stack = await startStack();
  try {
    const accounts = newAccounts(accountCount);
    const service = serviceBooks(stack);
    const [reference, bareStack] = [await referenceBooks(stack), await bareStackBooks(stack)];
    await storeAccounts(service.sql, accounts);
    await storeAccounts(reference.sql, accounts);
    const close = async () => {
      await bareStack.stop();
      await reference.stop();
      await stack.stop();
    };
    return { stack, accounts, service, bareStack, reference, close };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}
