import {
  type FieldFault,
  OWN_SUBJECT,
  type ResultOf,
  readAntiPhishing,
  setAntiPhishing,
  type User,
} from '@sathorn/api';
import { readQueryKey, useRead } from '@sathorn/app/client';
import { FormFoot, FormPage, useCallForm } from '@sathorn/app/forms';
import { useNavigation } from '@sathorn/app/navigation';
import { PageBar, showToast } from '@sathorn/app/shell';
import { formatDate } from '@sathorn/text';
import { Card, ErrorState, TextField, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { AccountGate } from '../parts/account/account-gate.tsx';
import { StateHead } from '../parts/account/state-head.tsx';
import { MoneyNote } from '../parts/money/note.tsx';
import { NotLoaded } from '../parts/read/not-loaded.tsx';
import { IdentityTexts } from './identity-texts.tsx';
import { OwnerSheet } from './owner-sheet.tsx';
import { useOwnerProof } from './use-owner-proof.ts';
import './security.css';

type Known = ResultOf<typeof readAntiPhishing>;

/** `#/pages/mine/security/phishing`: the word by which the customer recognises our messages. */
export default function AntiPhishing() {
  return (
    <IdentityTexts>
      <Titled />
    </IdentityTexts>
  );
}

function Titled() {
  const { t } = useText<'identity'>();
  return (
    <>
      <PageBar title={t('word.title')} />
      <AccountGate>{(user) => <Loaded user={user} />}</AccountGate>
    </>
  );
}

function Loaded({ user }: { user: User }) {
  const texts = useText();
  const { t } = useText<'identity'>();
  const { navigate } = useNavigation();
  const { data, error, refetch } = useRead(readAntiPhishing, {}, { freshForMs: 0 });
  if (data && user.has_paypass) return <WordForm user={user} known={data} />;
  return (
    <div className="page">
      <Card>
        {!user.has_paypass ? (
          <ErrorState
            icon="key"
            title={t('security.need_paypass')}
            action={{ label: texts.t('setting.set_paypass'), onPress: () => navigate('/pages/mine/setting/paypass') }}
          />
        ) : (
          <NotLoaded read={{ error, refetch }} failed={t('word.failed')} rows={5} />
        )}
      </Card>
    </div>
  );
}

function WordForm({ user, known }: { user: User; known: Known }) {
  const { t, presentation } = useText<'identity'>();
  const queries = useQueryClient();
  const proof = useOwnerProof(user.second_factor);
  const [isRemoving, setRemoving] = useState(false);
  const { form, errorOf, check, send, isBusy, refusal } = useCallForm<
    typeof setAntiPhishing,
    { word: string; paypass: string; otp: string }
  >(setAntiPhishing, {
    initial: { word: '', paypass: '', otp: '' },
    // The payment password comes later, so the form's check uses a placeholder.
    request: ({ word, paypass, otp }) => ({ word, paypass: paypass || '000000', ...(otp && { otp }) }),
    also: ({ word }): Record<string, FieldFault | undefined> => ({ word: word.trim() === '' ? 'required' : undefined }),
    onRefused: proof.takeRefusal,
    onDone: (now) => {
      proof.close();
      form.set('word', '');
      form.clearErrors(['word']);
      queries.setQueriesData({ queryKey: readQueryKey(readAntiPhishing) }, now);
      showToast(t(now.word === null ? 'word.removed' : 'form.saved'), 'success');
    },
  });
  const typed = form.values.word.trim().normalize('NFC');
  const isSame = typed !== '' && typed === known.word;
  const shown = typed || known.word;

  const ask = (event: FormEvent) => {
    if (!check(event) || isSame) return;
    setRemoving(false);
    proof.ask();
  };
  return (
    <>
      <FormPage
        onSubmit={ask}
        submitLabel={t(known.word === null ? 'word.set' : 'word.change')}
        busy={isBusy}
        refusal={refusal}
        foot={
          known.word !== null && (
            <FormFoot
              label={t('word.remove')}
              onPress={() => {
                setRemoving(true);
                proof.ask();
              }}
            />
          )
        }
      >
        <Card className="stack">
          <StateHead
            icon="mail"
            isOn={known.word !== null}
            title={known.word === null ? t('word.none') : <bdi>{known.word}</bdi>}
            note={
              known.changed_at !== null &&
              t('security.since', { time: formatDate(known.changed_at, 'dateTime', presentation) })
            }
          />
          <p className="muted">{t('word.what')}</p>
          <MoneyNote icon="warning" tone="warn">
            {t('word.without')}
          </MoneyNote>
        </Card>
        <Card className="stack">
          <TextField
            {...form.field('word')}
            label={t('word.new')}
            hint={t('word.hint')}
            error={isSame ? t('word.same') : errorOf('word') && t('word.malformed')}
            maxLength={24}
            autoComplete="off"
            dir="auto"
          />
          {shown && (
            <MoneyNote icon="mail" title={t('word.sample')}>
              {t('word.ends', { word: `\u2068${shown}\u2069` })}
            </MoneyNote>
          )}
        </Card>
      </FormPage>
      <OwnerSheet
        open={proof.isOpen}
        onClose={proof.close}
        title={t(isRemoving ? 'word.remove' : known.word === null ? 'word.set' : 'word.change')}
        asksCode={proof.asksCode}
        factor={{ operation: 'anti_phishing_word', subject: isRemoving ? OWN_SUBJECT : typed }}
        onProof={({ paypass, otp = '' }) => void send({ paypass, otp, ...(isRemoving && { word: '' }) })}
        busy={isBusy}
        refused={proof.refused}
      >
        {isRemoving ? (
          <p className="muted">{t('word.remove_what')}</p>
        ) : (
          <p className="security-word">
            <bdi>{typed}</bdi>
          </p>
        )}
      </OwnerSheet>
    </>
  );
}
