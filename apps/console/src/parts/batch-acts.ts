import { type CLAIM_KINDS, exportEntries, readExport, takeClaim } from '@sathorn/api';
import { callServer } from '@sathorn/app/client';
import { refusedActOf } from '../use-act.ts';
import type { BatchAct } from './batch.tsx';
import { saveFile } from './save-file.ts';
import type { Texts } from './texts/index.ts';

const DAY_MS = 86_400_000;

export const takeClaimAct = ({ t }: Texts, kind: (typeof CLAIM_KINDS)[number]): BatchAct<{ readonly id: string }> => ({
  name: 'take',
  label: t('claim.take'),
  run: ({ id }, send) => send(takeClaim, { kind, id }),
});

/** Exports the log of each marked case for the last 31 days as a signed file. */
export const exportLogAct = ({ t }: Texts): BatchAct<{ readonly id: string }> => ({
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
    if (!read.ok) return { ok: false, refused: refusedActOf(read) };
    saveFile(`${id}-${read.data.name}`, read.data.file);
    return asked;
  },
});
