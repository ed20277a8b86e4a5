import type { SupportMessage, SupportState } from '@sathorn/api';
import { describe, expect, it } from 'vitest';
import {
  applySupportState,
  EMPTY_TALK,
  firstUnreadNumber,
  mergeMessages,
  missingAfterNumber,
  parseUnsentMessages,
  type UnsentMessage,
} from './talk.ts';

const message = (number: number, author: 'customer' | 'staff' = 'staff'): SupportMessage => ({
  number,
  id: `id-${number}`,
  author,
  by: author === 'staff' ? 'mai' : null,
  text: `text ${number}`,
  picture: null,
  at: '2026-11-22T14:00:00.000Z',
});
const state = (last: number): SupportState => ({
  last,
  unread: 0,
  read_by_staff: 0,
  is_open: true,
  waiting_since: null,
  agent: null,
  types_until: null,
  promised_minutes: 10,
  usual_minutes: null,
  opens_at: null,
});
const unsent = (id: string): UnsentMessage => ({
  id,
  text: 'x',
  image: null,
  at: '2026-11-22T14:00:00.000Z',
  refused: null,
});

describe('a conversation’s state on the device', () => {
  it('orders messages by number and keeps each once, from whichever source', () => {
    const once = mergeMessages(EMPTY_TALK, [message(2), message(3)]);
    const twice = mergeMessages(mergeMessages(once, [message(1)]), [message(3), message(4)]);
    expect(twice.messages.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
  });

  it('drops an unsent message when the server shows it, even if its answer was lost', () => {
    const talk = { ...EMPTY_TALK, unsent: [unsent('id-1'), unsent('id-9')] };
    expect(mergeMessages(talk, [message(1, 'customer')]).unsent.map(({ id }) => id)).toEqual(['id-9']);
  });

  it('requests exactly the missing messages', () => {
    const talk = mergeMessages(applySupportState(EMPTY_TALK, state(5)), [message(1), message(2)]);
    expect(missingAfterNumber(talk)).toBe(2);
    expect(missingAfterNumber(mergeMessages(talk, [message(3), message(4), message(5)]))).toBeNull();
    expect(missingAfterNumber(EMPTY_TALK)).toBeNull();
  });

  it('ignores a state older than the known one', () => {
    expect(applySupportState(applySupportState(EMPTY_TALK, state(5)), state(4)).state?.last).toBe(5);
  });

  it('draws the line for new messages before the first unread answer', () => {
    const messages = [message(1), message(2, 'customer'), message(3), message(4)];
    expect(firstUnreadNumber(messages, 2)).toBe(3);
    expect(firstUnreadNumber(messages, 0)).toBeNull();
  });

  it('parses only messages that it has stored itself', () => {
    expect(parseUnsentMessages(JSON.stringify([unsent('a'), { id: 1 }, null]))).toEqual([unsent('a')]);
    for (const text of [null, '', '{', '7', '{"id":"a"}']) expect(parseUnsentMessages(text)).toEqual([]);
  });
});
