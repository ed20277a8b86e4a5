import { createHash, hash, randomBytes } from 'node:crypto';
import { type RedoReason, SIDES_OF_DOCUMENT } from '@sathorn/identity';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { Queries } from '../../platform/database/index.ts';
import { automaticChecksOf, maskedDocument, unsealPerson } from './certification.ts';
import {
  type ApplicationDecision,
  type ApplicationRow,
  claimDocument,
  countOtherOwners,
  countPictureViews,
  countWaitingApplications,
  decideApplication,
  findApplication,
  insertViewTicket,
  listApplicationHistory,
  listApplications,
  lockApplication,
  lockViewingOperator,
  readApplicationPictures,
  readDocumentOwner,
  readLatestApplications,
  takeViewTicket,
} from './certification-store.ts';
import type {
  ApprovalRefusal,
  CertificationReviews,
  CertificationsModule,
  Reviewer,
  ReviewRefusal,
} from './certifications.ts';

/** How many pictures one operator may open per hour. */
export const PICTURE_VIEWS_PER_HOUR = 30;
const HOUR_MS = 3_600_000;
/** How long a picture's address is valid. */
const VIEW_TICKET_MS = 60_000;
const TICKET_BYTES = 32;
/** The kind of approval that a final rejection needs, and how long it stays open. */
export const CERTIFICATION_REFUSAL = 'certification_refusal';
const REFUSAL_WAITS_MS = 72 * HOUR_MS;

/** The content that the reviewer signs. The database writes the same text (`certifications.signed_text`). */
const approvalActOf = ({ id, customer, level, document_type: type, digest }: ApplicationRow) => {
  const text = JSON.stringify([id, String(customer), level, type, digest.toString('hex')]);
  return { act: 'certification.approve', subject: id, fingerprint: hash('sha256', text, 'hex') } as const;
};

const hashOf = (ticket: string): Buffer => createHash('sha256').update(ticket).digest();

/** Reasons that new pictures cannot resolve, because the customer must correct typed fields. */
const TYPED: readonly RedoReason[] = ['name_differs', 'number_differs', 'birth_date_differs', 'expiry_differs'];

export function openCertificationReviews(module: CertificationsModule): CertificationReviews {
  const { database, files, sealer, audit, messages, rewards, onFault, timeZone } = module;
  const dayOf = (now: Date): string => new Intl.DateTimeFormat('en-CA', { timeZone }).format(now);
  const tell = (
    customer: bigint,
    template: 'primary_verified' | 'advanced_verified' | 'certification_sent_back' | 'certification_refused',
    now: Date,
  ): Promise<void> => messages.send(customer, template, { at: now.toISOString() }, now).catch(onFault);

  /**
   * Locks the row and compares its version with the one that the operator saw, so that two decisions cannot conflict.
   */
  const seen = async (
    transaction: Queries,
    { id, version }: { readonly id: string; readonly version: number },
  ): Promise<Decision<ApplicationRow, ReviewRefusal>> => {
    const row = await lockApplication(transaction, id);
    if (row === null) return refuse('certification_unknown', { field: 'id' });
    if (row.state !== 'review' || row.version !== version)
      return refuse('version_stale', { params: { version: String(row.version) } });
    return accept(row);
  };
  type Noted = Omit<ApplicationDecision, 'by'> & { readonly note?: string | undefined };
  const decide = async (
    transaction: Queries,
    reviewer: Reviewer,
    row: ApplicationRow,
    decided: Noted,
    now: Date,
  ): Promise<void> => {
    if (await decideApplication(transaction, row, { ...decided, by: reviewer.id }, now))
      await log(transaction, reviewer, row, decided);
  };
  const log = async (
    transaction: Queries,
    reviewer: Reviewer,
    row: ApplicationRow,
    { note, ...decided }: Noted,
  ): Promise<void> => {
    const [reason] = decided.reasons;
    await audit.append(transaction, {
      operator: reviewer,
      what: `certification.${decided.state}`,
      on: { kind: 'certification', id: row.id },
      customer: row.customer,
      after: { level: row.level, state: decided.state, reasons: decided.reasons, sides: decided.sides },
      ...(reason !== undefined && { reason }),
      ...(note !== undefined && { note }),
    });
  };

  return {
    list: (wanted) => listApplications(database, wanted),
    counts: () => countWaitingApplications(database),

    read: async (id, now) => {
      const application = await findApplication(database, id);
      if (application === null) return null;
      const [latest, history, pictures, others] = await Promise.all([
        readLatestApplications(database, application.customer),
        listApplicationHistory(database, application.customer),
        readApplicationPictures(database, [id]),
        countOtherOwners(database, application.digest, application.customer),
      ]);
      const person = unsealPerson(sealer, application);
      const isPrimaryVerified = application.level === 'advanced' && latest.primary?.state === 'verified';
      return {
        application,
        person,
        type: application.document_type,
        maskedNumber: maskedDocument(person.number),
        checks: automaticChecksOf(
          person,
          isPrimaryVerified && latest.primary ? unsealPerson(sealer, latest.primary) : null,
          {
            othersWithNumber: others,
            today: dayOf(now),
          },
        ),
        attempts: history.map((row) => ({
          id: row.id,
          level: row.level,
          state: row.state,
          submittedAt: row.submitted_at,
          decidedAt: row.decided_at,
          decidedBy: row.decided_by,
          reasons: row.reasons,
        })),
        sides: pictures.map(({ side }) => side),
      };
    },

    open: (reviewer, id, side, now) =>
      database.transaction(async (transaction) => {
        await lockViewingOperator(transaction, reviewer.id);
        const row = await findApplication(transaction, id);
        if (row === null) return refuse('certification_unknown', { field: 'id' });
        const pictures = await readApplicationPictures(transaction, [id]);
        if (!pictures.some((picture) => picture.side === side)) return refuse('picture_unknown', { field: 'picture' });
        const { views, first } = await countPictureViews(transaction, reviewer.id, new Date(now.getTime() - HOUR_MS));
        if (views >= PICTURE_VIEWS_PER_HOUR) {
          const until = new Date((first ?? now).getTime() + HOUR_MS);
          return refuse('hour_budget_spent', { params: { until: until.toISOString() } });
        }
        const ticket = randomBytes(TICKET_BYTES).toString('base64url');
        const expiresAt = new Date(now.getTime() + VIEW_TICKET_MS);
        const view = { ticketHash: hashOf(ticket), application: id, side, operator: reviewer.id };
        await insertViewTicket(transaction, view, now, expiresAt);
        await audit.append(transaction, {
          operator: reviewer,
          what: 'certification.picture_opened',
          on: { kind: 'certification', id },
          customer: row.customer,
          after: { side },
        });
        return accept({ ticket, expiresAt, left: PICTURE_VIEWS_PER_HOUR - views - 1 });
      }),

    look: async (reviewer, ticket, now) => {
      const view = await takeViewTicket(database, hashOf(ticket), reviewer.id, now);
      const row = view && (await findApplication(database, view.application));
      if (!view || !row) return null;
      const picture = (await readApplicationPictures(database, [row.id])).find(({ side }) => side === view.side);
      const mark = `${reviewer.workName} ${row.id.slice(0, 6)} ${now.toISOString().slice(0, 16).replace('T', ' ')}`;
      return picture ? files.readMarked(row.customer, picture.file, mark) : null;
    },

    approve: async (reviewer, wanted, now) => {
      type Signed = ApplicationRow & { readonly stepUp: string };
      const certify = async (transaction: Queries): Promise<Decision<Signed, ReviewRefusal | ApprovalRefusal>> => {
        const found = await seen(transaction, wanted);
        if (!found.ok) return found;
        const row = found.effect;
        if (row.level === 'advanced') {
          const { primary } = await readLatestApplications(transaction, row.customer);
          if (primary?.state !== 'verified') return refuse('primary_first');
          // Thai identity cards show religion and blood group. Nobody needs them, so a card is accepted only with them
          // masked.
          if (row.document_type === 'id_card' && !wanted.isMasked) return refuse('mask_missing');
        }
        const owner = await readDocumentOwner(transaction, row.digest);
        if (owner !== null && owner !== row.customer) return refuse('duplicate_person');
        const of = approvalActOf(row);
        const signed = await module.stepUps.sign(transaction, reviewer, of);
        if (!signed.ok)
          return signed.refusal === 'step_up_required'
            ? refuse('step_up_required', { params: { op: of.act, id: of.subject, fingerprint: of.fingerprint } })
            : signed;
        // Another approval of the same document may have come first.
        if (!(await claimDocument(transaction, row.digest, row.customer))) return refuse('duplicate_person');
        return accept({ ...row, stepUp: signed.effect });
      };
      const answer: { done?: Awaited<ReturnType<typeof certify>> } = {};
      const posted = await rewards.inTransaction(async (transaction) => {
        const done = await certify(transaction);
        answer.done = done;
        if (!done.ok) return new Set<bigint>();
        const row = done.effect;
        const verified = { state: 'verified', reasons: [], sides: [], note: wanted.note } as const;
        if (!(await decideApplication(transaction, row, { ...verified, by: reviewer.id, stepUp: row.stepUp }, now)))
          throw new Error(`certification ${row.id} changed while it was locked`);
        // Runs before the entry in the log: every other poster takes the log's lock after the ledger's.
        const isReleased = await rewards.release(transaction, row.customer);
        await log(transaction, reviewer, row, verified);
        return new Set(isReleased ? [row.customer] : []);
      });
      const { done } = answer;
      if (!posted.ok || done === undefined) throw new Error('money was halted meanwhile: nothing was decided');
      if (!done.ok) return done;
      await tell(done.effect.customer, `${done.effect.level}_verified`, now);
      return accept(null);
    },

    sendBack: async (reviewer, wanted, now) => {
      const { reasons, sides } = wanted;
      if (reasons.length === 0) return refuse('reason_unknown', { field: 'reasons' });
      const done = await database.transaction(async (transaction) => {
        const found = await seen(transaction, wanted);
        if (!found.ok) return found;
        const row = found.effect;
        const known = SIDES_OF_DOCUMENT[row.document_type];
        const isAboutPictures = row.level === 'advanced' && reasons.some((reason) => !TYPED.includes(reason));
        // A customer whose picture is rejected must learn which one.
        if (sides.some((side) => !known.includes(side)) || (isAboutPictures && sides.length === 0))
          return refuse('side_missing', { field: 'sides' });
        await decide(transaction, reviewer, row, { state: 'sent_back', reasons, sides, note: wanted.note }, now);
        return accept(row);
      });
      if (!done.ok) return done;
      await tell(done.effect.customer, 'certification_sent_back', now);
      return accept(null);
    },

    refuse: async (transaction, reviewer, wanted, now) => {
      const found = await seen(transaction, wanted);
      if (!found.ok) return found;
      const row = found.effect;
      const { reason, note } = wanted;
      await decide(transaction, reviewer, row, { state: 'refused', reasons: [reason], sides: [], note }, now);
      return accept({ customer: row.customer });
    },
    proposeRefusal: (reviewer, { id, version, reason, note }, now) =>
      database.transaction(async (transaction) => {
        const found = await seen(transaction, { id, version });
        if (!found.ok) return found;
        if (await module.approvals.isWaiting(transaction, CERTIFICATION_REFUSAL, id)) return refuse('refusal_waits');
        const opened = await module.approvals.propose(transaction, reviewer, {
          kind: CERTIFICATION_REFUSAL,
          subject: id,
          fingerprintOf: { id, version: String(version), reason, customer: String(found.effect.customer) },
          roles: ['compliance'],
          about: [found.effect.customer],
          reason,
          expiresAt: new Date(now.getTime() + REFUSAL_WAITS_MS),
        });
        if (!opened.ok) return opened;
        await audit.append(transaction, {
          operator: reviewer,
          what: 'certification.refusal_asked',
          on: { kind: 'certification', id },
          customer: found.effect.customer,
          reason,
          ...(note !== undefined && { note }),
        });
        return opened;
      }),
    viewsLeft: async ({ id }, now) => {
      const { views } = await countPictureViews(database, id, new Date(now.getTime() - HOUR_MS));
      return Math.max(0, PICTURE_VIEWS_PER_HOUR - views);
    },
    tellRefused: (customer, now) => tell(customer, 'certification_refused', now),
  };
}
