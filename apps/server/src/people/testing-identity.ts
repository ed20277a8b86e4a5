import { randomUUID } from 'node:crypto';
import { accept, FIRST_LEVEL_TERMS } from '@sathorn/settlement';
import { openPayees, type Payees, type PayeesDependencies } from '../money/payees/index.ts';
import { type Certifications, openCertifications } from './certifications/index.ts';
import { openTestCustomers, type TestCustomers } from './customers/testing-customers.ts';

export interface TestIdentity extends TestCustomers {
  readonly payees: Payees;
  readonly certifications: Certifications;
  /** The log of operators' acts. */
  readonly log: { readonly what: string; readonly customer: bigint; readonly on: { readonly id: string } }[];
}

/** A used confirmation, with what only its verifier can tell from the person's signature. */
const SIGN = `WITH k AS (
    INSERT INTO votes.key (id, operator, kind, public_key, party, name, pinned_roles)
    SELECT left(encode(sha256(key), 'hex'), 32), $2::bigint, 'demo', key, '', 'x', '{}' FROM (SELECT sha256(uuid_send($1::uuid)) AS key) made
    RETURNING id),
  s AS (
    INSERT INTO operators.session (id, token_hash, operator, factor, device, address, created_at, used_at)
    VALUES ($1::uuid, sha256(uuid_send($1::uuid)), $2, 'authenticator', 'd', 'a', now(), now()) RETURNING id)
  INSERT INTO operators.challenge (id, purpose, operator, session, act, subject, fingerprint, challenge, expires_at, confirmed_at, confirmed_by, vote_key, proof, used_at)
  SELECT $1::uuid, 'decision', $2, s.id, $3, $4, decode($5, 'hex'), repeat('x', 43), now() + interval '1 minute', now(), 'passkey',
    k.id, '{"signature":"' || repeat('0', 128) || '"}', now() FROM k, s`;
const APPEND = { name: '', text: 'SELECT operators.append_entry($1, NULL, $2, $3, $4, $5, NULL, $6, NULL, NULL)' };

/** Opens the customers module and the identity modules over HTTP, with a clock set by hand. */
export async function openTestIdentity(change: Partial<PayeesDependencies> = {}): Promise<TestIdentity> {
  const log: TestIdentity['log'] = [];
  let opened: { payees: Payees; certifications: Certifications } | undefined;
  const secrets = { identityKey: Buffer.alloc(32, 9) };
  const room = await openTestCustomers({}, ({ database, clock, customers, messages, files, onFault }) => {
    const certifications = openCertifications({
      database,
      clock,
      messages,
      files,
      secrets,
      timeZone: 'Asia/Bangkok',
      dailyMax: () => FIRST_LEVEL_TERMS.daily,
      staffName: async (operator) => `operator ${operator}`,
      usernameOf: async (customer) => `customer ${customer}`,
      approvals: { propose: async () => accept({ id: 'a', fingerprint: 'f' }), isWaiting: async () => false },
      stepUps: {
        async sign(_transaction, operator, { act, subject, fingerprint }) {
          const id = randomUUID();
          await room.sql(SIGN, [id, operator.id, act, subject, fingerprint]);
          return accept(id);
        },
      },
      audit: {
        async append(transaction, entry) {
          log.push(entry);
          const { operator, what, on, customer, after } = entry;
          await transaction.query(APPEND, [operator.id, what, on.kind, on.id, customer, JSON.stringify(after)]);
        },
      },
      rewards: {
        inTransaction: async (work) => accept(await database.transaction(work)),
        release: async () => false,
      },
      onFault,
    });
    const payees = openPayees({
      database,
      messages,
      customers,
      secrets,
      certifiedNames: certifications.api.certifiedNames,
      chains: () => [{ code: 'ethereum', name: 'Ethereum', standard: 'ERC-20' }],
      refusalOfAddress: async () => null,
      onFault,
      ...change,
    });
    opened = { payees: payees.api, certifications: certifications.api };
    return [...payees.handlers, ...certifications.handlers];
  });
  if (!opened) throw new Error('the rooms beside customers were not opened');
  await room.sql(
    `INSERT INTO operators.operator (id, work_name, roles) OVERRIDING SYSTEM VALUE VALUES (7, 'mai', '{compliance}'), (8, 'tan', '{compliance}'), (9, 'nok', '{compliance}')`,
  );
  return { ...room, ...opened, log };
}
