import { Button } from '@sathorn/ui';
import { useTexts } from './texts/index.ts';

/** Links to newer and older rows, for paged lists. */
export function Pager({
  page,
  next,
  onPage,
}: {
  page: string | null;
  next: string | null;
  onPage: (page: string | null) => void;
}) {
  const { t } = useTexts();
  if (page === null && next === null) return null;
  return (
    <div className="foot">
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
