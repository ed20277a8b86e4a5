import { listReadyAnswers, proposeReadyAnswer } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { hasAnyRole, useOperator } from '../operator.ts';
import { Field, TextArea } from '../parts/field.tsx';
import { Tag } from '../parts/parts.tsx';
import { ReadGate, RefusalNote } from '../parts/states.tsx';
import { StepUp } from '../parts/step-up.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { useProposal } from '../use-proposal.ts';
import { LanguageTexts } from './approvals/changes.tsx';

const LANGUAGES = ['en', 'th', 'zh', 'jp', 'ar', 'hi'] as const;

/** Answers that many customers read. The content role writes them, and a second person approves them. */
export function ReadyAnswers() {
  const { t } = useTexts();
  const operator = useOperator();
  const query = useRead(listReadyAnswers, {}, { everyMs: 10_000 });
  const [edited, setEdited] = useState<{ code: string; texts: Readonly<Record<string, string>> } | null>(null);
  const mayWrite = hasAnyRole(operator, ['content']);
  return (
    <div className="page columns">
      <section className="card bd col">
        <p className="c">{t('support.ready_only')}</p>
        {mayWrite && (
          <Button size="small" look="soft" onClick={() => setEdited({ code: '', texts: {} })}>
            {t('support.ready_new')}
          </Button>
        )}
        <ReadGate query={query}>
          {(answers) => (
            <ul className="plain col">
              {answers.map((answer) => (
                <li key={answer.code} className="col">
                  <span className="row sp">
                    <b>/{answer.code}</b>
                    <span className="row">
                      {answer.is_waiting && <Tag look="warn">{t('support.ready_waits')}</Tag>}
                      <span className="c">
                        {t('support.ready_version', { version: answer.version })} ·{' '}
                        {Object.keys(answer.texts).join(' ')}
                      </span>
                      {mayWrite && (
                        <Button
                          size="small"
                          look="plain"
                          onClick={() => setEdited({ code: answer.code, texts: answer.texts })}
                        >
                          {t('act.edit')}
                        </Button>
                      )}
                    </span>
                  </span>
                  <span className="sm">{answer.text}</span>
                </li>
              ))}
            </ul>
          )}
        </ReadGate>
      </section>
      {edited && mayWrite && <Editor key={edited.code} {...edited} onDone={() => setEdited(null)} />}
    </div>
  );
}

/** The texts of a request, by language. */
const textsOf = (request: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    LANGUAGES.flatMap((language) => (request[language] === undefined ? [] : [[language, String(request[language])]])),
  );

function Editor({
  code,
  texts,
  onDone,
}: {
  code: string;
  texts: Readonly<Record<string, string>>;
  onDone: () => void;
}) {
  const { t } = useTexts();
  const title = code === '' ? t('support.ready_new') : `/${code}`;
  const act = useProposal(proposeReadyAnswer, title, onDone);
  return (
    <>
      <form
        className="card bd col"
        onSubmit={(event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          const given = Object.fromEntries(
            LANGUAGES.map((language) => [language, String(data.get(language) ?? '').trim()]).filter(([, text]) => text),
          );
          const { en = '', th = '', ...rest } = given;
          void act.propose({ code: code || String(data.get('code') ?? ''), en, th, ...rest });
        }}
      >
        <h2>{title}</h2>
        {code === '' && <Field name="code" label={t('support.ready_code')} required fault={act.refused?.fields.code} />}
        {LANGUAGES.map((language) => (
          <TextArea
            key={language}
            name={language}
            dir="auto"
            label={t(`support.language.${language}`)}
            defaultValue={texts[language]}
            required={language === 'en' || language === 'th'}
            fault={act.refused?.fields[language]}
          />
        ))}
        <RefusalNote refused={act.refused} />
        <div className="row">
          <Button size="small" look="soft" onClick={onDone}>
            {t('act.cancel')}
          </Button>
          <Button type="submit" size="small" busy={act.isBusy}>
            {t('support.ready_propose')}
          </Button>
        </div>
      </form>
      {act.signing && (
        <StepUp {...act.signing}>
          {code === '' && (
            <p>
              <b className="mono">/{act.request?.code}</b>
            </p>
          )}
          <LanguageTexts before={texts} after={textsOf(act.request ?? {})} />
        </StepUp>
      )}
    </>
  );
}
