import { type ContentLanguage, readContent } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useState } from 'react';
import { sourceLanguage } from '#brand';
import { ReadGate } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { routeHash } from '../../route.ts';
import { ChangeTag } from './changes/change-tag.tsx';
import { CONTENT_LANGUAGE_NAMES, draftsOf, ruleValuesOf } from './drafts.ts';
import { LateChanges, LatePreview } from './late-parts.tsx';
import './content.css';

/** Shows the approver the text in every language, drawn as customers will see it. */
export default function CheckText({ id }: { id: string }) {
  const { t } = useTexts();
  const query = useRead(readContent, { id }, { everyMs: 10_000 });
  const [chosen, setLanguage] = useState<ContentLanguage>(sourceLanguage);
  return (
    <ReadGate query={query} rows={4}>
      {(entry) => {
        const { waiting } = entry;
        if (!waiting) return <p className="note">{t('content.nothing_waits')}</p>;
        const language =
          waiting.texts.find(({ lang }) => lang === chosen)?.lang ?? waiting.texts[0]?.lang ?? sourceLanguage;
        return (
          <div className="col check-text">
            <div className="row wrap">
              <div className="row wrap languages" role="tablist" aria-label={t('content.language')}>
                {waiting.texts.map(({ lang }) => (
                  <button
                    key={lang}
                    type="button"
                    role="tab"
                    aria-selected={lang === language}
                    className={lang === language ? 'chip on' : 'chip'}
                    onClick={() => setLanguage(lang)}
                  >
                    {CONTENT_LANGUAGE_NAMES[lang]}{' '}
                    {waiting.published && <ChangeTag waiting={waiting} language={lang} />}
                  </button>
                ))}
              </div>
              <a className="r" href={routeHash('content', id)}>
                {t('nav.content')}
              </a>
            </div>
            <LateChanges waiting={waiting} language={language} />
            <LatePreview
              kind={entry.kind}
              language={language}
              draft={draftsOf(waiting.texts)[language]}
              picture={waiting.settings.picture}
              when={t('content.when')}
              theme="light"
              values={ruleValuesOf(entry, language)}
            />
            {waiting.settings.link && <p className="mono c">{waiting.settings.link}</p>}
          </div>
        );
      }}
    </ReadGate>
  );
}
