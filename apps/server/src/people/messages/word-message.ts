import { type Message, plainText } from '@sathorn/api';
import { formatAsset, formatDate, type Reader, textDirectionOf } from '@sathorn/text';
import { translate } from '@sathorn/text/server';
import type { MessageRow } from './message-store.ts';
import type { Messages, MessageWording } from './messages.ts';
import { isTemplate } from './templates.ts';

/** An amount with its asset, as modules write it: `12.500000 USDT`. */
const AMOUNT = /^(-?[0-9]+(?:\.[0-9]+)?) ([A-Z]+)$/;

/** Formats a parameter for its reader: a time in their zone, an amount in their digits. Others stay. */
function worded(name: string, value: string, reader: Reader, timeZone: string): string {
  if (isTime(name) && !Number.isNaN(Date.parse(value)))
    return formatDate(value, 'dateTimeSeconds', reader, reader.timeZone ?? timeZone);
  const [, amount, asset] = (name === 'amount' && AMOUNT.exec(value)) || [];
  // Trailing zeros are removed for people.
  return amount && asset
    ? formatAsset(amount.replace(/(\.[0-9]*?)0+$/, '$1').replace(/\.$/, ''), asset, reader, { minDecimals: 2 })
    : value;
}

/**
 * Isolates an order's number or an amount, so that it reads from left to right in a right-to-left sentence. A bare
 * number needs no isolation, and must stay a number for the plural rules.
 */
function isolated(value: string, { language }: Reader): string {
  return textDirectionOf(language) === 'rtl' && !/^[0-9.]*$/.test(value) ? `\u2068${value}\u2069` : value;
}

function isTime(name: string): boolean {
  return name === 'at' || name === 'until' || name.endsWith('_at');
}

/** The sentence that a customer would read, in the brand's time zone. */
export const openMessagePreview =
  (wording: MessageWording): Messages['preview'] =>
  (template, params, language) =>
    wordMessage(
      { sequence: 0n, id: '', template, params: { ...params }, texts: null, at: new Date(0), read_at: null },
      { language },
      wording,
    )?.content ?? '';

/** The notice in this reader's language and formats. Null if its template no longer exists. */
export function wordMessage(row: MessageRow, reader: Reader, { brandTitle, timeZone }: MessageWording): Message | null {
  const status = row.read_at === null ? 'unread' : 'read';
  if (row.texts !== null) {
    const text = row.texts[reader.language];
    if (!text) return null;
    const body = text.body as Message['body'];
    // The database compares the tree with what was published, and not the plain text beside it.
    const content = body ? plainText(body) : text.content;
    return { id: row.id, title: text.title, content, body, status, at: row.at.toISOString() };
  }
  if (row.template === null || !isTemplate(row.template)) return null;
  const params: Record<string, string> = { brand: brandTitle };
  for (const [name, value] of Object.entries(row.params)) {
    params[name] = isolated(worded(name, value, reader, timeZone), reader);
  }
  return {
    id: row.id,
    title: translate(reader.language, `messages.${row.template}.title`, params),
    content: translate(reader.language, `messages.${row.template}.content`, params),
    body: null,
    status,
    at: row.at.toISOString(),
  };
}
