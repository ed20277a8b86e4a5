import type { Handler } from '../edge/index.ts';
import { sendEmailCodeHandler } from './codes/send-email-code.ts';
import { sendSmsCodeHandler } from './codes/send-sms-code.ts';
import { editAvatarHandler } from './edit-avatar.ts';
import { editUserHandler } from './edit-user.ts';
import { listAccountRecordsHandler } from './list-account-records.ts';
import { changePasswordHandler } from './passwords/change-password.ts';
import { changePaymentPasswordHandler } from './passwords/change-payment-password.ts';
import { forgetPasswordHandler } from './passwords/forget-password.ts';
import { readUserHandler } from './read-user.ts';
import { registerCustomerHandler } from './register-customer.ts';
import type { Room } from './room.ts';
import { endSessionHandler } from './sessions/end-session.ts';
import { listSessionsHandler } from './sessions/list-sessions.ts';
import { loginCustomerHandler } from './sessions/login-customer.ts';
import { logoutCustomerHandler } from './sessions/logout-customer.ts';

/** Every call of this room but the demo's outbox. */
export function customerHandlers(room: Room): Handler[] {
  return [
    registerCustomerHandler(room),
    loginCustomerHandler(room),
    logoutCustomerHandler(room),
    forgetPasswordHandler(room),
    sendSmsCodeHandler(room),
    sendEmailCodeHandler(room),
    readUserHandler(room),
    editUserHandler(room),
    editAvatarHandler(room),
    changePasswordHandler(room),
    changePaymentPasswordHandler(room),
    listSessionsHandler(room),
    endSessionHandler(room),
    listAccountRecordsHandler(room),
  ];
}
