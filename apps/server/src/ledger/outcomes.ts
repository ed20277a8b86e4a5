import type { Queries } from '../platform/database/index.ts';
import type { AnyKind, Entry } from './entry.ts';
import type { JournalRow } from './ledger-store.ts';

/** The final result of an intent. */
export interface Outcome {
  readonly digest: string;
  readonly refusal: string | null;
  readonly answer: unknown;
}

/** The part of an outcome that the journal stores. */
export function keptOf({ refusal, answer }: Outcome, { memory }: AnyKind): string | null {
  const kept = refusal === null && memory !== undefined ? memory.keep(answer) : answer;
  return kept === null || kept === undefined ? null : JSON.stringify(kept);
}

/** Outcomes of intents in this batch that were posted earlier. */
export async function recallOutcomes(
  queries: Queries,
  entries: readonly Entry[],
  journals: readonly JournalRow[],
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  if (journals.length === 0) return outcomes;
  const kinds = new Map(entries.map(({ intent, kind }) => [intent.id, kind]));
  const toRecall = new Map<AnyKind, Map<string, unknown>>();
  for (const { id, kind: name, digest, refusal, answer } of journals) {
    const kept: unknown = answer === null ? null : JSON.parse(answer);
    outcomes.set(id, { digest, refusal, answer: kept });
    const kind = kinds.get(id);
    if (refusal !== null || kind?.memory === undefined || kind.name !== name) continue;
    const ofKind = toRecall.get(kind) ?? new Map<string, unknown>();
    toRecall.set(kind, ofKind.set(id, kept));
  }
  for (const [{ memory }, kept] of toRecall)
    for (const [id, answer] of (await memory?.recall(queries, kept)) ?? []) {
      const outcome = outcomes.get(id);
      if (outcome !== undefined) outcomes.set(id, { ...outcome, answer });
    }
  return outcomes;
}
