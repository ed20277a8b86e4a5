import { type CLAIM_KINDS, exportEntries, listBankLines, matchDeposit, readExport, takeClaim } from '@sathorn/api';
import { callServer } from '@sathorn/app/client';
import { refusedOf } from '../use-act.ts';
import type { BatchAct } from './batch.tsx';
import { saveFile } from './save-file.ts';
import type { Texts } from './texts/index.ts';

const DAY_MS = 86_400_000;

export const takeAct = ({ t }: Texts, kind: (typeof CLAIM_KINDS)[number]): BatchAct<{ readonly id: string }> => ({
  name: 'take',
  label: t('claim.take'),
  run: ({ id }, send) => send(takeClaim, { kind, id }),
});

/** Exports the log of each marked case for the last 31 days as a signed file. */
export const exportAct = ({ t }: Texts): BatchAct<{ readonly id: string }> => ({
  name: 'export',
  label: t('batch.export'),
  needsReason: true,
  async run({ id }, send, reason) {
    const until = new Date();
    const since = new Date(until.getTime() - 31 * DAY_MS);
    const asked = await send(exportEntries, { on: id, since: since.toISOString(), until: until.toISOString(), reason });
    if (!asked.ok) return asked;
    const ticket = new URL(asked.data.url, location.href).searchParams.get('ticket') ?? '';
    const read = await callServer(readExport, { ticket });
    if (!read.ok) return { ok: false, refused: refusedOf(read) };
    saveFile(`${id}-${read.data.name}`, read.data.file);
    return asked;
  },
});

/** A slip above this amount must be matched by hand. */
const MATCHED_MAX_THB = 50_000;

interface Slip {
  readonly id: string;
  readonly version: number;
  readonly kind: string;
  readonly status: string;
  readonly fiat: { readonly amount: string } | null;
  readonly same_picture_as: string | null;
}

/**
 * Matches a slip if exactly one bank line agrees with both its amount and its reference. A picture that is with another
 * deposit too is for a person to look at.
 */
export const matchAct = ({ t }: Texts, twice: (number: string) => string): BatchAct<Slip> => ({
  name: 'match',
  label: t('batch.match'),
  async run({ id, version, fiat, status, same_picture_as: same }, send) {
    const not = { ok: false, refused: { code: 'not_exact', message: t('batch.not_exact'), fields: {} } } as const;
    if (status !== 'pending' || fiat === null || Number(fiat.amount) > MATCHED_MAX_THB) return not;
    if (same !== null) return { ok: false, refused: { code: 'same_picture', message: twice(same), fields: {} } };
    const lines = await callServer(listBankLines, { near: id, unused: 'true' });
    if (!lines.ok) return { ok: false, refused: refusedOf(lines) };
    const exact = lines.data.items.filter(({ agrees_on: on }) => on.includes('amount') && on.includes('reference'));
    const [line] = exact;
    return line === undefined || exact.length > 1
      ? not
      : send(matchDeposit, { id, version: String(version), line: line.id });
  },
});
