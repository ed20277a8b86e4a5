import type { Queries } from '../platform/database/index.ts';
import type { AnyKind, BatchEntry } from './batch-entry.ts';
import type { JournalRow } from './ledger-store.ts';

/** The final result of an intent. */
export interface IntentOutcome {
  readonly digest: string;
  readonly refusal: string | null;
  readonly answer: unknown;
}

/** The part of an outcome that the journal stores. */
export function storedAnswerOf({ refusal, answer }: IntentOutcome, { memory }: AnyKind): string | null {
  const kept = refusal === null && memory !== undefined ? memory.keep(answer) : answer;
  return kept === null || kept === undefined ? null : JSON.stringify(kept);
}

/** Outcomes of intents in this batch that were posted earlier. */
export async function recallOutcomes(
  queries: Queries,
  entries: readonly BatchEntry[],
  journals: readonly JournalRow[],
): Promise<Map<string, IntentOutcome>> {
  const outcomes = new Map<string, IntentOutcome>();
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
