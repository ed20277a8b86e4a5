import type { Canonical } from '@sathorn/proof';
import { accept, refuse } from '@sathorn/settlement';
import type { Module } from '../../platform/module.ts';
import type { ApprovalKind } from '../operators/index.ts';
import { offerCalls } from './calls.ts';
import { FieldsReader } from './fields-reader.ts';
import { listOfferChangesHandler } from './list-offer-changes.ts';
import type { Offer, OfferDependencies, OfferModule } from './offer.ts';
import {
  OFFER_APPROVAL,
  type OfferFields,
  type OfferKind,
  type OfferTermsChange,
  PROPOSER_ROLES,
} from './offer-kind.ts';
import {
  insertFirstTerms,
  insertOfferVersion,
  lockDueVersion,
  markVersionAnnounced,
  markVersionApplied,
  type OfferVersionRow,
  readCurrentVersions,
  readLastVersion,
  readNoticePeriods,
  readUnannouncedVersion,
  readVersionInForce,
} from './offer-store.ts';
import { previewOfferHandler } from './preview-offer.ts';
import { stopOfferHandler } from './stop-offer.ts';

const HOUR_MS = 3_600_000;
const POLL_MS = 2_000;
const AUDIENCE_TOGETHER = 500;
/** The maximum age of this copy of the terms. Changes are approved a day ahead, so minutes do no harm. */
const AGE_MAX_MS = 600_000;

const changeOf = (row: OfferVersionRow, before: OfferFields | null): OfferTermsChange => ({
  kind: row.kind,
  subject: row.subject,
  version: row.version,
  before,
  after: row.fields,
  effectiveFrom: row.effectiveFrom,
});

const isSame = (a: Canonical | null, b: Canonical): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => [name, sorted(one)]);
}

const keyOf = ({ kind, subject }: Pick<OfferVersionRow, 'kind' | 'subject'>): string => `${kind}/${subject}`;

export async function openOffer(dependencies: OfferDependencies): Promise<Module<Offer> & { approval: ApprovalKind }> {
  const { database, clock, midnights, notify, everybody, onFault } = dependencies;
  const kinds = new Map<string, OfferKind>();
  const notices = await readNoticePeriods(database);
  let rows: readonly OfferVersionRow[] = [];
  /** The terms in force, by kind and subject: every order reads them. */
  let rowsInForce: ReadonlyMap<string, OfferVersionRow> = new Map();
  let readAtMs = 0;

  const refresh = async (): Promise<void> => {
    rows = await readCurrentVersions(database);
    rowsInForce = new Map(rows.filter(({ appliedAt }) => appliedAt !== null).map((row) => [keyOf(row), row]));
    readAtMs = performance.now();
  };
  const noticeOf = (kind: string): number => {
    const ms = notices.get(kind);
    if (ms === undefined) throw new Error(`offer.kind lacks ${kind}`);
    return ms;
  };

  const api: Offer = {
    addKind(kind) {
      noticeOf(kind.name);
      kinds.set(kind.name, kind);
    },
    inForce(kind, subject) {
      if (performance.now() - readAtMs > AGE_MAX_MS) throw new Error('the terms could not be read for ten minutes');
      return rowsInForce.get(keyOf({ kind, subject }))?.fields ?? null;
    },
    scheduled: (kind) =>
      rows
        .filter((row) => row.appliedAt === null && (kind === undefined || row.kind === kind))
        .map((row) => changeOf(row, rowsInForce.get(keyOf(row))?.fields ?? null))
        .sort((a, b) => a.effectiveFrom.getTime() - b.effectiveFrom.getTime()),
    async begin(kind, subject, fields, now) {
      await insertFirstTerms(database, kind, subject, fields, now);
      await refresh();
    },
    refresh,

    async applyDue(now) {
      let applied = 0;
      for (;;) {
        const isDone = await database.transaction(async (transaction) => {
          const row = await lockDueVersion(transaction, now);
          if (row === undefined) return true;
          const before = (await readVersionInForce(transaction, row.kind, row.subject))?.fields ?? null;
          const kind = kinds.get(row.kind);
          if (row.approval === null || !kind) throw new Error(`nothing applies terms of ${row.kind}`);
          await kind.apply?.(transaction, { ...changeOf(row, before), approval: row.approval }, now);
          await markVersionApplied(transaction, row);
          await dependencies.audit.append(transaction, {
            operator: null,
            what: 'offer.applied',
            on: { kind: OFFER_APPROVAL, id: `${row.kind}/${row.subject}` },
            ...(before !== null && { before }),
            after: { version: String(row.version), ...row.fields },
          });
          return false;
        });
        if (isDone) break;
        applied += 1;
      }
      if (applied > 0) await refresh();
      return applied;
    },

    async announce(now) {
      for (;;) {
        const row = await readUnannouncedVersion(database);
        if (row === undefined) return;
        const before = (await readVersionInForce(database, row.kind, row.subject))?.fields ?? null;
        const change = changeOf(row, before);
        const audience = kinds.get(row.kind)?.audience;
        let after = 0n;
        for (;;) {
          const page = audience
            ? await audience(database, change, after, AUDIENCE_TOGETHER)
            : await everybody(database, after, AUDIENCE_TOGETHER);
          const last = page.at(-1);
          if (last === undefined) break;
          // The notice's id contains the version, so that a restarted process sends nothing twice.
          const once = `offer/${row.kind}/${row.subject}/${row.version}`;
          await Promise.all(page.map((customer) => notify(customer, change, now, `${once}/${customer}`)));
          after = last;
        }
        await markVersionAnnounced(database, row);
      }
    },
  };

  const module: OfferModule = {
    ...dependencies,
    api,
    kinds,
    noticeOf,
    async prepare(queries, { kind: name, subject, fields, effectiveFrom }, now, operator) {
      const kind = kinds.get(name);
      if (!kind?.subjects.includes(subject)) return refuse('product_unknown', { field: 'subject' });
      if (!PROPOSER_ROLES[kind.page].some((role) => operator.roles.includes(role))) return refuse('role_missing');
      const reader = new FieldsReader(fields);
      const after = kind.read(subject, reader);
      if (reader.fault !== null) return refuse('terms_malformed', { field: `fields.${reader.fault}` });
      const current = await readVersionInForce(queries, name, subject);
      if (isSame(current?.fields ?? null, after)) return refuse('terms_unchanged', { field: 'fields' });
      await refresh();
      if (rows.some((row) => row.appliedAt === null && row.kind === name && row.subject === subject))
        return refuse('change_pending', { field: 'subject' });
      const noticeMs = noticeOf(name);
      const field = 'effective_from';
      if (kind.beginsAtMidnight && !midnights.isOne(effectiveFrom)) return refuse('begins_at_midnight', { field });
      // Adds one hour to find the second person. The notice period counts from the approval, so customers get all of
      // it.
      const earliest = new Date(now.getTime() + noticeMs + HOUR_MS);
      if (effectiveFrom < earliest) {
        const from = kind.beginsAtMidnight ? midnights.after(earliest) : earliest;
        return refuse('notice_too_short', { field, params: { from: from.toISOString() } });
      }
      const version = 1 + (await readLastVersion(queries, name, subject));
      const change: OfferTermsChange = {
        kind: name,
        subject,
        version,
        before: current?.fields ?? null,
        after,
        effectiveFrom,
      };
      const checks = (await kind.check?.(queries, change)) ?? [];
      return accept({ kind, change, checks, noticeMs });
    },
  };

  /** Applies the second person's decision: writes the version exactly as approved. */
  const approval: ApprovalKind = {
    async apply(transaction, row) {
      const content = JSON.parse(row.content) as {
        kind: string;
        subject: string;
        version: string;
        after: OfferFields;
        effective_from: string;
      };
      const { kind: name, subject, after } = content;
      const kind = kinds.get(name);
      const version = 1 + (await readLastVersion(transaction, name, subject));
      if (!kind || String(version) !== content.version) return false;
      const effectiveFrom = new Date(content.effective_from);
      const before = (await readVersionInForce(transaction, name, subject))?.fields ?? null;
      const change: OfferTermsChange = { kind: name, subject, version, before, after, effectiveFrom };
      // A change that could be funded when it was proposed may no longer be fundable.
      const checks = (await kind.check?.(transaction, change)) ?? [];
      if (checks.some(({ ok }) => !ok)) return false;
      await insertOfferVersion(transaction, {
        kind: name,
        subject,
        version,
        effectiveFrom,
        fields: after,
        approval: row.id,
      });
      setTimeout(() => void refresh().catch(onFault), 100).unref();
      return true;
    },
    customerOf: () => null,
  };

  await refresh();
  return {
    api,
    approval,
    handlers: [
      previewOfferHandler(module),
      stopOfferHandler(module),
      ...offerCalls(module),
      listOfferChangesHandler(module),
    ],
    jobs: [
      { on: 'every process', run: (signal) => every(POLL_MS, signal, refresh, onFault) },
      {
        on: 'settler',
        run: (signal) =>
          every(
            POLL_MS,
            signal,
            async () => {
              await api.applyDue(clock.now());
              await api.announce(clock.now());
            },
            onFault,
          ),
      },
    ],
  };
}

/** Repeats the work in rounds until the signal aborts. */
async function every(
  ms: number,
  signal: AbortSignal,
  work: () => Promise<void>,
  onFault: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    await work().catch(onFault);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, ms);
      function done(): void {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      }
      signal.addEventListener('abort', done);
      if (signal.aborted) done();
    });
  }
}
