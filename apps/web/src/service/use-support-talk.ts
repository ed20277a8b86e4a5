import { markSupportRead, readSupport, type SupportState, sendSupport, typeSupport } from '@sathorn/api';
import { callServer, type Failure, randomId } from '@sathorn/app/client';
import { useSession } from '@sathorn/app/session';
import { onStreamReturn, useTopic } from '@sathorn/app/stream';
import { useCallback, useEffect } from 'react';
import { create } from 'zustand';
import { useAccount } from '../parts/account/use-account.ts';
import {
  applySupportState,
  EMPTY_TALK,
  mergeMessages,
  missingAfterNumber,
  parseUnsentMessages,
  type SupportTalk,
  type UnsentMessage,
} from './talk.ts';

const TYPING_EVERY_MS = 3_000;
const RETRY_MS = 4_000;

interface Stored extends SupportTalk {
  readonly isRead: boolean;
  readonly failure: Failure | null;
}
const NOTHING: Stored = { ...EMPTY_TALK, isRead: false, failure: null };

/** One conversation per customer; it is cleared when another customer signs in. */
const useStored = create<Stored>(() => NOTHING);
let owner: string | null = null;
let isReading = false;
let isSending = false;
let retry: ReturnType<typeof setTimeout> | undefined;
let typedAtMs = 0;

const placeOf = (person: string): string => `service.unsent.${person}`;

// Stored on this device only, so that a message survives a reload without a connection. Signing out deletes it.
function keepUnsent(unsent: readonly UnsentMessage[]): void {
  if (owner === null) return;
  try {
    if (unsent.length === 0) localStorage.removeItem(placeOf(owner));
    else localStorage.setItem(placeOf(owner), JSON.stringify(unsent));
  } catch {
    // Without storage the messages last until the page is closed.
  }
}
function change(next: (talk: Stored) => Partial<Stored>): void {
  const before = useStored.getState().unsent;
  useStored.setState((talk) => ({ ...talk, ...next(talk) }));
  const { unsent } = useStored.getState();
  if (unsent !== before) keepUnsent(unsent);
}

useSession.subscribe(({ token, endedBy }, before) => {
  if (token !== null || before.token === null) return;
  // A customer whose session the server ended may sign in again, so drafts stay. After signing out, nothing stays.
  if (endedBy === null) keepUnsent([]);
  useStored.setState(NOTHING, true);
  owner = null;
  clearTimeout(retry);
});

function takeUp(person: string): void {
  if (owner === person) return;
  // These messages were written before the account had loaded.
  const written = owner === null ? useStored.getState().unsent : [];
  owner = person;
  let unsent: UnsentMessage[] = [];
  try {
    unsent = parseUnsentMessages(localStorage.getItem(placeOf(person)));
  } catch {
    // Without storage nothing is kept.
  }
  useStored.setState({ ...NOTHING, unsent: [...unsent, ...written] }, true);
  if (written.length > 0) keepUnsent(useStored.getState().unsent);
}

async function readNewest(): Promise<void> {
  const person = owner;
  const answer = await callServer(readSupport, {});
  if (person !== owner) return;
  if (!answer.ok) return change(() => ({ failure: answer }));
  const { items, next, state } = answer.data;
  change((talk) => ({
    ...applySupportState(mergeMessages(talk, items), state),
    earlier: talk.isRead ? talk.earlier : next,
    isRead: true,
    failure: null,
  }));
}

/** Requests everything after the newest known number until nothing is missing. */
async function catchUp(): Promise<void> {
  if (isReading || owner === null) return;
  isReading = true;
  const person = owner;
  try {
    if (!useStored.getState().isRead) await readNewest();
    for (;;) {
      const after = missingAfterNumber(useStored.getState());
      if (after === null || person !== owner) return;
      const answer = await callServer(readSupport, { after: String(after) });
      if (person !== owner || !answer.ok || answer.data.items.length === 0) return;
      const { items, state } = answer.data;
      change((talk) => applySupportState(mergeMessages(talk, items), state));
    }
  } finally {
    isReading = false;
  }
}

/** Sends unsent messages one after the other, in the order of writing. */
async function sendUnsent(): Promise<void> {
  if (isSending || owner === null) return;
  isSending = true;
  clearTimeout(retry);
  const person = owner;
  try {
    for (;;) {
      const next = useStored.getState().unsent.find(({ refused }) => refused === null);
      if (!next || person !== owner) return;
      const { id, text, image } = next;
      const answer = await callServer(sendSupport, { id, ...(text && { text }), ...(image && { image }) });
      if (person !== owner) return;
      if (answer.ok) {
        const { message, state } = answer.data;
        change((talk) => applySupportState(mergeMessages(talk, [message]), state));
        continue;
      }
      if (answer.isAnswered && answer.code !== 'session_required') {
        const said = Object.values(answer.fields)[0] ?? answer.message ?? '';
        change(({ unsent }) => ({ unsent: unsent.map((one) => (one.id === id ? { ...one, refused: said } : one)) }));
        continue;
      }
      retry = setTimeout(() => void sendUnsent(), RETRY_MS);
      return;
    }
  } finally {
    isSending = false;
    void catchUp();
  }
}

export function writeMessage(text: string, image: string | null): void {
  const message = { id: randomId(), text, image, at: new Date().toISOString(), refused: null };
  change(({ unsent }) => ({ unsent: [...unsent, message] }));
  void sendUnsent();
}
export function resendMessage(id: string): void {
  change(({ unsent }) => ({ unsent: unsent.map((one) => (one.id === id ? { ...one, refused: null } : one)) }));
  void sendUnsent();
}
export function dropUnsentMessage(id: string): void {
  change(({ unsent }) => ({ unsent: unsent.filter((one) => one.id !== id) }));
}

export async function readEarlierMessages(): Promise<void> {
  const { earlier } = useStored.getState();
  if (earlier === null) return;
  const answer = await callServer(readSupport, { page: earlier });
  if (!answer.ok) return;
  change((talk) => ({ ...mergeMessages(talk, answer.data.items), earlier: answer.data.next }));
}

/** Reports typing, at most once in three seconds. */
export function reportTyping(): void {
  if (Date.now() - typedAtMs < TYPING_EVERY_MS) return;
  typedAtMs = Date.now();
  void callServer(typeSupport, {});
}

export function markMessagesSeen(number: number): void {
  void callServer(markSupportRead, { number: String(number) }).then((answer) => {
    if (answer.ok) change((talk) => applySupportState(talk, answer.data));
  });
}

/** The signed-in customer's conversation, live while the screen is shown. */
export function useSupportTalk() {
  // The account data may not have loaded yet although a session exists.
  const person = useAccount().user?.id ?? null;
  const talk = useStored();
  useEffect(() => {
    if (person === null) return undefined;
    takeUp(person);
    void catchUp();
    void sendUnsent();
    return onStreamReturn(() => {
      void sendUnsent();
      // Messages may have come while the connection was lost; the state shows how many there are.
      void readNewest().then(catchUp);
    });
  }, [person]);
  const hear = useCallback((event: SupportState | { readonly last: number }) => {
    if ('unread' in event) change((before) => applySupportState(before, event));
    void catchUp();
  }, []);
  useTopic(person === null ? null : 'support', hear);
  const again = useCallback(() => {
    change(() => ({ failure: null }));
    void catchUp();
  }, []);
  return { ...talk, again };
}
