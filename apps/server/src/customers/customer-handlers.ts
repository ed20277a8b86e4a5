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
import { confirmSecondFactorHandler } from './second-factor/confirm-second-factor.ts';
import { finishPasskeyHandler } from './second-factor/finish-passkey.ts';
import { finishPasskeyLoginHandler } from './second-factor/finish-passkey-login.ts';
import { finishStepUpHandler } from './second-factor/finish-step-up.ts';
import { freezeAccountHandler } from './second-factor/freeze-account.ts';
import { listSignInsHandler } from './second-factor/list-sign-ins.ts';
import { readSecondFactorHandler } from './second-factor/read-second-factor.ts';
import { removePasskeyHandler } from './second-factor/remove-passkey.ts';
import { renewRecoveryCodesHandler } from './second-factor/renew-recovery-codes.ts';
import { startPasskeyHandler } from './second-factor/start-passkey.ts';
import { startPasskeyLoginHandler } from './second-factor/start-passkey-login.ts';
import { startSecondFactorHandler } from './second-factor/start-second-factor.ts';
import { startStepUpHandler } from './second-factor/start-step-up.ts';
import { stopSecondFactorHandler } from './second-factor/stop-second-factor.ts';
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
    readSecondFactorHandler(room),
    startSecondFactorHandler(room),
    confirmSecondFactorHandler(room),
    stopSecondFactorHandler(room),
    renewRecoveryCodesHandler(room),
    startStepUpHandler(room),
    finishStepUpHandler(room),
    startPasskeyHandler(room),
    finishPasskeyHandler(room),
    removePasskeyHandler(room),
    startPasskeyLoginHandler(room),
    finishPasskeyLoginHandler(room),
    listSignInsHandler(room),
    freezeAccountHandler(room),
  ];
}
