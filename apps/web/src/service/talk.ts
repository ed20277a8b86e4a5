import type { SupportMessage, SupportState } from '@sathorn/api';

/** A message that the server has not confirmed yet. Its id was made when it was written, so it is kept once. */
export interface Unsent {
  readonly id: string;
  readonly text: string;
  /** The id of an uploaded picture. */
  readonly image: string | null;
  readonly at: string;
  /** The server's sentence, when it refused the message. */
  readonly refused: string | null;
}

export interface Talk {
  /** Ordered by number, without doubles. */
  readonly messages: readonly SupportMessage[];
  readonly unsent: readonly Unsent[];
  readonly state: SupportState | null;
  /** The number before which there is more, or null. */
  readonly earlier: string | null;
}

export const EMPTY_TALK: Talk = { messages: [], unsent: [], state: null, earlier: null };

/** Adds what the server said. Confirmed messages leave the unsent ones. */
export function takeMessages(talk: Talk, messages: readonly SupportMessage[]): Talk {
  const byNumber = new Map([...talk.messages, ...messages].map((message) => [message.number, message]));
  const confirmed = new Set(messages.map(({ id }) => id));
  return {
    ...talk,
    messages: [...byNumber.values()].sort((a, b) => a.number - b.number),
    unsent: talk.unsent.filter(({ id }) => !confirmed.has(id)),
  };
}

/** A state that is older than what is known, of a slow answer, does not take marks back. */
export function takeState(talk: Talk, state: SupportState): Talk {
  if (talk.state !== null && state.last < talk.state.last) return talk;
  return { ...talk, state };
}

/** From which number on the server must be asked, or null when nothing is missing. */
export function missingAfter({ messages, state }: Talk): number | null {
  const known = messages.at(-1)?.number ?? 0;
  return state !== null && state.last > known ? known : null;
}

/** The first answer that the customer has not seen, where the line "new" is drawn. */
export function firstUnread(messages: readonly SupportMessage[], unread: number): number | null {
  if (unread <= 0) return null;
  return messages.filter(({ author }) => author === 'staff').at(-unread)?.number ?? null;
}

/** What was kept in the browser; anything else than a list of unsent messages is nothing. */
export function readUnsent(text: string | null): Unsent[] {
  try {
    const kept: unknown = JSON.parse(text ?? '[]');
    if (!Array.isArray(kept)) return [];
    return kept.filter(
      (one: Partial<Unsent> | null): one is Unsent =>
        typeof one?.id === 'string' && typeof one.text === 'string' && typeof one.at === 'string',
    );
  } catch {
    return [];
  }
}
