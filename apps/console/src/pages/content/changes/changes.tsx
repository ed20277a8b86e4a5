import type { ContentLanguage } from '@sathorn/api';
import { useTexts } from '../../../parts/texts/index.ts';
import { languageTagOf, textDirectionOf } from '../drafts.ts';
import './changes.css';
import { COMPARED_PARTS, type ComparedLine, compareLines, textLinesOf } from './compare-texts.ts';
import { compareWaitingChange, type WaitingChange } from './compare-waiting-change.ts';
import { useChangeTexts } from './texts.ts';

const SETTINGS = ['picture', 'link', 'place'] as const;

const isChanged = (lines: readonly ComparedLine[]): boolean => lines.some(({ mark }) => mark !== 'same');

export interface ChangesProps {
  readonly waiting: WaitingChange;
  readonly language: ContentLanguage;
}

/** Shows the second person how the text that waits for approval differs from the published one. */
export default function Changes({ waiting, language }: ChangesProps) {
  const { dateTime } = useTexts();
  const c = useChangeTexts();
  const { published } = waiting;
  const { state, parts } = compareWaitingChange(waiting, language);
  const settings = SETTINGS.flatMap((name) => {
    const lines = compareLines(textLinesOf(published?.settings[name] ?? ''), textLinesOf(waiting.settings[name]));
    return published && isChanged(lines) ? [[name, lines] as const] : [];
  });
  return (
    <section className="changes" aria-label={c('what')}>
      <h3 className="c">{c('what')}</h3>
      <p className="c">{published ? c('since', { n: published.version, time: dateTime(published.at) }) : c('first')}</p>
      {published && state === 'same' && <p className="sm">{c('none')}</p>}
      {published &&
        COMPARED_PARTS.filter((part) => isChanged(parts[part])).map((part) => (
          <Lines key={part} label={c(part)} lines={parts[part]} language={language} />
        ))}
      {settings.map(([name, lines]) => (
        <Lines key={name} label={c(name)} lines={lines} />
      ))}
    </section>
  );
}

/** Unchanged lines in a row are counted instead of repeated; the preview shows them. */
function groupsOf(lines: readonly ComparedLine[]): { readonly line: ComparedLine; readonly count: number }[] {
  const groups: { line: ComparedLine; count: number }[] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (line.mark === 'same' && last?.line.mark === 'same') last.count += 1;
    else groups.push({ line, count: 1 });
  }
  return groups;
}

function Lines({
  label,
  lines,
  language,
}: {
  label: string;
  lines: readonly ComparedLine[];
  language?: ContentLanguage;
}) {
  const c = useChangeTexts();
  const of = language && { lang: languageTagOf(language), dir: textDirectionOf(language) };
  return (
    <>
      <p className="c b changes-part">{label}</p>
      <ul className="plain">
        {groupsOf(lines).map(({ line: { mark, text }, count }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same line may appear twice, and nothing is reordered
          <li key={place} className="change" data-mark={mark}>
            {mark === 'same' ? (
              <span className="c">{c('same', { n: count })}</span>
            ) : (
              <>
                <b className="sm">{c(mark)}</b>
                {mark === 'added' ? <ins {...of}>{text}</ins> : <del {...of}>{text}</del>}
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
