import { answerSupport, listReadyAnswers, type SupportCase, typeAnswer, uploadSupportPicture } from '@sathorn/api';
import { callServer, createIntentKey, randomId, useRead } from '@sathorn/app/client';
import { Button, Icon } from '@sathorn/ui';
import { useEffect, useRef, useState } from 'react';
import { useKeys } from '../../keys.ts';
import { Chips } from '../../parts/chips.tsx';
import { KeyHint } from '../../parts/parts.tsx';
import { RefusalNote } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { uploadPicture } from '../../parts/upload-picture.ts';
import { type RefusedAct, refusedActOf, useAct } from '../../use-act.ts';

const TYPING_EVERY_MS = 3_000;

export function Composer({ thread }: { thread: SupportCase }) {
  const { t, code } = useTexts();
  const { id, language } = thread;
  const answer = useAct(answerSupport);
  const ready = useRead(listReadyAnswers, { lang: language }, { freshForMs: 60_000 });
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const typedAtMs = useRef(0);
  const key = useRef(createIntentKey());
  const readyAnswer = ready.data?.find((one) => one.code === chosen);
  const { picture, isUploading, pictureRefused, addPicture, dropPicture } = useUpload();
  const isEmpty = !readyAnswer && text.trim() === '' && picture === null;
  const send = async () => {
    if (isEmpty || isUploading) return;
    const said = { ...(text.trim() !== '' && { text: text.trim() }), ...(picture && { image: picture.id }) };
    const sent = await answer.run({ id, ...(readyAnswer ? { ready: readyAnswer.code } : said) });
    if (!sent.ok) return;
    if (!readyAnswer) {
      setText('');
      dropPicture();
    }
    setChosen(null);
  };
  const type = () => {
    if (Date.now() - typedAtMs.current < TYPING_EVERY_MS) return;
    typedAtMs.current = Date.now();
    void callServer(typeAnswer, { id }, { idempotencyKey: key.current.keyFor(String(typedAtMs.current)) });
  };
  const choose = (step: number) => {
    const codes = [null, ...(ready.data ?? []).map((one) => one.code)];
    setChosen(codes[(codes.indexOf(chosen) + step + codes.length) % codes.length] ?? null);
  };
  useKeys({
    i: () => field.current?.focus(),
    m: () => choose(1),
    'shift+m': () => choose(-1),
    'mod+enter': () => void send(),
  });
  const isFraud = thread.items.some(({ smells_of_fraud: smells }) => smells);
  const languageName = code('support.language', readyAnswer?.language ?? language);
  return (
    <form
      className="foot support-composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div className="row wrap">
        <Chips
          values={(ready.data ?? []).map(({ code }) => code)}
          value={chosen}
          onChange={(code) => setChosen(code === chosen ? null : code)}
          label={(code) => `/${code}`}
        />
        {isFraud && chosen !== 'never-pay' && (
          <button type="button" className="link" onClick={() => setChosen('never-pay')}>
            {t('support.fraud_insert')}
          </button>
        )}
      </div>
      <textarea
        ref={field}
        className="field"
        rows={3}
        dir="auto"
        maxLength={2_000}
        aria-label={t('support.write')}
        readOnly={readyAnswer !== undefined}
        value={readyAnswer?.text ?? text}
        onChange={({ target }) => {
          setText(target.value);
          if (target.value !== '') type();
        }}
      />
      {picture && !readyAnswer && (
        <p className="row">
          <img className="support-added" src={picture.url} alt={t('support.picture')} />
          <Button size="small" look="plain" onClick={dropPicture}>
            {t('support.drop_picture')}
          </Button>
        </p>
      )}
      <RefusalNote refused={answer.refused ?? pictureRefused} />
      <div className="row sp">
        {!readyAnswer && !thread.visitor && (
          <label className="chip" data-busy={isUploading ? '' : undefined}>
            <Icon name="upload" size={14} /> {t(isUploading ? 'support.uploading' : 'support.add_picture')}
            <input
              className="unseen"
              type="file"
              accept="image/jpeg,image/png,image/webp"
              disabled={isUploading}
              onChange={({ target }) => {
                const [file] = target.files ?? [];
                if (file) void addPicture(file);
                target.value = '';
              }}
            />
          </label>
        )}
        <span className="row c">
          <Icon name="shield" size={14} /> {t('support.lint')}
        </span>
        <Button type="submit" size="small" busy={answer.isBusy} disabled={isEmpty || isUploading}>
          {t(readyAnswer ? 'support.send_ready' : 'support.send', { language: languageName })} <KeyHint name="Ctrl ↵" />
        </Button>
      </div>
      {thread.visitor && <p className="c">{t(`support.visitor_by.${thread.visitor.kind}`)}</p>}
      <p className="c">{t('support.keys')}</p>
    </form>
  );
}

/** Uploads a picture before the answer is sent, so that the composer shows it at once. */
function useUpload() {
  const [picture, setPicture] = useState<{ readonly id: string; readonly url: string } | null>(null);
  const [isUploading, setUploading] = useState(false);
  const [pictureRefused, setRefused] = useState<RefusedAct | null>(null);
  const address = picture?.url;
  useEffect(() => (address === undefined ? undefined : () => URL.revokeObjectURL(address)), [address]);
  const addPicture = async (file: File) => {
    setUploading(true);
    setRefused(null);
    const kept = await uploadPicture(uploadSupportPicture, file, randomId());
    setUploading(false);
    if (kept.ok) setPicture({ id: kept.data.id, url: URL.createObjectURL(file) });
    else setRefused(refusedActOf(kept));
  };
  return { picture, isUploading, pictureRefused, addPicture, dropPicture: () => setPicture(null) };
}
