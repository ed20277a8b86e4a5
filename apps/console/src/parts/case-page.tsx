import type { Call } from '@sathorn/api';
import { type CallFault, useRead } from '@sathorn/app/client';
import { showToast } from '@sathorn/app/shell';
import { Button } from '@sathorn/ui';
import type { UseQueryResult } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useState } from 'react';
import { useKeys } from '../keys.ts';
import { goToRoute, routeHash, useRoute } from '../route.ts';
import { type HeaderTab, PageHeader } from '../shell/page-header.tsx';
import { Batch, type BatchAct, MARKED_CASES_MAX } from './batch.tsx';
import { KeyHint } from './parts.tsx';
import { ScrollRegion } from './scroll-region.tsx';
import { EmptyState, ReadGate } from './states.tsx';
import { useTexts } from './texts/index.ts';
import { useList } from './use-list.ts';
import { useSteadyList } from './use-steady-list.ts';

/**
 * A page of cases: tabs, the list on the left, the open case on the right. Page, case and filter are in the address. j
 * and k move, Enter opens, Escape closes, `.` shows new rows.
 */
export function CasePage<Item extends { readonly id: string }, Data>({
  page,
  title,
  tabs,
  tab,
  at = {},
  query,
  items,
  empty,
  head,
  foot,
  line,
  table,
  batch,
  nameOf,
  ahead,
  pane,
}: {
  /** The page's name in the address and in screens.ts. */
  page: string;
  title: string;
  tabs?: readonly HeaderTab[];
  /** The selected tab, in the address as `tab`. */
  tab?: string;
  /** The rest of the filter in the address. */
  at?: Readonly<Record<string, string>>;
  query: UseQueryResult<Data, CallFault>;
  items: (data: Data) => readonly Item[];
  /** Shown when the list is empty. */
  empty: string;
  /** Shown above the list: a search field, a button. */
  head?: ReactNode;
  foot?: (data: Data) => ReactNode;
  /** Renders a row as two lines of a list. */
  line?: (item: Item) => ReactNode;
  /** Renders a row as cells of a table instead. One of them must contain the link to `href`. */
  table?: { readonly head: ReactNode; readonly cells: (item: Item, href: string) => ReactNode; readonly look?: string };
  /** The actions on rows that the operator has marked with the x key. */
  batch?: readonly BatchAct<NoInfer<Item>>[];
  /** The row's name outside the list. */
  nameOf?: (item: NoInfer<Item>) => string;
  /** Reads the case after the open one in advance. Not for a read that is logged. */
  ahead?: Call;
  pane: (id: string) => ReactNode;
}) {
  const { t } = useTexts();
  const { id } = useRoute();
  const kept = { ...(tab !== undefined && { tab }), ...at };
  const { shown, waiting, letIn } = useSteadyList(query.data && items(query.data), `${page} ${JSON.stringify(kept)}`);
  useList(
    shown.map((item) => item.id),
    id,
    (next) => goToRoute(page, next, kept),
  );
  const place = shown.findIndex((item) => item.id === id);
  const next = place < 0 ? undefined : (shown[place + 1] ?? shown[place - 1])?.id;
  const goOn = (name: string) => {
    const decided = id;
    showToast(name, 'success', {
      durationMs: SEEN_MS,
      action: { label: t('act.see'), onPress: () => goToRoute(page, decided, kept) },
    });
    if (next !== undefined) goToRoute(page, next, kept);
  };
  const [marks, setMarks] = useState<ReadonlySet<string>>(new Set());
  const marked = shown.filter((item) => marks.has(item.id));
  const mark = (one: string | null) => {
    if (!batch || one === null) return;
    if (marks.has(one)) setMarks(new Set([...marks].filter((other) => other !== one)));
    else if (marked.length < MARKED_CASES_MAX) setMarks(new Set([...marked.map((item) => item.id), one]));
  };
  const markOf = (item: Item) =>
    batch && (
      <input
        type="checkbox"
        aria-label={t('batch.mark', { name: nameOf?.(item) ?? item.id })}
        checked={marks.has(item.id)}
        onChange={() => mark(item.id)}
      />
    );
  useKeys({ '.': letIn, x: () => mark(id) });
  const rowOf = (item: Item) => ({
    className: item.id === id ? 'sel on' : '',
    'data-chosen': item.id === id ? '' : undefined,
  });
  return (
    <>
      <PageHeader
        title={title}
        isStale={query.isError}
        {...(tabs && { tabs })}
        {...(tab !== undefined && { current: tab })}
        onTab={(name) => goToRoute(page, null, { tab: name })}
      />
      <div className="page two" data-look={line && 'list'} data-open={id ? '' : undefined}>
        <section className="card split">
          {head}
          {waiting > 0 && (
            <button type="button" className="fresh" onClick={letIn}>
              {t('list.new', { count: waiting })} <KeyHint name="." />
            </button>
          )}
          {batch && marked.length > 0 && (
            <Batch
              marked={marked}
              acts={batch}
              nameOf={nameOf ?? ((item) => item.id)}
              onClear={() => setMarks(new Set())}
            />
          )}
          <ReadGate query={query}>
            {(data) => (
              <>
                {shown.length === 0 && <EmptyState title={tab === tabs?.[0]?.name ? empty : t('list.nothing')} />}
                {shown.length > 0 && line && (
                  <div className="list scroll">
                    {shown.map((item) => (
                      <div key={item.id} className={batch ? 'markable' : undefined}>
                        {markOf(item)}
                        <a href={routeHash(page, item.id, kept)} {...rowOf(item)}>
                          {line(item)}
                        </a>
                      </div>
                    ))}
                  </div>
                )}
                {shown.length > 0 && table && (
                  <ScrollRegion label={title}>
                    <table className={table.look ?? 'tall'}>
                      <thead>
                        <tr>
                          {batch && (
                            <th>
                              <span className="unseen">{t('batch.head')}</span>
                            </th>
                          )}
                          {table.head}
                        </tr>
                      </thead>
                      <tbody>
                        {shown.map((item) => (
                          <tr key={item.id} {...rowOf(item)}>
                            {batch && <td className="markable">{markOf(item)}</td>}
                            {table.cells(item, routeHash(page, item.id, kept))}
                          </tr>
                        ))}
                      </tbody>
                    </table>
                  </ScrollRegion>
                )}
                {foot?.(data)}
              </>
            )}
          </ReadGate>
        </section>
        <NextCase value={goOn}>{id ? pane(id) : <p className="empty wide-only">{t('pane.choose')}</p>}</NextCase>
        {ahead && next !== undefined && <Ahead key={next} call={ahead} id={next} />}
      </div>
    </>
  );
}

/** Long enough to read the decision and open the case again. */
const SEEN_MS = 10_000;
const NextCase = createContext<(done: string) => void>(() => {});
/** Returns a function that announces the decision and opens the next case of the list. */
export const useOpenNextCase = () => use(NextCase);

function Ahead({ call, id }: { call: Call; id: string }) {
  useRead(call, { id }, { freshForMs: 30_000 });
  return null;
}

/** A search field above a list. Enter stores it in the address as `q`. */
export function ListSearch({
  onFind,
  hint,
  children,
}: {
  onFind: (q: string) => void;
  hint?: string;
  children?: ReactNode;
}) {
  const { t } = useTexts();
  const { filter } = useRoute();
  const [find, setFind] = useState(filter.q ?? '');
  return (
    <form
      className="hd"
      onSubmit={(event) => {
        event.preventDefault();
        onFind(find.trim());
      }}
    >
      <input
        data-find=""
        className="field grow"
        aria-label={hint ?? t('act.find')}
        placeholder={hint ?? t('palette.placeholder')}
        value={find}
        onChange={({ target }) => setFind(target.value)}
      />
      <Button type="submit" size="small" icon="search">
        {t('act.find')}
      </Button>
      {children}
    </form>
  );
}

interface Around {
  readonly head: ReactNode;
  readonly end: ReactNode;
  /** Replaces the pane's own decisions; null for none. */
  readonly bar?: ReactNode;
}
/** Set by a page that borrows another page's pane: Approvals, around a case that waits for a decision. */
export const AroundPaneContext = createContext<Around | null>(null);

/**
 * The open case: its header, its content, and the bar of decisions, which always stays visible. With a `side`, the
 * content is the evidence and takes all free width; facts and decision are beside it.
 */
export function CasePane<Data>({
  query,
  head,
  bar,
  side,
  children,
}: {
  query: UseQueryResult<Data, CallFault>;
  head: (data: Data) => ReactNode;
  /** Null if there is nothing to decide. */
  bar?: (data: Data) => ReactNode;
  /** Facts, checks and everything else that a decision needs. */
  side?: (data: Data) => ReactNode;
  children: (data: Data) => ReactNode;
}) {
  const { t } = useTexts();
  const around = use(AroundPaneContext);
  return (
    <section className="card split pane" data-sided={side && ''}>
      <ReadGate query={query}>
        {(data) => {
          const acts = around?.bar === undefined ? bar?.(data) : around.bar;
          return (
            <>
              <div className="hd line wrap">{head(data)}</div>
              <ScrollRegion look="bd col" label={t('pane.case')}>
                {around?.head}
                {children(data)}
                {!side && around?.end}
              </ScrollRegion>
              {side && (
                <ScrollRegion look="bd col facts" label={t('pane.facts')}>
                  {side(data)}
                  {around?.end}
                </ScrollRegion>
              )}
              {acts && <div className="foot wrap">{acts}</div>}
            </>
          );
        }}
      </ReadGate>
    </section>
  );
}
