/** What JSON carries. */
export type Wire = null | boolean | number | string | readonly Wire[] | { readonly [name: string]: Wire };

/** Nobody serves the subject now, or did not answer in time: whether the command was carried out, a repetition finds out. */
export class CommandFault extends Error {
  override readonly name = 'CommandFault';
}

/**
 * Commands to the one who serves a subject. Delivered at least once, in the order of arrival: who serves must know a command that it
 * has carried out already by its id. An answer says that the outcome is durable.
 */
export interface Commands {
  /** Throws `CommandFault`. */
  request(subject: string, id: string, command: Wire): Promise<Wire>;
  /**
   * Serves until the signal aborts; resolves when nothing is under way any more. Many commands are handled at once, begun in their
   * order. One whose handler throws is delivered again.
   */
  serve(subject: string, signal: AbortSignal, handler: (command: Wire) => Promise<Wire>): Promise<void>;
  close(): Promise<void>;
}
