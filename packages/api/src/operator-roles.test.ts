import { describe, expect, it } from 'vitest';
import { CALLS } from './calls.ts';

/**
 * The roles that may make each call of operators, written a second time. The test of the running platform takes the
 * roles from the calls themselves, so it would not notice an extra role. Moving a call here is a change to review.
 */
const ROLES: Readonly<Record<string, string>> = {
  'admin compliance content finance support':
    'addVotingKey askForVotingKey confirmStepUp finishPasskey leaveClaim listClaims listEntries listIncidents listPasskeys listVotingKeys logoutOperator openIncident readDashboard readLogHead readOperator removePasskey searchConsole startPasskey startStepUp stopApproval takeClaim takeOverClaim updateIncident withdrawApproval',
  'admin compliance content finance': 'listCoinHistory listCoinsOffered listProductHistory listProducts',
  'admin compliance content support': 'listReadyAnswers',
  'admin compliance content':
    'listContentPictures listContents listRulesTexts readContent readContentVersion takeDownContent',
  'admin compliance finance support':
    'findCustomers listBankLines listBankStatements listCustomerActions listCustomerMessages listCustomerOrders listCustomerPayees listCustomerSessions listDepositCases listDisputes listKeptTexts listMoneyDisputes listWithdrawalCases readDepositCase readDispute readMoneyDispute readProfile readWithdrawalCase',
  'admin compliance finance':
    'approveApproval approveCorrection closeIncident endPause listApprovals listCorrections listCustomerLedger listLedgerAccounts listLedgerTransfers listPauses readApproval readCorrection readLedgerJournal readReconciliation readRestoration readTreasury readTreasurySetup rejectApproval rejectCorrection signVote startPause stopCorrection stopOffer',
  'admin compliance support':
    'allowInvites endCustomerSessions listFactorResets listSupportThreads messageCustomer readFactorReset readSupportThread',
  'admin compliance': 'exportEntries listSamples markSample readBrand readBrandHistory readExport',
  'admin finance': 'previewOffer proposeCoin proposeProduct',
  admin:
    'changeRoles freezeOperator inviteOperator liftSignInDelay listOperators proposeBrand readEnrolmentCode removeOperator renewAccess unfreezeOperator',
  'compliance finance support': 'openDepositCase unmaskField',
  'compliance finance':
    'accountForTransaction approveWithdrawal askCustomer changeTreasuryOwners endRestoration giveBackPayout openTreasuryRun readBankRuns readDepositSlip rejectWithdrawal signBankRun signTreasuryRun withdrawBankRun withdrawTreasuryRun',
  'compliance support':
    'answerSupport closeSupport freezeCustomer handOverSupport listCertifications listCustomerCertifications markThreadRead noteSupport openSupportPicture takeSupportThread typeAnswer uploadSupportPicture',
  compliance:
    'approveCertification extendFreeze liftFreeze openCertificationPicture readCertificationCase readCertificationPicture refuseCertification reportFault sendBackCertification',
  content: 'proposeReadyAnswer publishContent saveContent uploadContentPicture',
  finance:
    'attestBalance downloadBankFile importBankLines listCorrectionCases makeCorrection matchDeposit openBankRun planRecovery previewCorrection reconcileWithdrawal reportBankFailure reportBankPayment reportLostPayout returnDeposit',
  support: 'proposeAnswer proposeMoneyAnswer',
};

describe('the roles of each call of operators', () => {
  it('are the reviewed ones', () => {
    const operators = Object.entries(CALLS)
      .flatMap(([name, call]) => (call.who === 'operator' ? [{ name, roles: [...call.roles].sort().join(' ') }] : []))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
    const now = Object.fromEntries(
      Object.entries(Object.groupBy(operators, ({ roles }) => roles)).map(([roles, calls]) => [
        roles,
        calls?.map(({ name }) => name),
      ]),
    );
    const reviewed = Object.entries(ROLES).map(([roles, names]) => [roles, names.split(' ')]);
    expect(now).toEqual(Object.fromEntries(reviewed));
  });
});
