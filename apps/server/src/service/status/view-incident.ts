import type { IncidentCase, IncidentView } from '@sathorn/api';
import type { Language } from '@sathorn/text';
import type { IncidentRow, IncidentTexts } from './incident-store.ts';
import type { StatusDependencies } from './status.ts';

/** The text in this language, or in English if there is none. */
const wordsOf = (texts: IncidentTexts, language: Language): string => texts[language] ?? texts.en ?? '';

export function viewIncident(row: IncidentRow, language: Language): IncidentView {
  return {
    id: row.id,
    severity: row.severity,
    parts: [...row.parts],
    opened_at: row.opened_at.toISOString(),
    closed_at: row.closed_at?.toISOString() ?? null,
    updates: row.updates
      .map(({ at, texts }) => ({ at: new Date(at).toISOString(), text: wordsOf(texts, language) }))
      .reverse(),
  };
}

export async function viewIncidentCase(
  { database, operators }: StatusDependencies,
  row: IncidentRow,
): Promise<IncidentCase> {
  const staff = async (id: bigint) => ({ id: String(id), work_name: await operators.workNameOf(id) });
  const closing = row.closed_at ? null : await operators.findWaitingApproval(database, 'incident_close', row.id);
  return {
    id: row.id,
    severity: row.severity,
    parts: [...row.parts],
    opened_at: row.opened_at.toISOString(),
    opened_by: await staff(row.opened_by),
    closed_at: row.closed_at?.toISOString() ?? null,
    closing: closing?.id ?? null,
    updates: await Promise.all(
      row.updates.map(async ({ at, by, texts }) => ({
        at: new Date(at).toISOString(),
        by: await staff(BigInt(by)),
        texts: { ...texts },
      })),
    ),
  };
}
