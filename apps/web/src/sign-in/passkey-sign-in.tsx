import { finishPasskeySignIn, startPasskeySignIn } from '@sathorn/api';
import { useCall } from '@sathorn/app/client';
import { FormFoot } from '@sathorn/app/forms';
import { beginSession } from '@sathorn/app/session';
import { showToast } from '@sathorn/app/shell';
import { useText } from '@sathorn/ui';
import { answerWithPasskey } from '../parts/forms/passkeys.ts';

/** Signs in without name and password: the passkey identifies the customer. */
export function PasskeySignIn() {
  const { t } = useText();
  const start = useCall(startPasskeySignIn);
  const finish = useCall(finishPasskeySignIn);
  const signIn = async () => {
    const started = await start.submit({});
    if (!started.ok) return;
    const credential = await answerWithPasskey(started.data.options);
    if (credential === null) return showToast(t('login.passkey_cancelled'));
    const done = await finish.submit({ id: started.data.id, credential });
    if (!done.ok) return;
    beginSession(done.data.token, done.data.user);
    showToast(t('login.done'), 'success');
  };
  return <FormFoot label={t('login.passkey')} onPress={() => void signIn()} />;
}
