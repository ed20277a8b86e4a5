import type { SupportMessage, SupportState } from '@sathorn/api';

/** A message that the server has not confirmed. The device creates its id, so it is stored only once. */
export interface UnsentMessage {
  readonly id: string;
  readonly text: string;
  /** The uploaded picture's id. */
  readonly image: string | null;
  readonly at: string;
  /** The server's message, if it refused this one. */
  readonly refused: string | null;
}

export interface SupportTalk {
  /** Messages ordered by number, without duplicates. */
  readonly messages: readonly SupportMessage[];
  readonly unsent: readonly UnsentMessage[];
  readonly state: SupportState | null;
  /** The number before which there are older messages; null if there are none. */
  readonly earlier: string | null;
}

export const EMPTY_TALK: SupportTalk = { messages: [], unsent: [], state: null, earlier: null };

/** Merges messages from the server, and removes confirmed ones from the unsent messages. */
export function mergeMessages(talk: SupportTalk, messages: readonly SupportMessage[]): SupportTalk {
  const byNumber = new Map([...talk.messages, ...messages].map((message) => [message.number, message]));
  const confirmed = new Set(messages.map(({ id }) => id));
  return {
    ...talk,
    messages: [...byNumber.values()].sort((a, b) => a.number - b.number),
    unsent: talk.unsent.filter(({ id }) => !confirmed.has(id)),
  };
}

/** Ignores an outdated state from a slow answer, so that read marks are not lost. */
export function applySupportState(talk: SupportTalk, state: SupportState): SupportTalk {
  if (talk.state !== null && state.last < talk.state.last) return talk;
  return { ...talk, state };
}

/** The number after which messages must be requested; null if none is missing. */
export function missingAfterNumber({ messages, state }: SupportTalk): number | null {
  const known = messages.at(-1)?.number ?? 0;
  return state !== null && state.last > known ? known : null;
}

/** Returns the first unread answer. The "new" line is above it. */
export function firstUnreadNumber(messages: readonly SupportMessage[], unread: number): number | null {
  if (unread <= 0) return null;
  return messages.filter(({ author }) => author === 'staff').at(-unread)?.number ?? null;
}

/** Parses the stored text; anything but a list of unsent messages is ignored. */
export function parseUnsentMessages(text: string | null): UnsentMessage[] {
  try {
    const kept: unknown = JSON.parse(text ?? '[]');
    if (!Array.isArray(kept)) return [];
    return kept.filter(
      (one: Partial<UnsentMessage> | null): one is UnsentMessage =>
        typeof one?.id === 'string' && typeof one.text === 'string' && typeof one.at === 'string',
    );
  } catch {
    return [];
  }
}
