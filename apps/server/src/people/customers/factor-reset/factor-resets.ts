import { randomUUID } from 'node:crypto';
import {
  accept,
  type Decision,
  decideFactorReset,
  decideFactorResetRequest,
  FACTOR_RESET_LAPSE_MS,
  FACTOR_RESET_MS,
  FACTOR_RESET_PEOPLE,
  FACTOR_RESET_REMINDER_MS,
} from '@sathorn/settlement';
import type { Templates } from '../../messages/index.ts';
import { contactsOf } from '../contacts-of.ts';
import { lockCustomer, readCustomer } from '../customer-store.ts';
import type { CustomersModule, FactorResetDesk, FactorResets } from '../customers.ts';
import { notifyContacts, type SecurityNotice } from '../notify-customer.ts';
import { dropSecondFactor, markFactorsChanged } from '../second-factor/second-factor-store.ts';
import { isKnownNetwork } from '../sessions/known-network.ts';
import { forgetDevices } from '../sessions/session-store.ts';
import {
  dropPasskeys,
  endFactorReset,
  type FactorResetRow,
  findFactorReset,
  findLatestFactorReset,
  insertFactorReset,
  listDueResets,
  listUsedResets,
  lockFactorReset,
  type ResetStopper,
  readDatabaseTime,
  readFactorResetFacts,
  takeResetsToRemind,
} from './factor-reset-store.ts';

export const FACTOR_RESET_KIND = 'factor_reset';

/** Thrown to roll the transaction back. */
class EndedMeanwhile extends Error {}

const laterBy = (at: Date, ms: number): Date => new Date(at.getTime() + ms);

export function openFactorResets(
  module: Pick<CustomersModule, 'database' | 'sessions' | 'messages' | 'outbox' | 'onFault' | 'brand' | 'antiPhishing'>,
  desk: FactorResetDesk,
): FactorResets {
  const { database, sessions, messages, onFault } = module;

  /** Notifies the customer on every channel; `messages` also pushes to devices. The notice is stored once per `id`. */
  const tell = async <Name extends SecurityNotice & keyof Templates>(
    { id, customer }: Pick<FactorResetRow, 'id' | 'customer'>,
    notice: Name,
    params: Templates[Name],
    at: Date,
    until: Date,
  ): Promise<void> => {
    await messages.send(customer, notice, params, at, `${notice} ${id}`).catch(onFault);
    const owner = await readCustomer(database, customer);
    await notifyContacts(module, customer, contactsOf(owner), notice, owner.language, at, until);
  };

  /**
   * Ends a reset without an operator; false if it has ended in the meantime. Locks the approval before the reset, as a
   * vote does, so that the two cannot deadlock. Its votes become void, even if two people have approved.
   */
  const end = async (row: FactorResetRow, state: 'stopped' | 'lapsed', by: ResetStopper | null): Promise<boolean> => {
    try {
      await database.transaction(async (transaction) => {
        await desk.approvals.close(transaction, row.approval, 'stale');
        if ((await lockFactorReset(transaction, row.id)) === null) throw new EndedMeanwhile();
        await endFactorReset(transaction, row.id, state, by);
        await desk.audit.append(transaction, {
          operator: null,
          what: `factor_reset.${state}`,
          on: { kind: FACTOR_RESET_KIND, id: row.id },
          customer: row.customer,
          ...(by !== null && { after: { by } }),
        });
      });
      return true;
    } catch (error) {
      if (error instanceof EndedMeanwhile) return false;
      throw error;
    }
  };
  const tellStopped = async (row: FactorResetRow): Promise<void> => {
    const at = await readDatabaseTime(database);
    await tell(row, 'factor_reset_stopped', { at: at.toISOString() }, at, at);
  };

  /** Carries out a reset. Null if it may not be carried out; the database would refuse it too. */
  const carryOut = (id: string): Promise<{ row: FactorResetRow; at: Date; ended: readonly string[] } | null> =>
    database.transaction(async (transaction) => {
      const row = await lockFactorReset(transaction, id);
      if (!row) return null;
      await lockCustomer(transaction, row.customer);
      const facts = await readFactorResetFacts(transaction, row.customer);
      const votes = (await desk.votesOf(transaction, [row.approval])).get(row.approval) ?? [];
      const decided = decideFactorReset(
        {
          state: row.state,
          askedAt: row.asked_at,
          approvedBy: votes.map(({ by }) => by),
          factorUsedAt: facts.factor_used_at,
          isFrozen: facts.is_frozen,
        },
        facts.now,
      );
      if (!decided.ok) return null;
      await endFactorReset(transaction, id, 'done');
      await dropSecondFactor(transaction, row.customer);
      await dropPasskeys(transaction, row.customer);
      // From now on withdrawals are delayed for 24 hours, as after any change of credentials.
      await markFactorsChanged(transaction, row.customer, facts.now);
      await forgetDevices(transaction, row.customer, null);
      const ended = await sessions.end(transaction, row.customer, {}, 'factor_reset', facts.now);
      await desk.audit.append(transaction, {
        operator: null,
        what: 'factor_reset.done',
        on: { kind: FACTOR_RESET_KIND, id },
        customer: row.customer,
        after: { approval: row.approval },
      });
      return { row, at: facts.now, ended };
    });

  const stopUsed = async (id: string): Promise<void> => {
    const row = await findFactorReset(database, id);
    if (row && (await end(row, 'stopped', 'factor'))) await tellStopped(row);
  };

  const endLapsed = async (id: string): Promise<void> => {
    const row = await findFactorReset(database, id);
    if (row && (await readDatabaseTime(database)) >= laterBy(row.asked_at, FACTOR_RESET_LAPSE_MS))
      await end(row, 'lapsed', null);
  };

  const carryOutDue = async (): Promise<void> => {
    for (const id of await listDueResets(database)) {
      try {
        const done = await carryOut(id);
        if (!done) {
          await endLapsed(id);
          continue;
        }
        sessions.announceEnded(done.ended);
        await tell(done.row, 'factor_reset_done', { at: done.at.toISOString() }, done.at, done.at);
      } catch (error) {
        // A failing reset must not block the others.
        onFault(error);
      }
    }
  };

  return {
    async ask({ customer: { id: customer, invited_by: inviter }, device, known }) {
      const open = async (): Promise<
        Decision<{ row: FactorResetRow; isNew: boolean }, 'second_factor_off' | 'account_frozen' | 'reset_rests'>
      > =>
        database.transaction(async (transaction) => {
          await lockCustomer(transaction, customer);
          const last = await findLatestFactorReset(transaction, customer);
          if (last?.state === 'waiting') return accept({ row: last, isNew: false });
          const facts = await readFactorResetFacts(transaction, customer);
          const decided = decideFactorResetRequest(
            { hasFactor: facts.has_factor, isFrozen: facts.is_frozen, lastEndedAt: last?.ended_at ?? null },
            facts.now,
          );
          if (!decided.ok) return decided;
          const id = randomUUID();
          const due = laterBy(facts.now, FACTOR_RESET_MS);
          const { id: approval } = await desk.approvals.open(transaction, {
            kind: FACTOR_RESET_KIND,
            subject: id,
            fingerprintOf: { customer: String(customer), reset: id, asked: facts.now.toISOString() },
            need: FACTOR_RESET_PEOPLE,
            madeBy: null,
            roles: ['compliance'],
            about: inviter === null ? [customer] : [customer, inviter],
            expiresAt: laterBy(facts.now, FACTOR_RESET_LAPSE_MS),
            // Until that time one operator alone may still stop the reset.
            effectiveFrom: due,
          });
          const row = await insertFactorReset(transaction, {
            id,
            customer,
            device: device.name,
            address: device.address,
            is_known_device: known !== null,
            is_known_network: await isKnownNetwork(transaction, customer, device.address, facts.now),
            approval,
          });
          await desk.audit.append(transaction, {
            operator: null,
            what: 'factor_reset.asked',
            on: { kind: FACTOR_RESET_KIND, id },
            customer,
            after: { approval },
          });
          return accept({ row, isNew: true });
        });
      const asked = await open();
      if (asked.ok && asked.effect.isNew) {
        const { row } = asked.effect;
        const params = { device: row.device, address: row.address, until: row.due_at.toISOString() };
        await tell(row, 'factor_reset_asked', params, row.asked_at, row.due_at);
      }
      return asked;
    },

    async stop(customer, by) {
      const row = await findLatestFactorReset(database, customer);
      if (row?.state !== 'waiting' || !(await end(row, 'stopped', by))) return false;
      await tellStopped(row);
      return true;
    },

    async waiting(customer) {
      const row = await findLatestFactorReset(database, customer);
      return row?.state === 'waiting' ? row : null;
    },

    kind: {
      apply: async (transaction, { subject }) => (await lockFactorReset(transaction, subject)) !== null,
      applied: carryOutDue,
      async stop(transaction, { subject }) {
        const row = await lockFactorReset(transaction, subject);
        if (row) await endFactorReset(transaction, row.id, 'stopped', 'staff');
      },
      async rejected(transaction, { subject }) {
        const row = await lockFactorReset(transaction, subject);
        if (row) await endFactorReset(transaction, row.id, 'rejected');
      },
      async ended({ subject }) {
        const row = await findFactorReset(database, subject);
        if (row?.ended_at) await tellStopped(row);
      },
      customerOf: ({ content }) => {
        const { customer } = JSON.parse(content) as { readonly customer: string };
        return BigInt(customer);
      },
    },

    async work() {
      for (const id of await listUsedResets(database)) await stopUsed(id);
      for (const row of await takeResetsToRemind(database, FACTOR_RESET_REMINDER_MS)) {
        const at = await readDatabaseTime(database);
        // No reminder is sent after the due time, when only the approvals are missing.
        if (row.due_at <= at) continue;
        await tell(row, 'factor_reset_soon', { until: row.due_at.toISOString() }, at, row.due_at);
      }
      await carryOutDue();
    },
  };
}
