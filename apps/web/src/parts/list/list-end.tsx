import { Button, useText } from '@sathorn/ui';
import { useEffect, useRef } from 'react';
import './list-end.css';

interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
}

/**
 * The end of a paged list. It loads the next page when scrolled into view or by its button, and says when the list is
 * complete.
 */
export function ListEnd({ list }: { list: Pages }) {
  const { t } = useText();
  const place = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  const isDue = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;

  useEffect(() => {
    if (!isDue || !place.current) return;
    const watch = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) void fetchNextPage();
      },
      { rootMargin: '300px' },
    );
    watch.observe(place.current);
    return () => watch.disconnect();
  }, [isDue, fetchNextPage]);

  return (
    <div ref={place} className="list-end">
      {hasNextPage ? (
        <Button size="small" look="soft" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t(isFetchNextPageError ? 'shell.try_again' : 'list.more')}
        </Button>
      ) : (
        <p>{t('list.end')}</p>
      )}
    </div>
  );
}
