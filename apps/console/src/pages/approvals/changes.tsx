import type { ReactNode } from 'react';
import { useApprovalTexts } from './texts.ts';

export interface ContentChange {
  readonly label: string;
  readonly before: ReactNode;
  readonly after: ReactNode;
}

/** Shows each present value beside the proposed one. */
export function ChangeList({ changes }: { changes: readonly ContentChange[] }) {
  const { say } = useApprovalTexts();
  return (
    <table className="offer-diff">
      <thead>
        <tr>
          <th>
            <span className="unseen">{say('what')}</span>
          </th>
          <th>{say('now')}</th>
          <th>{say('proposed')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ label, before, after }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>{before}</td>
            <td>
              <mark>{after}</mark>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Shows one text in the languages in which it exists; the text that it replaces is struck out. */
export function LanguageTexts({
  before = {},
  after,
}: {
  before?: Readonly<Record<string, string>>;
  after: Readonly<Record<string, string>>;
}) {
  return (
    <ul className="plain col wordings">
      {Object.entries(after).map(([language, words]) => (
        <li key={language} className="row">
          <span className="tag">{language}</span>
          <span className="col grow" lang={language === 'jp' ? 'ja' : language} dir="auto">
            {before[language] !== undefined && before[language] !== words && <del>{before[language]}</del>}
            <span>{words}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
