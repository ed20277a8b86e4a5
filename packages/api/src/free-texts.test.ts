import * as v from 'valibot';
import { expect, it } from 'vitest';
import { CALLS } from './calls.ts';

/** Markup and a formula. They are short, so that a length limit does not hide that a field takes any text. */
const HOSTILE = ['<b onx=a>', '=1+cmd|a'];

/**
 * Fields that take any text, by call. Their content is shown to other people, or later to the author, so the apps must
 * render it as text only. Secrets, codes and search terms are left out, because no screen shows them.
 */
const TEXTS: Readonly<Record<string, string>> = {
  editUser: 'nickname',
  addPayee: 'real_name number name chain address',
  addApiKey: 'name',
  renamePayee: 'name',
  certifyCustomer: 'name number',
  disputeOption: 'reason',
  finishOwnPasskey: 'name',
  openMoneyDispute: 'reason',
  sendSupport: 'text',
  writeAsVisitor: 'contact text',
  answerWithdrawal: 'text',

  approveApproval: 'note',
  rejectApproval: 'reason note',
  stopApproval: 'reason',
  takeOverClaim: 'reason',
  exportEntries: 'who what reason',
  saveContent: 'title summary body',
  publishContent: 'note',
  takeDownContent: 'reason',
  messageCustomer: 'text',
  unmaskField: 'reason',
  freezeCustomer: 'note',
  extendFreeze: 'reason',
  liftFreeze: 'reason',
  allowInvites: 'reason',
  approveCertification: 'note',
  sendBackCertification: 'note',
  refuseCertification: 'note',
  matchDeposit: 'note',
  returnDeposit: 'note',
  planRecovery: 'note',
  openDepositCase: 'words',
  openIncident: 'text_en text_th text_zh text_jp text_ar text_hi',
  updateIncident: 'text_en text_th text_zh text_jp text_ar text_hi',
  closeIncident: 'text_en text_th text_zh text_jp text_ar text_hi',
  proposeProduct: 'reason',
  proposeCoin: 'reason',
  proposeBrand: 'reason',
  stopOffer: 'reason',
  startPause: 'text_en text_th text_zh text_jp text_ar text_hi',
  endPause: 'reason',
  inviteOperator: 'reason',
  changeRoles: 'reason',
  renewAccess: 'reason',
  unfreezeOperator: 'reason',
  freezeOperator: 'reason',
  removeOperator: 'reason',
  addVotingKey: 'name',
  liftSignInDelay: 'reason',
  proposeAnswer: 'text',
  reportFault: 'text',
  proposeMoneyAnswer: 'text',
  makeCorrection: 'words',
  approveCorrection: 'note',
  rejectCorrection: 'note',
  stopCorrection: 'note',
  attestBalance: 'statement',
  approveWithdrawal: 'note',
  rejectWithdrawal: 'note',
  askCustomer: 'question',
  reportBankPayment: 'reference',
  reportLostPayout: 'note',
  giveBackPayout: 'note',
  accountForTransaction: 'note',
  endRestoration: 'note',
  finishPasskey: 'name',
  answerSupport: 'text',
  handOverSupport: 'note',
  markSample: 'note',
  noteSupport: 'note',
  proposeReadyAnswer: 'en th zh jp ar hi',
};

/** The handler parses or compares these fields, and no screen shows them. */
const NEVER_SHOWN =
  /^(.*password|old|confirm|secret|credential|otp|passkey|username|amount|counted|quantity|value|ids|subject|purpose|to|endpoint|q|kind|who|what|bank|ifsc|coin|birth_date|expires|ticket)$/;

it('the list of fields that take any text is complete, so that each new one is reviewed', () => {
  const found: Record<string, string[]> = {};
  for (const [name, { request }] of Object.entries(CALLS)) {
    const entries = 'entries' in request ? (request.entries as Record<string, v.GenericSchema>) : {};
    for (const [field, schema] of Object.entries(entries)) {
      if (!HOSTILE.some((text) => v.safeParse(schema, text).success)) continue;
      if (NEVER_SHOWN.test(field) && !TEXTS[name]?.split(' ').includes(field)) continue;
      found[name] = [...(found[name] ?? []), field];
    }
  }
  const sorted = Object.fromEntries(Object.entries(TEXTS).map(([name, fields]) => [name, fields.split(' ').sort()]));
  expect(Object.fromEntries(Object.entries(found).map(([name, fields]) => [name, fields.sort()]))).toEqual(sorted);
});
