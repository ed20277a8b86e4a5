import type { Message } from '@sathorn/api';
import { formatAsset, formatDate, type Language } from '@sathorn/text';
import { translate } from '@sathorn/text/server';
import type { MessageRow } from './message-store.ts';
import { isTemplate } from './templates.ts';

function isTime(name: string): boolean {
  return name === 'at' || name === 'until' || name.endsWith('_at');
}

/** An amount with its asset, as the rooms write it: `12.500000 USDT`. */
const AMOUNT = /^(-?[0-9]+\.[0-9]+) ([A-Z]+)$/;

function worded(name: string, value: string, language: Language, timeZone: string): string {
  if (isTime(name)) return formatDate(value, 'dateTimeSeconds', { language }, timeZone);
  const [, amount, asset] = AMOUNT.exec(value) ?? [];
  // Idle zeros are for machines.
  return amount && asset
    ? formatAsset(amount.replace(/0+$/, '').replace(/\.$/, ''), asset, { language }, { minDecimals: 2 })
    : value;
}

export interface Wording {
  readonly brandTitle: string;
  /** The brand's, for times in sentences. */
  readonly timeZone: string;
}

/** The notice in the reader's language. Null for a template that is gone. */
export function wordMessage(row: MessageRow, language: Language, { brandTitle, timeZone }: Wording): Message | null {
  if (!isTemplate(row.template)) return null;
  const params: Record<string, string> = { brand: brandTitle };
  for (const [name, value] of Object.entries(row.params)) {
    params[name] = worded(name, value, language, timeZone);
  }
  return {
    id: row.id,
    title: translate(language, `messages.${row.template}.title`, params),
    content: translate(language, `messages.${row.template}.content`, params),
    status: row.read_at === null ? 'unread' : 'read',
    at: row.at.toISOString(),
  };
}
