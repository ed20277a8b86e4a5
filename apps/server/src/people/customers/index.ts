export { sealContacts } from './contact-mac.ts';
export {
  type CustomerRow,
  isCustomer,
  listCustomerIdsAfter,
  readFrozenCustomers,
  refuseFrozenCustomers,
} from './customer-store.ts';
export type {
  Customers,
  CustomersDependencies,
  FactorResetEvidence,
  MoneyMovement,
  MovementList,
  MovementPlace,
  ReadDailyCloses,
  StaffAccess,
  Visitors,
} from './customers.ts';
export { FACTOR_RESET_KIND } from './factor-reset/factor-resets.ts';
export type { FreezeReason, FreezeRow, FreezeScope } from './freeze-store.ts';
export type { Invitations } from './invitations.ts';
export { openAccountRecords } from './open-account-records.ts';
export { openCustomers } from './open-customers.ts';
export { type DemoOutbox, openDemoOutbox } from './outbox/demo-outbox.ts';
export { openHttpSms } from './outbox/http-sms.ts';
export { type MailAdapter, openLiveOutbox, type SmsAdapter } from './outbox/live-outbox.ts';
export type { Outbox } from './outbox/outbox.ts';
export { readOutboxHandler } from './outbox/read-outbox.ts';
export { openSmtpMail } from './outbox/smtp-mail.ts';
export {
  createPasswordHasher,
  PASSWORD_COST,
  type PasswordCost,
  type PasswordHasher,
} from './passwords/password-hasher.ts';
export { CREDENTIALS_WAIT_MS, type GuardedOperation, type StepUpRefusal } from './second-factor/guarded-operation.ts';
export { sealCustomerPasskeys } from './second-factor/passkeys.ts';
export { SMS_TEXT_MAX } from './visitors.ts';
