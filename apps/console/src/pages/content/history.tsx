import { type ContentEntry, plainText, readContentVersion } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useState } from 'react';
import { Tag } from '../../parts/parts.tsx';
import { ReadGate } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { CONTENT_LANGUAGE_NAMES, languageTagOf, textDirectionOf } from './drafts.ts';

const languageNamed = (part: string) =>
  part in CONTENT_LANGUAGE_NAMES ? (part as keyof typeof CONTENT_LANGUAGE_NAMES) : null;

function VersionDialog({ id, version, onClose }: { id: string; version: number; onClose: () => void }) {
  const { t } = useTexts();
  const query = useRead(readContentVersion, { id, version: String(version) }, { freshForMs: 60_000 });
  return (
    <Dialog label={t('content.version', { n: version })} onClose={onClose}>
      <div className="bd col scroll">
        <h2>{t('content.version', { n: version })}</h2>
        <ReadGate query={query}>
          {({ part, words, settings }) => {
            const language = languageNamed(part);
            if (!words) return <pre className="note">{JSON.stringify(settings, null, 1)}</pre>;
            return (
              <div
                className="rules-text"
                {...(language && { lang: languageTagOf(language), dir: textDirectionOf(language) })}
              >
                <b>{words.title}</b>
                <p>{words.summary}</p>
                <p>{plainText(words.body)}</p>
              </div>
            );
          }}
        </ReadGate>
      </div>
    </Dialog>
  );
}

/** Lists all saved versions with author and time, and the publications. */
export function ContentHistory({ entry }: { entry: ContentEntry }) {
  const { t, code, dateTime } = useTexts();
  const [open, setOpen] = useState<number | null>(null);
  return (
    <details className="history">
      <summary>{t('content.history', { n: entry.version })}</summary>
      <ul className="plain">
        {entry.publications.map((one) => (
          <li key={one.id} className="row sp sm">
            <span>
              {t('content.version', { n: one.version })} · {audienceText(one.audience, t, code)} · {dateTime(one.from)}
              {one.to && ` – ${dateTime(one.to)}`}
            </span>
            <span className="row m">
              {one.made_by?.work_name ?? t('content.shipped')}
              <Tag look={one.taken_down_at ? 'danger' : one.published_at ? 'ok' : 'warn'}>
                {one.taken_down_at
                  ? `${t('content.status.taken_down')} · ${one.taken_down_by?.work_name ?? ''}`
                  : t(one.published_at ? 'content.status.published' : 'content.not_published')}
              </Tag>
            </span>
          </li>
        ))}
        {entry.versions.map((one) => {
          const language = languageNamed(one.part);
          return (
            <li key={one.version} className="row sp sm">
              <button type="button" className="chip" onClick={() => setOpen(one.version)}>
                {one.version} · {language ? CONTENT_LANGUAGE_NAMES[language] : t('content.settings')}
              </button>
              <span className="m">
                {one.by?.work_name ?? t('content.shipped')} · {dateTime(one.at)}
              </span>
            </li>
          );
        })}
      </ul>
      {open !== null && <VersionDialog id={entry.id} version={open} onClose={() => setOpen(null)} />}
    </details>
  );
}

export function audienceText(
  audience: string,
  t: ReturnType<typeof useTexts>['t'],
  code: ReturnType<typeof useTexts>['code'],
): string {
  const [to = '', which = ''] = audience.split(':');
  return to === 'all' ? t('content.to.all') : `${code('content.to', to)} ${which}`;
}
