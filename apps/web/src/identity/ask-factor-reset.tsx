import { askFactorReset, type ResultOf } from '@sathorn/api';
import { FormFoot, FormPage, useCallForm } from '@sathorn/app/forms';
import { useNavigation } from '@sathorn/app/navigation';
import { formatDate } from '@sathorn/text';
import { Button, Card, CardHead, PasswordField, TextField, useText } from '@sathorn/ui';
import { useState } from 'react';
import { MoneyTexts } from '../parts/money/money-texts.tsx';
import { Timeline } from '../parts/money/timeline.tsx';
import { LOGIN } from '../paths.ts';
import { IdentityTexts } from './identity-texts.tsx';

type Asked = ResultOf<typeof askFactorReset>;
const STOP = '/pages/login/stopReset';

/** `#/pages/login/resetFactor`: for customers who have lost the second factor and the recovery codes. */
export default function AskFactorReset() {
  return (
    <MoneyTexts>
      <IdentityTexts>
        <Body />
      </IdentityTexts>
    </MoneyTexts>
  );
}

function Body() {
  const [asked, setAsked] = useState<Asked | null>(null);
  return asked ? <Waiting asked={asked} /> : <Ask onAsked={setAsked} />;
}

function Ask({ onAsked }: { onAsked: (asked: Asked) => void }) {
  const texts = useText();
  const { t } = useText<'identity'>();
  const { navigate } = useNavigation();
  const { form, errorOf, submit, isBusy, refusal } = useCallForm<
    typeof askFactorReset,
    { username: string; password: string }
  >(askFactorReset, {
    initial: { username: '', password: '' },
    request: ({ username, password }) => ({ username: username.trim(), password }),
    onDone: onAsked,
  });
  return (
    <FormPage
      onSubmit={submit}
      submitLabel={t('reset.ask')}
      busy={isBusy}
      refusal={refusal}
      foot={<FormFoot label={t('reset.stop_link')} onPress={() => navigate(STOP)} />}
    >
      <p className="form-lead">{t('reset.lead')}</p>
      <Card className="stack">
        <TextField
          {...form.field('username')}
          label={t('reset.name')}
          error={errorOf('username')}
          autoComplete="username"
          dir="ltr"
        />
        <PasswordField
          {...form.field('password')}
          label={texts.t('form.password')}
          error={errorOf('password')}
          showLabel={texts.t('form.show')}
          hideLabel={texts.t('form.hide')}
        />
      </Card>
      <Card>
        <Steps asked={null} />
      </Card>
    </FormPage>
  );
}

function Waiting({ asked }: { asked: Asked }) {
  const { t, presentation } = useText<'identity'>();
  const { navigate, redirect } = useNavigation();
  return (
    <div className="page">
      <Card className="stack" role="status">
        <CardHead title={t('reset.waits', { time: formatDate(asked.due_at, 'dateTime', presentation) })} />
        <p className="muted">{t('reset.waits_note')}</p>
        <Steps asked={asked} />
        <Button onClick={() => redirect(LOGIN)}>{t('reset.back')}</Button>
        <Button look="soft" onClick={() => navigate(STOP)}>
          {t('reset.stop_link')}
        </Button>
      </Card>
    </div>
  );
}

function Steps({ asked }: { asked: Asked | null }) {
  const { t, presentation } = useText<'identity'>();
  const time = (at: string | undefined) => at && formatDate(at, 'dateTime', presentation);
  return (
    <Timeline
      steps={[
        {
          key: 'tell',
          title: t('reset.step_tell'),
          note: t('reset.step_tell_note'),
          time: time(asked?.asked_at),
          state: asked ? 'done' : 'todo',
          icon: 'mail',
        },
        {
          key: 'wait',
          title: t('reset.step_wait'),
          note: t('reset.step_wait_note'),
          time: time(asked?.due_at),
          state: asked ? 'now' : 'todo',
          icon: 'clock',
        },
        {
          key: 'people',
          title: t('reset.step_people'),
          note: t('reset.step_people_note'),
          state: 'todo',
          icon: 'person',
        },
        { key: 'done', title: t('reset.step_done'), note: t('reset.step_done_note'), state: 'todo', icon: 'lock' },
      ]}
    />
  );
}
