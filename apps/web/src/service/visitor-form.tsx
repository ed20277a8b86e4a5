import { type ResultOf, SUPPORT_TEXT_MAX, writeAsVisitor } from '@sathorn/api';
import { failureText, randomId } from '@sathorn/app/client';
import { FormFoot, FormPage } from '@sathorn/app/forms';
import { useNavigation } from '@sathorn/app/navigation';
import { formatCount, formatDate, formatPercent } from '@sathorn/text';
import { Button, Card, EmptyState, FieldFrame, Icon, ProgressBar, TextField, useText } from '@sathorn/ui';
import { type FormEvent, useRef, useState } from 'react';
import { fitPictureForUpload } from '../parts/forms/fit-picture.ts';
import { sendMultipart } from '../parts/forms/upload-picture.ts';
import { NeverAskNote } from './never-ask-note.tsx';

type Sent = ResultOf<typeof writeAsVisitor> & { readonly contact: string };

/** A form for people without an account and for customers who cannot sign in. The answer comes by mail or SMS. */
export function VisitorForm() {
  const [sent, setSent] = useState<Sent | null>(null);
  return sent ? <Done sent={sent} /> : <Write onSent={setSent} />;
}

function Write({ onSent }: { onSent: (sent: Sent) => void }) {
  const { t, presentation } = useText<'service'>();
  const texts = useText();
  const { navigate } = useNavigation();
  const [contact, setContact] = useState('');
  const [text, setText] = useState('');
  const [picture, setPicture] = useState<File | null>(null);
  const [share, setShare] = useState<number | null>(null);
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [refusal, setRefusal] = useState<string>();
  const file = useRef<HTMLInputElement>(null);
  // The id stays the same when the same message is sent again; a changed text is a new message.
  const written = useRef({ id: '', text: '' });

  const send = async (event: FormEvent) => {
    event.preventDefault();
    const form = new FormData();
    const typed = { contact: contact.trim(), text: text.trim() };
    const missing = texts.t('field.required');
    const empty = Object.entries(typed).filter(([, value]) => value === '');
    setRefusal(undefined);
    setFaults(Object.fromEntries(empty.map(([name]) => [name, missing])));
    if (empty.length > 0) return;
    const content = JSON.stringify(typed);
    if (written.current.text !== content) written.current = { id: randomId(), text: content };
    for (const [name, value] of Object.entries({ id: written.current.id, ...typed })) form.append(name, value);
    const fitted = picture && (await fitPictureForUpload(picture));
    if (picture && !fitted) return setRefusal(texts.t('said.picture_unreadable'));
    if (fitted) form.append('image', fitted);
    setShare(0);
    const answer = await sendMultipart(writeAsVisitor, form, setShare);
    setShare(null);
    if (answer.ok) return onSent({ ...answer.data, contact: typed.contact });
    setFaults(answer.fields);
    if (Object.keys(answer.fields).length === 0) setRefusal(failureText(answer, texts));
  };
  const percent = formatPercent((share ?? 0).toFixed(2), presentation, { maxDecimals: 0 });
  return (
    <FormPage
      onSubmit={(event) => void send(event)}
      submitLabel={t('service.visitor_send')}
      busy={share !== null}
      refusal={refusal}
      foot={
        <>
          <FormFoot label={t('service.help')} onPress={() => navigate('/pages/service/help')} />
          <FormFoot
            label={t('login.submit')}
            onPress={() => navigate('/pages/login/login', { from: '/pages/service/index' })}
          />
          <FormFoot label={t('service.forgot')} onPress={() => navigate('/pages/login/forgetPwd')} />
          <FormFoot label={t('service.visitor_lost')} onPress={() => navigate('/pages/login/resetFactor')} />
        </>
      }
    >
      <p className="form-lead">{t('service.visitor_lead')}</p>
      <Card className="stack">
        <TextField
          label={t('service.visitor_contact')}
          hint={t('service.visitor_contact_hint')}
          name="contact"
          value={contact}
          onChange={({ target }) => setContact(target.value)}
          error={faults.contact}
          autoComplete="email"
          inputMode="email"
          maxLength={254}
          dir="ltr"
        />
        <FieldFrame label={t('service.visitor_text')} error={faults.text}>
          {(ties) => (
            <div className="ui-field-well">
              <textarea
                {...ties}
                name="text"
                rows={5}
                dir="auto"
                maxLength={SUPPORT_TEXT_MAX}
                value={text}
                onChange={({ target }) => setText(target.value)}
              />
            </div>
          )}
        </FieldFrame>
        <div className="service-attach">
          <Button look="soft" size="small" icon="camera" onClick={() => file.current?.click()}>
            {picture ? <bdi className="service-attached">{picture.name}</bdi> : t('service.visitor_picture')}
          </Button>
          {picture && (
            <Button look="plain" size="small" onClick={() => setPicture(null)}>
              {t('service.visitor_drop')}
            </Button>
          )}
          <input
            ref={file}
            className="unseen"
            type="file"
            tabIndex={-1}
            aria-hidden="true"
            accept="image/jpeg,image/png,image/webp"
            onChange={({ target }) => {
              setPicture(target.files?.[0] ?? null);
              target.value = '';
            }}
          />
        </div>
        {faults.image && (
          <p className="service-text-fault" role="alert">
            {faults.image}
          </p>
        )}
        {share !== null && picture && <ProgressBar share={share} label={t('service.uploading', { percent })} />}
      </Card>
      <NeverAskNote />
    </FormPage>
  );
}

function Done({ sent }: { sent: Sent }) {
  const { t, presentation } = useText<'service'>();
  const { opens_at: opensAt, promised_minutes: minutes } = sent;
  return (
    <div className="page">
      <Card className="stack service-sent" role="status">
        <EmptyState picture="mail" title={t('service.visitor_sent')}>
          {t('service.visitor_answer', { contact: `\u2068${sent.contact}\u2069` })}
        </EmptyState>
        <p className="service-reference">
          <span>{t('service.visitor_reference')}</span>
          <b className="num" dir="ltr">
            {sent.reference}
          </b>
        </p>
        <p>
          <Icon name="clock" size={18} />{' '}
          {opensAt === null
            ? t('service.promise', { minutes: formatCount(minutes, presentation) })
            : t('service.opens', { time: formatDate(opensAt, 'dayTime', presentation) })}
        </p>
        <p className="muted">{t('service.visitor_unproved')}</p>
      </Card>
      <NeverAskNote />
    </div>
  );
}
