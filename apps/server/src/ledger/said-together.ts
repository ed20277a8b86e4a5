/** As `Promise.all`, but when one fails the others have ended too: nobody may speak on a connection that was rolled back and given away. */
export async function allOf(work: readonly Promise<unknown>[]): Promise<void> {
  let fault: { readonly error: unknown } | undefined;
  await Promise.all(
    work.map(async (one) => {
      try {
        await one;
      } catch (error) {
        // The first is the cause; the database refuses whatever follows it.
        fault ??= { error };
      }
    }),
  );
  if (fault) throw fault.error;
}

/**
 * Whether all of it went to the database: what fails on our side (a bug in the columns, a value that the driver can't write) has not, and the
 * database would commit without it. The driver tells by `nextTick`, and a promise in the turn behind that; neither waits for the network.
 */
export async function isSaid(writing: readonly Promise<unknown>[]): Promise<boolean> {
  let hasFailed = false;
  for (const one of writing)
    one.catch(() => {
      hasFailed = true;
    });
  for (let turn = 0; turn < 2; turn += 1) await new Promise<void>((resolve) => process.nextTick(resolve));
  return !hasFailed;
}
