import { describe, expect, it } from 'vitest';
import type { Call } from './call.ts';
import { CALLS } from './calls.ts';

/**
 * Every call by which an operator changes something without a fresh proof of their factor, and why it needs none. A new
 * call that is neither listed here nor requires a proof fails, so that a person reviews the omission.
 */
const WITHOUT: Readonly<Record<string, string>> = {
  askForVotingKey: 'only asks; nothing has effect until two administrators approve it with a proof',
  // One person can stop at once, because requiring a proof would slow down the protection of customers.
  'endCustomerSessions reportFault startPause stopApproval stopCorrection stopOffer takeDownContent withdrawApproval':
    'only stops; starting again takes two people',
  'allowInvites liftSignInDelay sendBackCertification':
    'moves no money and raises no limit; a refusal for good takes two',
  returnDeposit: 'ends a request for which no money has arrived; nothing is credited or debited',
  'openIncident updateIncident': 'public words; nothing opens or moves by them',
  reconcileWithdrawal: 'a look on the chain; sends nothing',
  'downloadBankFile openBankRun withdrawBankRun':
    'moves nothing: two people sign the file before it exists, and each download is logged',
  'importBankLines openDepositCase': 'records what the bank or an explorer says; credits nothing',
  'saveContent uploadContentPicture': 'a draft, which nobody reads before it is published',
  'askCustomer answerSupport closeSupport handOverSupport markThreadRead messageCustomer noteSupport takeSupportThread typeAnswer uploadSupportPicture':
    'words under a work name, which cannot move money',
  'exportEntries openCertificationPicture openSupportPicture previewOffer readEnrolmentCode unmaskField':
    'reads, each of which is logged and limited',
  markSample: 'says that a message was read, or reports it; another person’s name cannot be given',
  'leaveClaim takeClaim takeOverClaim': 'a claim grants nothing',
  'finishPasskey removePasskey':
    'the first needs the challenge of a proof; the second takes away a factor of one’s own',
  'logoutOperator startStepUp': 'ends a session, or begins a proof',
  'changeTreasuryOwners openTreasuryRun withdrawTreasuryRun': 'moves nothing: the owners of the treasury sign',
  signTreasuryRun: 'the signature is the passkey’s over exactly this run, and the chain verifies it',
};
/** The server decides from the amount, or the kind of text, whether it needs a proof or a second person. */
const SOMETIMES: Readonly<Record<string, string>> = {
  closeIncident: 'an outage is a signed proposal to another person; other incidents need no proof',
  matchDeposit: 'every match needs a proof, from the published sums on a second person’s too',
  publishContent: 'one person with a proof, or a signed proposal to another one',
};
const namesOf = (lists: object): string[] => Object.keys(lists).flatMap((names) => names.split(' '));

const posts = Object.entries<Call>(CALLS).filter(([, { who, method }]) => who === 'operator' && method === 'POST');
const asks = ({ request }: Call): boolean => Object.hasOwn((request as { entries?: object }).entries ?? {}, 'step_up');

describe('the proof of an operator’s factor', () => {
  it('is required by every call that changes something, except the reviewed ones', () => {
    const without = posts.filter(([, call]) => !asks(call)).map(([name]) => name);
    expect(without.toSorted()).toEqual(namesOf(WITHOUT).toSorted());
  });

  it('is required by every call that moves money', () => {
    const moving = posts.filter(([, { movesMoney }]) => movesMoney);
    expect(moving.length).toBeGreaterThan(3);
    expect(moving.filter(([, call]) => !asks(call)).map(([name]) => name)).toEqual([]);
  });

  it('is reported as missing by a refusal of the call', () => {
    const silent = posts.filter(
      ([name, call]) =>
        asks(call) &&
        !['addVotingKey', 'confirmStepUp', 'startPasskey'].includes(name) &&
        !(call.refusals as readonly string[]).includes('step_up_required'),
    );
    expect(silent.map(([name]) => name)).toEqual([]);
    for (const name of namesOf(SOMETIMES)) expect(posts.map(([call]) => call)).toContain(name);
  });
});
