import { searchConsole } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useDeferredValue, useState } from 'react';
import { useOperator } from '../operator.ts';
import { useTexts } from '../parts/texts/index.ts';
import { goToRoute } from '../route.ts';
import { useSavedViews } from '../saved-views.ts';
import { Dialog } from './dialog.tsx';
import type { Page } from './page.ts';

const PAGE_OF: Readonly<Record<string, string>> = {
  customer: 'customers',
  withdrawal: 'withdrawals',
  deposit: 'deposits',
  certification: 'certifications',
  approval: 'approvals',
};

/** The server returns at most this many; the customers page shows all. */
const PEOPLE_SHOWN = 8;

interface Choice {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  readonly go: () => void;
}

/** Finds anything by id or name, or opens a page. It only navigates; it never acts. */
export function CommandPalette({ pages, onClose }: { pages: readonly Page[]; onClose: () => void }) {
  const { t, code } = useTexts();
  const [query, setQuery] = useState('');
  const [place, setPlace] = useState(0);
  const [views] = useSavedViews(useOperator()?.id ?? '');
  const wanted = useDeferredValue(query.trim());
  const found = useRead(searchConsole, { q: wanted }, { enabled: wanted.length >= 3 });
  const people = (found.data ?? []).filter(({ kind }) => kind === 'customer').length;
  const choices: Choice[] = [
    ...(wanted.length >= 3 ? (found.data ?? []) : []).map(({ kind, id, title, status }) => ({
      id: `${kind} ${id}`,
      title: kind === 'customer' ? `${title} · ${id}` : title,
      note: `${code('kind', kind)}${status === null ? '' : ` · ${code('status', status)}`}`,
      go: () => goToRoute(PAGE_OF[kind] ?? 'dashboard', id),
    })),
    ...(people < PEOPLE_SHOWN
      ? []
      : [
          {
            id: 'more',
            title: t('palette.more', { q: wanted }),
            note: '',
            go: () => goToRoute('customers', null, { q: wanted }),
          },
        ]),
    ...views
      .filter(({ name }) => name.toLowerCase().includes(query.trim().toLowerCase()))
      .map(({ page, name, filter }) => ({
        id: `view ${page} ${name}`,
        title: name,
        note: t('views.title'),
        go: () => goToRoute(page, null, filter),
      })),
    ...pages
      .filter(({ title }) => t(title).toLowerCase().includes(query.trim().toLowerCase()))
      .map((page) => ({
        id: page.name,
        title: t(page.title),
        note: `g ${page.letter}`,
        go: () => goToRoute(page.name),
      })),
  ];
  const chosen = Math.min(place, choices.length - 1);
  const take = (choice: Choice | undefined) => {
    if (!choice) return;
    onClose();
    choice.go();
  };
  return (
    <Dialog label={t('palette.hint')} onClose={onClose}>
      <input
        className="palette-field"
        aria-label={t('palette.hint')}
        placeholder={t('palette.placeholder')}
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={choices[chosen] && `palette-${chosen}`}
        value={query}
        // The dialog opens ready for typing.
        autoFocus
        onChange={({ target }) => {
          setQuery(target.value);
          setPlace(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') setPlace(Math.min(chosen + 1, choices.length - 1));
          else if (event.key === 'ArrowUp') setPlace(Math.max(chosen - 1, 0));
          else if (event.key === 'Enter') take(choices[chosen]);
          else return;
          event.preventDefault();
        }}
      />
      <div className="list" id="palette-list" role="listbox" aria-label={t('palette.results')}>
        {choices.map((choice, index) => (
          <button
            key={choice.id}
            id={`palette-${index}`}
            type="button"
            role="option"
            aria-selected={index === chosen}
            tabIndex={-1}
            className={index === chosen ? 'line on' : 'line'}
            onClick={() => take(choice)}
          >
            <span>{choice.title}</span>
            <span className="m sm">{choice.note}</span>
          </button>
        ))}
        {choices.length === 0 && <p className="empty">{t('palette.nothing')}</p>}
      </div>
    </Dialog>
  );
}
