import { stopFactorResetByWord } from '@sathorn/api';
import { FormPage, useCallForm } from '@sathorn/app/forms';
import { useNavigation } from '@sathorn/app/navigation';
import { Button, Card, EmptyState, TextField, useText } from '@sathorn/ui';
import { useState } from 'react';
import { LOGIN } from '../paths.ts';
import { IdentityTexts } from './identity-texts.tsx';

/** `#/pages/login/stopReset`: a customer who knows the anti-phishing word stops the removal of the second factor. */
export default function StopFactorReset() {
  return (
    <IdentityTexts>
      <Body />
    </IdentityTexts>
  );
}

function Body() {
  const { t } = useText<'identity'>();
  const { navigate, redirect } = useNavigation();
  const [isStopped, setStopped] = useState(false);
  const { form, errorOf, submit, isBusy, refusal } = useCallForm<
    typeof stopFactorResetByWord,
    { username: string; word: string }
  >(stopFactorResetByWord, {
    initial: { username: '', word: '' },
    request: ({ username, word }) => ({ username: username.trim(), word }),
    onDone: () => setStopped(true),
  });
  if (isStopped)
    return (
      <div className="page">
        <Card className="stack" role="status">
          <EmptyState picture="shield" title={t('reset.stopped_title')}>
            {t('reset.stopped')}
          </EmptyState>
          <Button onClick={() => navigate('/pages/login/forgetPwd')}>{t('reset.new_password')}</Button>
          <Button look="soft" onClick={() => redirect(LOGIN)}>
            {t('reset.back')}
          </Button>
        </Card>
      </div>
    );
  return (
    <FormPage onSubmit={submit} submitLabel={t('reset.stop')} busy={isBusy} refusal={refusal}>
      <p className="form-lead">{t('reset.stop_lead')}</p>
      <Card className="stack">
        <TextField
          {...form.field('username')}
          label={t('reset.name')}
          error={errorOf('username')}
          autoComplete="username"
          dir="ltr"
        />
        <TextField
          {...form.field('word')}
          label={t('word.title')}
          error={errorOf('word')}
          maxLength={24}
          autoComplete="off"
          dir="auto"
        />
      </Card>
    </FormPage>
  );
}
