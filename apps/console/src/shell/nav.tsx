import { Icon } from '@sathorn/ui';
import { useOperator } from '../operator.ts';
import { useTexts } from '../parts/texts/index.ts';
import { useDesk } from '../parts/use-live-read.ts';
import { routeHash } from '../route.ts';
import type { Page } from './page.ts';

export function Nav({ pages, current, onFind }: { pages: readonly Page[]; current: string; onFind: () => void }) {
  const { t } = useTexts();
  const operator = useOperator();
  const desk = useDesk();
  const groups = [...new Set(pages.map(({ group }) => group))];
  return (
    <nav className="side" aria-label={t('nav.label')}>
      <p className="logo">
        <svg width="20" height="20" viewBox="0 0 24 24" aria-hidden="true">
          <path d="M12 2l9 5v10l-9 5-9-5V7z" fill="#ffe39a" />
          <path d="M8 9.5c0-2 8-2 8 0s-8 2.5-8 5 8 2 8 0" fill="none" stroke="#46301f" strokeWidth="2" />
        </svg>
        <span>
          Sathorn <small>{t('nav.console')}</small>
        </span>
      </p>
      <button type="button" className="find" onClick={onFind}>
        <Icon name="search" size={15} />
        <span>{t('palette.hint')}</span>
        <kbd>Ctrl K</kbd>
      </button>
      {groups.map((group) => (
        <div key={group ?? 'first'}>
          {group && <h2 className="group">{t(group)}</h2>}
          {pages
            .filter((page) => page.group === group)
            .map((page) => {
              const queue = desk?.queues.find(({ kind }) => kind === page.queue);
              return (
                <a
                  key={page.name}
                  href={routeHash(page.name)}
                  className={page.name === current ? 'on' : ''}
                  aria-current={page.name === current ? 'page' : undefined}
                  title={`${t(page.title)} (g ${page.letter})`}
                >
                  <Icon name={page.icon} size={16} />
                  <span>{t(page.title)}</span>
                  {queue !== undefined && queue.waiting > 0 && (
                    <b className="n" data-hot={queue.overdue > 0 ? '' : undefined}>
                      {queue.waiting}
                    </b>
                  )}
                </a>
              );
            })}
        </div>
      ))}
      {operator && (
        <div className="me">
          <span className="av" aria-hidden="true">
            {operator.work_name.slice(0, 2).toUpperCase()}
          </span>
          <span>
            <b>{operator.work_name}</b>
            {operator.roles.map((role) => t(`role.${role}`)).join(', ')}
          </span>
        </div>
      )}
    </nav>
  );
}
