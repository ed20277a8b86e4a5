import type { Handler } from '../../platform/edge/index.ts';
import { readAntiPhishingHandler } from './anti-phishing/read-anti-phishing.ts';
import { setAntiPhishingHandler } from './anti-phishing/set-anti-phishing.ts';
import { sendEmailCodeHandler } from './codes/send-email-code.ts';
import { sendSmsCodeHandler } from './codes/send-sms-code.ts';
import { editAvatarHandler } from './edit-avatar.ts';
import { editUserHandler } from './edit-user.ts';
import { askFactorResetHandler } from './factor-reset/ask-factor-reset.ts';
import type { FactorResets } from './factor-reset/factor-resets.ts';
import { stopFactorResetHandler } from './factor-reset/stop-factor-reset.ts';
import { stopFactorResetByWordHandler } from './factor-reset/stop-factor-reset-by-word.ts';
import { listAccountRecordsHandler } from './list-account-records.ts';
import { changePasswordHandler } from './passwords/change-password.ts';
import { changePaymentPasswordHandler } from './passwords/change-payment-password.ts';
import { forgetPasswordHandler } from './passwords/forget-password.ts';
import { readUserHandler } from './read-user.ts';
import { registerCustomerHandler } from './register-customer.ts';
import type { Room } from './room.ts';
import { confirmSecondFactorHandler } from './second-factor/confirm-second-factor.ts';
import { finishOwnPasskeyHandler } from './second-factor/finish-own-passkey.ts';
import { finishPasskeySignInHandler } from './second-factor/finish-passkey-sign-in.ts';
import { finishProofHandler } from './second-factor/finish-proof.ts';
import { freezeAccountHandler } from './second-factor/freeze-account.ts';
import { listSignInsHandler } from './second-factor/list-sign-ins.ts';
import { readSecondFactorHandler } from './second-factor/read-second-factor.ts';
import { removeOwnPasskeyHandler } from './second-factor/remove-own-passkey.ts';
import { renewRecoveryCodesHandler } from './second-factor/renew-recovery-codes.ts';
import { startOwnPasskeyHandler } from './second-factor/start-own-passkey.ts';
import { startPasskeySignInHandler } from './second-factor/start-passkey-sign-in.ts';
import { startProofHandler } from './second-factor/start-proof.ts';
import { startSecondFactorHandler } from './second-factor/start-second-factor.ts';
import { stopSecondFactorHandler } from './second-factor/stop-second-factor.ts';
import { endSessionHandler } from './sessions/end-session.ts';
import { listSessionsHandler } from './sessions/list-sessions.ts';
import { loginCustomerHandler } from './sessions/login-customer.ts';
import { logoutCustomerHandler } from './sessions/logout-customer.ts';

/** Every call of this room except the demo's outbox. */
export function customerHandlers(room: Room, resets: FactorResets | null): Handler[] {
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
    readSecondFactorHandler(room, resets),
    startSecondFactorHandler(room),
    confirmSecondFactorHandler(room),
    stopSecondFactorHandler(room),
    renewRecoveryCodesHandler(room),
    startProofHandler(room),
    finishProofHandler(room),
    startOwnPasskeyHandler(room),
    finishOwnPasskeyHandler(room),
    removeOwnPasskeyHandler(room),
    startPasskeySignInHandler(room),
    finishPasskeySignInHandler(room),
    listSignInsHandler(room),
    freezeAccountHandler(room),
    readAntiPhishingHandler(room),
    setAntiPhishingHandler(room),
    ...(resets
      ? [
          askFactorResetHandler(room, resets),
          stopFactorResetHandler(resets),
          stopFactorResetByWordHandler(room, resets),
        ]
      : []),
  ];
}
