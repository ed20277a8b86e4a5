import type { OfferHistory, OfferItem } from '@sathorn/api';
import { formatMoney, money } from '@sathorn/money';
import type { OfferModule } from './offer.ts';
import { OFFER_APPROVAL, type OfferKind } from './offer-kind.ts';
import { type OfferVersionRow, readCurrentVersions, readVersionHistory } from './offer-store.ts';

const HOUR_MS = 3_600_000;

/** Returns all kinds on a page of the console, or one of them. */
export async function viewOffers(
  { kinds, database, findWaiting, noticeOf }: OfferModule,
  page: OfferKind['page'],
  only: string | undefined,
): Promise<OfferItem[]> {
  const rows = await readCurrentVersions(database);
  const find = (kind: string, subject: string, isApplied: boolean): OfferVersionRow | undefined =>
    rows.find((row) => row.kind === kind && row.subject === subject && (row.appliedAt !== null) === isApplied);
  const shown = [...kinds.values()].filter((kind) => kind.page === page && (only === undefined || kind.name === only));
  return Promise.all(
    shown.flatMap((kind) =>
      kind.subjects.map(async (subject): Promise<OfferItem> => {
        const [inForce, next] = [find(kind.name, subject, true), find(kind.name, subject, false)];
        const waiting = await findWaiting(database, OFFER_APPROVAL, `${kind.name}/${subject}`);
        const content = waiting && (JSON.parse(waiting.content) as { after: OfferItem; effective_from: string });
        return {
          kind: kind.name,
          subject,
          notice_hours: noticeOf(kind.name) / HOUR_MS,
          begins_at_midnight: kind.beginsAtMidnight ?? false,
          in_force: inForce
            ? {
                version: inForce.version,
                fields: inForce.fields,
                effective_from: inForce.effectiveFrom.toISOString(),
              }
            : null,
          scheduled: next
            ? {
                version: next.version,
                fields: next.fields,
                effective_from: next.effectiveFrom.toISOString(),
                announced_at: next.announcedAt?.toISOString() ?? null,
              }
            : null,
          waiting: waiting &&
            content && {
              id: waiting.id,
              fields: content.after as never,
              effective_from: content.effective_from,
              made_by: waiting.made_by_name,
            },
        };
      }),
    ),
  );
}

export async function viewOfferHistory(module: OfferModule, name: string, subject: string): Promise<OfferHistory> {
  const { database, kinds, makersOf, workNameOf } = module;
  const rows = await readVersionHistory(database, name, subject);
  const makers = await makersOf(
    database,
    rows.flatMap(({ approval }) => approval ?? []),
  );
  const usage = rows.length === 0 ? [] : ((await kinds.get(name)?.usage?.(database, subject)) ?? []);
  const text = (units: bigint): string => formatMoney(money('USDT', units));
  return {
    items: await Promise.all(
      rows.map(async (row) => {
        const made = row.approval === null ? undefined : makers.get(row.approval);
        const next = rows.findLast((other) => other.version > row.version && other.appliedAt !== null);
        return {
          version: row.version,
          fields: row.fields,
          effective_from: row.effectiveFrom.toISOString(),
          to: row.appliedAt === null ? null : (next?.effectiveFrom.toISOString() ?? null),
          status:
            row.stoppedAt !== null
              ? ('stopped' as const)
              : row.approval === null
                ? ('first' as const)
                : row.appliedAt === null
                  ? ('scheduled' as const)
                  : ('applied' as const),
          made_by: made?.madeBy ?? null,
          checked_by: [...(made?.checkedBy ?? [])],
          reason: made?.reason ?? null,
          stopped_by: row.stoppedBy === null ? null : await workNameOf(row.stoppedBy),
          stop_reason: row.stopReason,
        };
      }),
    ),
    usage: usage.map(({ approval, orders, units, reserved, lastEnds }) => ({
      version: rows.find((row) => row.approval === approval)?.version ?? null,
      orders,
      amount: text(units),
      reserved: text(reserved),
      last_ends: lastEnds,
    })),
  };
}
