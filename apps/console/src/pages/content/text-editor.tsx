import { CHARACTERS_MAX, type ContentKind, type ContentLanguage, plainText } from '@sathorn/api';
import { type ReactNode, useId, useRef } from 'react';
import { useTexts } from '../../parts/texts/index.ts';
import {
  CONTENT_LANGUAGE_NAMES,
  type Draft,
  kindHasBody,
  kindHasSummary,
  languageTagOf,
  richTextOfDraft,
  textDirectionOf,
} from './drafts.ts';

const TITLE_MAX = 120;
const SUMMARY_MAX = 240;

/** Edits one language: title, summary line and body with marks. Saving stores the tree parsed from the marks. */
export function TextEditor({
  kind,
  language,
  draft,
  isReadOnly,
  faults,
  onChange,
  onPicture,
  children,
}: {
  kind: ContentKind;
  language: ContentLanguage;
  draft: Draft;
  isReadOnly: boolean;
  faults: Readonly<Record<string, string>>;
  onChange: (draft: Draft) => void;
  /** Opens the choice of pictures and calls `insert` with the marks of the chosen one. */
  onPicture: (insert: (marks: string) => void) => void;
  children?: ReactNode;
}) {
  const { t } = useTexts();
  const area = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const of = { lang: languageTagOf(language), dir: textDirectionOf(language), readOnly: isReadOnly } as const;
  const change = (part: Partial<Draft>) => onChange({ ...draft, ...part });

  const replace = (make: (chosen: string) => string) => {
    const field = area.current;
    if (!field) return;
    const { selectionStart: from, selectionEnd: to } = field;
    const made = make(draft.marks.slice(from, to));
    change({ marks: draft.marks.slice(0, from) + made + draft.marks.slice(to) });
    requestAnimationFrame(() => {
      field.focus();
      field.setSelectionRange(from, from + made.length);
    });
  };
  const atLines = (mark: (place: number) => string) => (chosen: string) =>
    (chosen || t('content.words'))
      .split('\n')
      .map((line, place) => `${mark(place)}${line}`)
      .join('\n');
  const tools: readonly (readonly [label: string, shown: ReactNode, act: () => void])[] = [
    [t('content.bold'), <b key="b">B</b>, () => replace((chosen) => `**${chosen || t('content.words')}**`)],
    [t('content.italic'), <i key="i">I</i>, () => replace((chosen) => `*${chosen || t('content.words')}*`)],
    [t('content.heading'), 'H', () => replace(atLines(() => '## '))],
    [t('content.list'), '•', () => replace(atLines(() => '- '))],
    // For voice control, the accessible name contains the visible text.
    [`1. ${t('content.numbers')}`, '1.', () => replace(atLines((place) => `${place + 1}. `))],
    [
      t('content.link'),
      t('content.link'),
      () => replace((chosen) => `[${chosen || t('content.words')}](/pages/optionRule/index)`),
    ],
    [t('content.picture'), t('content.picture'), () => onPicture((marks) => replace(() => marks))],
  ];
  const characters = [...plainText(richTextOfDraft(draft))].length;
  return (
    <div className="text-editor">
      <div className="row sp c">
        <b>{CONTENT_LANGUAGE_NAMES[language]}</b>
        {children}
      </div>
      <label className="unseen" htmlFor={`${id}-title`}>
        {t('content.title')}
      </label>
      <input
        {...of}
        id={`${id}-title`}
        className="field title"
        maxLength={TITLE_MAX}
        placeholder={t('content.title')}
        value={draft.title}
        aria-invalid={faults.title ? true : undefined}
        onChange={({ target }) => change({ title: target.value })}
      />
      {kindHasSummary(kind) && (
        <>
          <label className="unseen" htmlFor={`${id}-summary`}>
            {t('content.summary')}
          </label>
          <input
            {...of}
            id={`${id}-summary`}
            className="field"
            maxLength={SUMMARY_MAX}
            placeholder={t('content.summary')}
            value={draft.summary}
            onChange={({ target }) => change({ summary: target.value })}
          />
        </>
      )}
      {kindHasBody(kind) && (
        <>
          {!isReadOnly && (
            <div className="tools" role="toolbar" aria-label={t('content.marks')}>
              {tools.map(([label, shown, act]) => (
                <button key={label} type="button" className="chip" aria-label={label} onClick={act}>
                  {shown}
                </button>
              ))}
              <span className="c num">
                {characters} / {CHARACTERS_MAX}
              </span>
            </div>
          )}
          <label className="unseen" htmlFor={`${id}-body`}>
            {t('content.body')}
          </label>
          <textarea
            {...of}
            id={`${id}-body`}
            ref={area}
            className="field body"
            placeholder={t('content.body')}
            value={draft.marks}
            aria-invalid={faults.body ? true : undefined}
            onChange={({ target }) => change({ marks: target.value })}
          />
        </>
      )}
    </div>
  );
}
