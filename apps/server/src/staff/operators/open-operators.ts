import { VOTER_APPROVAL } from '@sathorn/proof';
import { createPasswordHasher, PASSWORD_COST } from '../../people/customers/index.ts';
import { type Module, sweepJob } from '../../platform/module.ts';
import { hasValidMac } from '../../platform/webauthn.ts';
import { addVotingKeyHandler } from './add-voting-key.ts';
import { countApprovals, findWaitingApproval, listOverdueApprovals, readApprovalRow } from './approval-store.ts';
import { viewApproval } from './approval-view.ts';
import { openApprovals } from './approvals.ts';
import { askForVotingKeyHandler } from './ask-for-voting-key.ts';
import { openAuditLog } from './audit.ts';
import { operatorCalls } from './calls.ts';
import { OPERATOR_APPROVAL_KINDS, operatorChangeKind } from './change-operator.ts';
import { changeRolesHandler } from './change-roles.ts';
import { listClaimRows } from './claims.ts';
import { confirmStepUpHandler } from './confirm-step-up.ts';
import { countExportsInHour, listEntriesOfCustomer, listNewestEntries, readAuditHead } from './entry-store.ts';
import { exportEntriesHandler } from './export-entries.ts';
import { finishEnrolmentHandler } from './finish-enrolment.ts';
import { finishPasskeyHandler } from './finish-passkey.ts';
import { finishPasskeyLoginHandler } from './finish-passkey-login.ts';
import { inviteOperatorHandler } from './invite-operator.ts';
import { liftSignInDelayHandler } from './lift-sign-in-delay.ts';
import { listApprovalsHandler } from './list-approvals.ts';
import { listDemoOperatorsHandler } from './list-demo-operators.ts';
import { listEntriesHandler } from './list-entries.ts';
import { listOperatorsHandler } from './list-operators.ts';
import { listPasskeysHandler } from './list-passkeys.ts';
import { listStaffActionsHandler } from './list-staff-actions.ts';
import { listVotingKeysHandler } from './list-voting-keys.ts';
import { loginOperatorHandler } from './login-operator.ts';
import { operatorKeysOf } from './operator-keys.ts';
import { openOperatorSessions } from './operator-sessions.ts';
import { findOperator, isApprovalOpen, listOperatorRows, readOperatorRow } from './operator-store.ts';
import type { Operators, OperatorsDependencies, OperatorsModule } from './operators.ts';
import { listPasskeyRows } from './passkey-store.ts';
import { operatorPasskeyMac, relyingPartyOf, voteKeyOf } from './passkeys.ts';
import { readApprovalHandler } from './read-approval.ts';
import { readEnrolmentCodeHandler } from './read-enrolment-code.ts';
import { readExportHandler } from './read-export.ts';
import { readOperatorHandler } from './read-operator.ts';
import { VOTER_REGISTRATION_KIND } from './register-voter.ts';
import { rejectApprovalHandler } from './reject-approval.ts';
import { removePasskeyHandler } from './remove-passkey.ts';
import { renewAccessHandler } from './renew-access.ts';
import { openSignInAttempts } from './sign-in-attempts.ts';
import { signVoteHandler } from './sign-vote.ts';
import { startEnrolmentHandler } from './start-enrolment.ts';
import { startPasskeyHandler } from './start-passkey.ts';
import { startPasskeyLoginHandler } from './start-passkey-login.ts';
import { startStepUpHandler } from './start-step-up.ts';
import { openStepUps } from './step-up.ts';
import { stopApprovalHandler } from './stop-approval.ts';
import { unfreezeOperatorHandler } from './unfreeze-operator.ts';
import { withdrawApprovalHandler } from './withdraw-approval.ts';

export function operatorsModuleOf({
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
>): OperatorsModule {
  const keys = operatorKeysOf(secrets.sessionKey);
  const acts = { approvals: openApprovals(), audit: openAuditLog() };
  const changes = operatorChangeKind(acts);
  return {
    database,
    keys,
    hasher: createPasswordHasher({ peppers: [secrets.pepper], cost: passwordCost }),
    attempts: openSignInAttempts(database, keys),
    sessions: openOperatorSessions(database, keys),
    ...acts,
    stepUps: openStepUps(),
    party: relyingPartyOf(brandTitle, consoleUrl),
    voting: { mode, sessionKey: secrets.sessionKey, allowsDevices: mode === 'demo' || deviceKeys },
    kinds: new Map([
      ...OPERATOR_APPROVAL_KINDS.map((kind) => [kind, changes] as const),
      [VOTER_APPROVAL, VOTER_REGISTRATION_KIND],
    ]),
    naming: { of: async () => ({ number: null, customer: null }) },
    issuer: `${brandTitle} console`,
    consoleUrl,
    isCustomer,
  };
}

export function openOperators(dependencies: OperatorsDependencies): Module<Operators> {
  const { database, clock, mode, brandTitle, signer, onFault = () => undefined } = dependencies;
  const module = operatorsModuleOf(dependencies);
  return {
    api: {
      sessions: module.sessions,
      audit: module.audit,
      approvals: module.approvals,
      stepUps: module.stepUps,
      addApprovalKind: (name, kind) => {
        module.kinds.set(name, kind);
      },
      nameSubjects: (of) => {
        module.naming.of = of;
      },
      findWaitingApproval,
      countApprovals: ({ id, roles }) => countApprovals(database, id, roles),
      claims: (now) => listClaimRows(database, now),
      logHead: () => readAuditHead(database),
      entriesOf: (customer, before, limit) => listEntriesOfCustomer(database, customer, before, limit),
      latestEntries: (limit) =>
        listNewestEntries(database, { before: null, operator: null, who: null, what: null, on: null }, limit),
      countInHour: countExportsInHour,
      workNameOf: async (operator) => (await readOperatorRow(database, operator))?.work_name ?? String(operator),
      ownAccountOf: async (operator) => (await readOperatorRow(database, operator))?.customer ?? null,
      findColleague: async (queries, workName) => {
        const row = await findOperator(queries, workName);
        return row?.is_active ? row : null;
      },
      listColleagues: async (queries, roles) =>
        (await listOperatorRows(queries)).filter(
          (row) => row.is_active && row.roles.some((role) => roles.includes(role)),
        ),
      async readP256Passkey(queries, operator) {
        for (const row of (await listPasskeyRows(queries, operator)).toReversed()) {
          // Otherwise a planted key would be proposed as an owner of the treasury, under this operator's name.
          const key = hasValidMac(row, operatorPasskeyMac(module.keys, row)) ? await voteKeyOf(row) : null;
          // An uncompressed point; Ed25519 has shorter keys.
          if (key?.length === 130)
            return { id: row.id, x: BigInt(`0x${key.slice(2, 66)}`), y: BigInt(`0x${key.slice(66)}`) };
        }
        return null;
      },
      isWaiting: isApprovalOpen,
      async viewApproval(id, operator) {
        const row = await readApprovalRow(database, id);
        if (!row) throw new Error(`no approval ${id}`);
        return viewApproval(module, database, row, operator, clock.now());
      },
      async refused(operator, route) {
        await database.transaction((transaction) =>
          module.audit.append(transaction, {
            operator,
            what: 'call.refused',
            on: { kind: 'call', id: route },
            reason: 'role_missing',
          }),
        );
      },
    },
    handlers: [
      loginOperatorHandler(module),
      startEnrolmentHandler(module),
      finishEnrolmentHandler(module),
      readOperatorHandler(),
      startPasskeyLoginHandler(module),
      finishPasskeyLoginHandler(module),
      listPasskeysHandler(module),
      startPasskeyHandler(module),
      finishPasskeyHandler(module),
      removePasskeyHandler(module),
      listVotingKeysHandler(module),
      addVotingKeyHandler(module),
      askForVotingKeyHandler(module),
      signVoteHandler(module),
      startStepUpHandler(module),
      confirmStepUpHandler(module),
      listApprovalsHandler(module),
      readApprovalHandler(module),
      ...operatorCalls(module),
      rejectApprovalHandler(module),
      withdrawApprovalHandler(module),
      stopApprovalHandler(module),
      listEntriesHandler(module),
      exportEntriesHandler(module),
      readExportHandler(module, brandTitle, signer),
      listStaffActionsHandler(module),
      listOperatorsHandler(module),
      inviteOperatorHandler(module),
      changeRolesHandler(module),
      renewAccessHandler(module),
      unfreezeOperatorHandler(module),
      readEnrolmentCodeHandler(module),
      liftSignInDelayHandler(module),
      ...(mode === 'demo' ? [listDemoOperatorsHandler(module)] : []),
    ],
    jobs: [
      sweepJob(clock, onFault, async (now) => {
        await module.attempts.sweep(now);
        for (const id of await listOverdueApprovals(database))
          await database.transaction((transaction) => module.approvals.close(transaction, id, 'expired'));
      }),
    ],
  };
}
