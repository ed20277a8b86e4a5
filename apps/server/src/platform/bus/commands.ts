/** The values that JSON can carry. */
export type WireValue =
  | null
  | boolean
  | number
  | string
  | readonly WireValue[]
  | { readonly [name: string]: WireValue };

/**
 * No process serves the subject, or it did not answer in time. Sending the command again shows whether it was executed.
 */
export class CommandFault extends Error {
  override readonly name = 'CommandFault';
}

/**
 * Commands to the one process that serves a subject. Delivered at least once, in order of arrival, so the handler must
 * recognise by its id a command that it has already executed. An answer means that the outcome is durable.
 */
export interface CommandBus {
  /** Throws `CommandFault`. */
  request(subject: string, id: string, command: WireValue): Promise<WireValue>;
  /**
   * Serves until the signal aborts; resolves when no command is running. Commands run concurrently and are started in
   * order. A command whose handler throws is delivered again.
   */
  serve(subject: string, signal: AbortSignal, handler: (command: WireValue) => Promise<WireValue>): Promise<void>;
  close(): Promise<void>;
}
