import type { Handler } from '../../platform/edge/index.ts';
import { readAntiPhishingHandler } from './anti-phishing/read-anti-phishing.ts';
import { setAntiPhishingHandler } from './anti-phishing/set-anti-phishing.ts';
import { addApiKeyHandler } from './api-keys/add-api-key.ts';
import { listApiKeysHandler } from './api-keys/list-api-keys.ts';
import { removeApiKeyHandler } from './api-keys/remove-api-key.ts';
import { checkRegistrationHandler } from './check-registration.ts';
import { sendEmailCodeHandler } from './codes/send-email-code.ts';
import { sendSmsCodeHandler } from './codes/send-sms-code.ts';
import type { CustomersModule, FactorResets } from './customers.ts';
import { addDeviceKeyHandler } from './device-keys/add-device-key.ts';
import { listDeviceKeysHandler } from './device-keys/list-device-keys.ts';
import { listOrderMarksHandler } from './device-keys/list-order-marks.ts';
import { listOrderedHandler } from './device-keys/list-ordered.ts';
import { removeDeviceKeyHandler } from './device-keys/remove-device-key.ts';
import { editAvatarHandler } from './edit-avatar.ts';
import { editUserHandler } from './edit-user.ts';
import { askFactorResetHandler } from './factor-reset/ask-factor-reset.ts';
import { stopFactorResetHandler } from './factor-reset/stop-factor-reset.ts';
import { stopFactorResetByWordHandler } from './factor-reset/stop-factor-reset-by-word.ts';
import { changePasswordHandler } from './passwords/change-password.ts';
import { changePaymentPasswordHandler } from './passwords/change-payment-password.ts';
import { forgetPasswordHandler } from './passwords/forget-password.ts';
import { readUserHandler } from './read-user.ts';
import { registerCustomerHandler } from './register-customer.ts';
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

/** Every call of this module except the demo's outbox and the account's records. */
export function customerHandlers(module: CustomersModule, resets: FactorResets | null): Handler[] {
  return [
    registerCustomerHandler(module),
    checkRegistrationHandler(module),
    loginCustomerHandler(module),
    logoutCustomerHandler(module),
    forgetPasswordHandler(module),
    sendSmsCodeHandler(module),
    sendEmailCodeHandler(module),
    readUserHandler(module),
    editUserHandler(module),
    editAvatarHandler(module),
    changePasswordHandler(module),
    changePaymentPasswordHandler(module),
    listSessionsHandler(module),
    endSessionHandler(module),
    listDeviceKeysHandler(module),
    addDeviceKeyHandler(module),
    removeDeviceKeyHandler(module),
    listOrderedHandler(module),
    listOrderMarksHandler(module),
    listApiKeysHandler(module),
    addApiKeyHandler(module),
    removeApiKeyHandler(module),
    readSecondFactorHandler(module, resets),
    startSecondFactorHandler(module),
    confirmSecondFactorHandler(module),
    stopSecondFactorHandler(module),
    renewRecoveryCodesHandler(module),
    startProofHandler(module),
    finishProofHandler(module),
    startOwnPasskeyHandler(module),
    finishOwnPasskeyHandler(module),
    removeOwnPasskeyHandler(module),
    startPasskeySignInHandler(module),
    finishPasskeySignInHandler(module),
    listSignInsHandler(module),
    freezeAccountHandler(module),
    readAntiPhishingHandler(module),
    setAntiPhishingHandler(module),
    ...(resets
      ? [
          askFactorResetHandler(module, resets),
          stopFactorResetHandler(resets),
          stopFactorResetByWordHandler(module, resets),
        ]
      : []),
  ];
}
