import { listRulesTexts } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useState } from 'react';
import { Select } from '../../parts/field.tsx';
import { Tag } from '../../parts/parts.tsx';
import { ReadGate } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { routeHash, useRoute } from '../../route.ts';
import { CONTENT_LANGUAGE_NAMES, languageTagOf, textDirectionOf } from './drafts.ts';

/** Every text of rules that was ever in force. The page keeps these, because receipts name them by hash. */
export default function RulesTexts() {
  const { t, code, dateTime } = useTexts();
  const query = useRead(listRulesTexts, {}, { freshForMs: 60_000 });
  const chosen = useRoute().filter.hash;
  const [language, setLanguage] = useState('th');
  return (
    <div className="page two">
      <section className="card split">
        <ReadGate query={query}>
          {({ items }) => (
            <div className="list scroll">
              {items.map((item) => (
                <a
                  key={item.hash}
                  href={routeHash('content', null, { tab: 'kept', hash: item.hash })}
                  className={item.hash === chosen ? 'on' : ''}
                >
                  <span className="row sp">
                    <b>{code('content.rules', item.of)}</b>
                    {item.in_force && <Tag look="ok">{t('content.in_force')}</Tag>}
                  </span>
                  <span className="row sp c">
                    <span className="mono">{item.hash.slice(0, 16)}…</span>
                    {item.kept_at && <span>{dateTime(item.kept_at)}</span>}
                  </span>
                </a>
              ))}
            </div>
          )}
        </ReadGate>
      </section>
      <ReadGate query={query}>
        {({ items }) => {
          const item = items.find(({ hash }) => hash === chosen) ?? items[0];
          const text = item?.texts.find(({ lang }) => lang === language) ?? item?.texts[0];
          if (!item || !text) return <p className="empty">{t('pane.choose')}</p>;
          return (
            <section className="card split pane">
              <div className="hd line wrap">
                <h2>{code('content.rules', item.of)}</h2>
                <Select
                  label={t('content.language')}
                  value={text.lang}
                  options={item.texts.map(({ lang }) => [lang, CONTENT_LANGUAGE_NAMES[lang]])}
                  onChange={({ target }) => setLanguage(target.value)}
                />
              </div>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must reach a region to scroll it */}
              <div className="bd col scroll" tabIndex={0}>
                <p className="note">{t('content.rules_note')}</p>
                <p className="mono break c">{item.hash}</p>
                <p className="rules-text" lang={languageTagOf(text.lang)} dir={textDirectionOf(text.lang)}>
                  {text.content}
                </p>
              </div>
            </section>
          );
        }}
      </ReadGate>
    </div>
  );
}
