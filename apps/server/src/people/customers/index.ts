export { sealContacts } from './contact-mac.ts';
export { type CustomerRow, isCustomer, listIdsAfter, readFrozen, refuseFrozen } from './customer-store.ts';
export type {
  Customers,
  CustomersDependencies,
  DailyCloses,
  FactorResetEvidence,
  Movement,
  MovementList,
  MovementPlace,
  StaffAccess,
  Visitors,
} from './customers.ts';
export { FACTOR_RESET_KIND } from './factor-reset/factor-resets.ts';
export type { FreezeReason, FreezeRow, FreezeScope } from './freeze-store.ts';
export type { Invitations } from './invitations.ts';
export { openAccountRecords } from './open-account-records.ts';
export { openCustomers } from './open-customers.ts';
export { type DemoOutbox, openDemoOutbox } from './outbox/demo-outbox.ts';
export { httpSms } from './outbox/http-sms.ts';
export { type MailAdapter, openLiveOutbox, type SmsAdapter } from './outbox/live-outbox.ts';
export type { Outbox } from './outbox/outbox.ts';
export { readOutboxHandler } from './outbox/read-outbox.ts';
export { smtpMail } from './outbox/smtp-mail.ts';
export {
  createPasswordHasher,
  PASSWORD_COST,
  type PasswordCost,
  type PasswordHasher,
} from './passwords/password-hasher.ts';
export { CREDENTIALS_WAIT_MS, type Operation, type StepUpRefusal } from './second-factor/operation.ts';
export { sealPasskeys } from './second-factor/passkeys.ts';
export { SMS_TEXT_MAX } from './visitors.ts';
