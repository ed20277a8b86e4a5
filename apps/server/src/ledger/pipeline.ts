/**
 * Like `Promise.all`, but waits for all even if one fails: otherwise a late statement could be sent on a connection
 * that was rolled back and returned to the pool.
 */
export async function awaitAll(work: readonly Promise<unknown>[]): Promise<void> {
  let fault: { readonly error: unknown } | undefined;
  await Promise.all(
    work.map(async (one) => {
      try {
        await one;
      } catch (error) {
        // The first error is the cause; the database rejects the statements after it.
        fault ??= { error };
      }
    }),
  );
  if (fault) throw fault.error;
}

/**
 * Resolves to true if all statements were sent. A statement that fails on our side (a bug in the columns, or a value
 * that the driver cannot encode) was not sent, and the database would commit without it. The driver reports that by
 * `nextTick`, and a promise one turn later, so this never waits for the network.
 */
export async function wereStatementsSent(writing: readonly Promise<unknown>[]): Promise<boolean> {
  let hasFailed = false;
  for (const one of writing)
    one.catch(() => {
      hasFailed = true;
    });
  for (let turn = 0; turn < 2; turn += 1) await new Promise<void>((resolve) => process.nextTick(resolve));
  return !hasFailed;
}
