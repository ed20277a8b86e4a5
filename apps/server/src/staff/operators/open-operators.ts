import type { ApprovalView, OperatorRole } from '@sathorn/api';
import { VOTER_APPROVAL } from '@sathorn/proof';
import { createPasswordHasher, PASSWORD_COST, type PasswordCost } from '../../people/customers/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import { type Module, sweepJob } from '../../platform/module.ts';
import type { Signer } from '../../platform/proofs/index.ts';
import { addVotingKeyHandler } from './add-voting-key.ts';
import {
  type ApprovalRow,
  countApprovals,
  findWaitingApproval,
  listOverdueApprovals,
  readApprovalRow,
} from './approval-store.ts';
import { viewApproval } from './approval-view.ts';
import { type Approvals, openApprovals } from './approvals.ts';
import { approveApprovalHandler } from './approve-approval.ts';
import { askForVotingKeyHandler } from './ask-for-voting-key.ts';
import { openAttempts } from './attempts.ts';
import { type Audit, openAudit } from './audit.ts';
import { OPERATOR_KINDS, operatorKind } from './change-operator.ts';
import { changeRolesHandler } from './change-roles.ts';
import { type ClaimRow, listClaimRows } from './claims.ts';
import { confirmStepUpHandler } from './confirm-step-up.ts';
import type { ApprovalKind } from './decide.ts';
import { countInHour, type EntryRow, listEntriesOfCustomer, listNewestEntries, readHead } from './entry-store.ts';
import { exportEntriesHandler } from './export-entries.ts';
import { finishEnrolmentHandler } from './finish-enrolment.ts';
import { finishPasskeyHandler } from './finish-passkey.ts';
import { finishPasskeyLoginHandler } from './finish-passkey-login.ts';
import { freezeOperatorHandler } from './freeze-operator.ts';
import { inviteOperatorHandler } from './invite-operator.ts';
import { leaveClaimHandler } from './leave-claim.ts';
import { liftDelayHandler } from './lift-delay.ts';
import { listApprovalsHandler } from './list-approvals.ts';
import { listClaimsHandler } from './list-claims.ts';
import { listDemoOperatorsHandler } from './list-demo-operators.ts';
import { listEntriesHandler } from './list-entries.ts';
import { listOperatorsHandler } from './list-operators.ts';
import { listPasskeysHandler } from './list-passkeys.ts';
import { listStaffActionsHandler } from './list-staff-actions.ts';
import { listVotingKeysHandler } from './list-voting-keys.ts';
import { loginOperatorHandler } from './login-operator.ts';
import { logoutOperatorHandler } from './logout-operator.ts';
import { type OperatorSessions, openOperatorSessions } from './operator-sessions.ts';
import { findOperator, isWaiting, readOperatorRow } from './operator-store.ts';
import { relyingPartyOf } from './passkeys.ts';
import { readApprovalHandler } from './read-approval.ts';
import { readEnrolmentCodeHandler } from './read-enrolment-code.ts';
import { readExportHandler } from './read-export.ts';
import { readLogHeadHandler } from './read-log-head.ts';
import { readOperatorHandler } from './read-operator.ts';
import { VOTER_KIND } from './register-voter.ts';
import { rejectApprovalHandler } from './reject-approval.ts';
import { removeOperatorHandler } from './remove-operator.ts';
import { removePasskeyHandler } from './remove-passkey.ts';
import { renewAccessHandler } from './renew-access.ts';
import type { Room, SubjectNames } from './room.ts';
import { roomKeysOf } from './room-keys.ts';
import { signVoteHandler } from './sign-vote.ts';
import { startEnrolmentHandler } from './start-enrolment.ts';
import { startPasskeyHandler } from './start-passkey.ts';
import { startPasskeyLoginHandler } from './start-passkey-login.ts';
import { startStepUpHandler } from './start-step-up.ts';
import { openStepUps, type StepUps } from './step-up.ts';
import { stopApprovalHandler } from './stop-approval.ts';
import { takeClaimHandler } from './take-claim.ts';
import { takeOverClaimHandler } from './take-over-claim.ts';
import { unfreezeOperatorHandler } from './unfreeze-operator.ts';
import { withdrawApprovalHandler } from './withdraw-approval.ts';

export interface OperatorsDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly mode: 'demo' | 'live';
  readonly secrets: { readonly pepper: Buffer; readonly sessionKey: Buffer };
  readonly brandTitle: string;
  /** Signs the exported parts of the log. */
  readonly signer: Signer;
  /** Whether operators may vote with a key that their browser keeps; in a demo they always may. */
  readonly deviceKeys?: boolean;
  /** Where operators open the console: passkeys are good there. */
  readonly consoleUrl: string;
  /** Whether an operator's own customer account exists, for operators who are also customers. */
  readonly isCustomer?: (customer: bigint) => Promise<boolean>;
  readonly passwordCost?: PasswordCost;
  readonly onFault?: (error: unknown) => void;
}

export interface Operators {
  readonly sessions: Pick<OperatorSessions, 'resolve'>;
  readonly audit: Audit;
  readonly approvals: Approvals;
  readonly stepUps: StepUps;
  /** Registers what an approval of this kind does. Call it before the server accepts requests. */
  addApprovalKind(name: string, kind: ApprovalKind): void;
  /** How people call the subjects of approvals: a customer's name, an order number. */
  nameSubjects(of: (approval: ApprovalRow) => Promise<SubjectNames>): void;
  findWaitingApproval(queries: Queries, kind: string, subject: string): Promise<ApprovalRow | null>;
  countApprovals(operator: OperatorSession): Promise<{ readonly waiting: number; readonly made: number }>;
  /** Who currently works on what. */
  claims(now: Date): Promise<readonly ClaimRow[]>;
  logHead(): Promise<{ readonly n: bigint }>;
  /** Entries that name this customer, newest first. */
  entriesOf(customer: bigint, before: bigint | null, limit: number): Promise<readonly EntryRow[]>;
  latestEntries(limit: number): Promise<readonly EntryRow[]>;
  /**
   * How often this happened in the last hour. Call it after `append` in the same transaction, so that concurrent
   * requests cannot exceed a limit.
   */
  countInHour(transaction: Queries, operator: bigint, what: string): Promise<{ done: number; first: Date | null }>;
  workNameOf(operator: bigint): Promise<string>;
  /** The account that this operator has as a customer; null without one. */
  ownAccountOf(operator: bigint): Promise<bigint | null>;
  /** An approval as this operator sees it. */
  viewApproval(id: string, operator: OperatorSession): Promise<ApprovalView>;
  /** An active operator by work name. */
  findColleague(
    queries: Queries,
    workName: string,
  ): Promise<{ readonly id: bigint; readonly roles: readonly OperatorRole[] } | null>;
  /** Whether an approval of this kind and subject is open. */
  isWaiting(queries: Queries, kind: string, subject: string): Promise<boolean>;
  /** Called by the edge when an operator calls something that none of their roles allows. */
  refused(operator: OperatorSession, route: string): Promise<void>;
}

export function roomOf({
  database,
  mode,
  secrets,
  brandTitle,
  consoleUrl,
  deviceKeys = false,
  isCustomer = async () => false,
  passwordCost = PASSWORD_COST,
}: Pick<
  OperatorsDependencies,
  'database' | 'mode' | 'secrets' | 'brandTitle' | 'consoleUrl' | 'deviceKeys' | 'isCustomer' | 'passwordCost'
>): Room {
  const keys = roomKeysOf(secrets.sessionKey);
  const acts = { approvals: openApprovals(), audit: openAudit() };
  const changes = operatorKind(acts);
  return {
    database,
    keys,
    hasher: createPasswordHasher({ peppers: [secrets.pepper], cost: passwordCost }),
    attempts: openAttempts(database, keys),
    sessions: openOperatorSessions(database, keys),
    ...acts,
    stepUps: openStepUps(),
    party: relyingPartyOf(brandTitle, consoleUrl),
    voting: { mode, sessionKey: secrets.sessionKey, allowsDevices: mode === 'demo' || deviceKeys },
    kinds: new Map([...OPERATOR_KINDS.map((kind) => [kind, changes] as const), [VOTER_APPROVAL, VOTER_KIND]]),
    naming: { of: async () => ({ number: null, customer: null }) },
    issuer: `${brandTitle} console`,
    consoleUrl,
    isCustomer,
  };
}

export function openOperators(dependencies: OperatorsDependencies): Module<Operators> {
  const { database, clock, mode, brandTitle, signer, onFault = () => undefined } = dependencies;
  const room = roomOf(dependencies);
  return {
    api: {
      sessions: room.sessions,
      audit: room.audit,
      approvals: room.approvals,
      stepUps: room.stepUps,
      addApprovalKind: (name, kind) => {
        room.kinds.set(name, kind);
      },
      nameSubjects: (of) => {
        room.naming.of = of;
      },
      findWaitingApproval,
      countApprovals: ({ id, roles }) => countApprovals(database, id, roles),
      claims: (now) => listClaimRows(database, now),
      logHead: () => readHead(database),
      entriesOf: (customer, before, limit) => listEntriesOfCustomer(database, customer, before, limit),
      latestEntries: (limit) =>
        listNewestEntries(database, { before: null, operator: null, who: null, what: null, on: null }, limit),
      countInHour,
      workNameOf: async (operator) => (await readOperatorRow(database, operator))?.work_name ?? String(operator),
      ownAccountOf: async (operator) => (await readOperatorRow(database, operator))?.customer ?? null,
      findColleague: async (queries, workName) => {
        const row = await findOperator(queries, workName);
        return row?.is_active ? row : null;
      },
      isWaiting,
      async viewApproval(id, operator) {
        const row = await readApprovalRow(database, id);
        if (!row) throw new Error(`no approval ${id}`);
        return viewApproval(room, database, row, operator, clock.now());
      },
      async refused(operator, route) {
        await database.transaction((transaction) =>
          room.audit.append(transaction, {
            operator,
            what: 'call.refused',
            on: { kind: 'call', id: route },
            reason: 'role_missing',
          }),
        );
      },
    },
    handlers: [
      loginOperatorHandler(room),
      startEnrolmentHandler(room),
      finishEnrolmentHandler(room),
      readOperatorHandler(),
      logoutOperatorHandler(room),
      startPasskeyLoginHandler(room),
      finishPasskeyLoginHandler(room),
      listPasskeysHandler(room),
      startPasskeyHandler(room),
      finishPasskeyHandler(room),
      removePasskeyHandler(room),
      listVotingKeysHandler(room),
      addVotingKeyHandler(room),
      askForVotingKeyHandler(room),
      signVoteHandler(room),
      startStepUpHandler(room),
      confirmStepUpHandler(room),
      listClaimsHandler(room),
      takeClaimHandler(room),
      leaveClaimHandler(room),
      takeOverClaimHandler(room),
      listApprovalsHandler(room),
      readApprovalHandler(room),
      approveApprovalHandler(room),
      rejectApprovalHandler(room),
      withdrawApprovalHandler(room),
      stopApprovalHandler(room),
      listEntriesHandler(room),
      readLogHeadHandler(room),
      exportEntriesHandler(room),
      readExportHandler(room, brandTitle, signer),
      listStaffActionsHandler(room),
      listOperatorsHandler(room),
      inviteOperatorHandler(room),
      changeRolesHandler(room),
      renewAccessHandler(room),
      unfreezeOperatorHandler(room),
      freezeOperatorHandler(room),
      removeOperatorHandler(room),
      readEnrolmentCodeHandler(room),
      liftDelayHandler(room),
      ...(mode === 'demo' ? [listDemoOperatorsHandler(room)] : []),
    ],
    jobs: [
      sweepJob(clock, onFault, async (now) => {
        await room.attempts.sweep(now);
        for (const id of await listOverdueApprovals(database))
          await database.transaction((transaction) => room.approvals.close(transaction, id, 'expired'));
      }),
    ],
  };
}
