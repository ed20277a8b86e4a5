import { Button } from '@sathorn/ui';
import { goToRoute, useRoute } from '../route.ts';
import { useTexts } from './texts/index.ts';

/** The shown page of a list, in the address, so that another tab or search starts at its first page. */
export function usePageCursor(): [string | null, (page: string | null) => void] {
  const { page: name, filter } = useRoute();
  return [filter.page ?? null, (page) => goToRoute(name, null, { ...filter, page: page ?? '' })];
}

/** Links to newer and older rows, for paged lists. */
export function Pager({
  page,
  next,
  total,
  onPage,
}: {
  page: string | null;
  next: string | null;
  /** The number of rows on all pages. */
  total?: string;
  onPage: (page: string | null) => void;
}) {
  const { t } = useTexts();
  if (page === null && next === null && total === undefined) return null;
  return (
    <div className="foot">
      {total !== undefined && (
        <span className="c grow" role="status">
          {total}
        </span>
      )}
      {page !== null && (
        <Button size="small" look="soft" onClick={() => onPage(null)}>
          {t('act.newest')}
        </Button>
      )}
      {next !== null && (
        <Button size="small" look="soft" onClick={() => onPage(next)}>
          {t('act.older')}
        </Button>
      )}
    </div>
  );
}
