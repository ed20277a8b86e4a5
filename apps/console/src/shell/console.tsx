import { readLogHead } from '@sathorn/api';
import { Late } from '@sathorn/app/late';
import { useSession } from '@sathorn/app/session';
import { closeToast, useToasts } from '@sathorn/app/shell';
import { ToastRegion } from '@sathorn/ui';
import { useEffect, useState } from 'react';
import { useKeys } from '../keys.ts';
import { endConsoleSession, hasAnyRole, type Operator, useOperator } from '../operator.ts';
import { SkeletonList } from '../parts/states.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { useDeskLine, useIsDeskLineLost, useLiveRead } from '../parts/use-live-read.ts';
import { goToRoute, routeHash, useRoute } from '../route.ts';
import { CommandPalette } from './command-palette.tsx';
import { KeyHelp } from './key-help.tsx';
import { Nav } from './nav.tsx';
import type { Page } from './page.ts';
import { PageHeader } from './page-header.tsx';
import { SignIn } from './sign-in.tsx';

const IDLE_MS = 15 * 60_000;
const LOOK_EVERY_MS = 10_000;

/** Ends the session when the operator is idle. The server does the same if it receives no calls. */
function useIdleLock(): void {
  useEffect(() => {
    let usedAt = Date.now();
    const use = () => {
      usedAt = Date.now();
    };
    const events = ['keydown', 'pointerdown', 'pointermove', 'wheel'] as const;
    for (const name of events) addEventListener(name, use, { passive: true });
    const timer = setInterval(() => {
      if (Date.now() - usedAt > IDLE_MS) endConsoleSession('');
    }, LOOK_EVERY_MS);
    return () => {
      for (const name of events) removeEventListener(name, use);
      clearInterval(timer);
    };
  }, []);
}

/** The whole console. When the session ends, the page stays open below the sign-in dialog and keeps typed text. */
export function Console({ pages }: { pages: readonly Page[] }) {
  const token = useSession((session) => session.token);
  const operator = useSession(({ user }) => user) as Operator | null;
  const [seen, setSeen] = useState(operator);
  useIdleLock();
  useEffect(() => {
    if (operator) setSeen(operator);
  }, [operator]);
  const isOther = operator !== null && seen !== null && operator.id !== seen.id;
  return (
    <>
      {seen && !isOther && <Frame all={pages} />}
      {token === null && <SignIn isAgain={seen !== null} />}
    </>
  );
}

function Frame({ all }: { all: readonly Page[] }) {
  useDeskLine();
  const { t } = useTexts();
  const operator = useOperator();
  const { page: name } = useRoute();
  const pages = all.filter(({ roles }) => hasAnyRole(operator, roles));
  const page = pages.find((one) => one.name === name);
  const toasts = useToasts((state) => state.toasts);
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null);
  useKeys({
    'mod+k': () => setOpen('palette'),
    '?': () => setOpen('keys'),
    ...Object.fromEntries(pages.map((one) => [`g ${one.letter}`, () => goToRoute(one.name)])),
  });
  return (
    <div className="frame">
      <p className="demo">
        <b>{t('demo.mark')}</b> {t('demo.text')}
      </p>
      <div className="app">
        <Nav pages={pages} current={name} onFind={() => setOpen('palette')} />
        <div className="main">
          <LostLine />
          {page ? <Late key={page.name} load={page.load} waiting={<SkeletonList />} /> : <Unknown />}
          <KeyStrip />
        </div>
      </div>
      <ToastRegion toasts={toasts} label={t('state.toasts')} closeLabel={t('act.close')} onClose={closeToast} />
      {open === 'palette' && <CommandPalette pages={pages} onClose={() => setOpen(null)} />}
      {open === 'keys' && <KeyHelp pages={pages} onClose={() => setOpen(null)} />}
    </div>
  );
}

function Unknown() {
  const { t } = useTexts();
  return (
    <>
      <PageHeader title={t('page.unknown_title')} />
      <div className="empty">
        <p>{t('page.unknown')}</p>
        <a href={routeHash('dashboard')}>{t('page.unknown_way')}</a>
      </div>
    </>
  );
}

/** Shown while the stream is disconnected: the page may be outdated and polls every five seconds. */
function LostLine() {
  const { t } = useTexts();
  const isLost = useIsDeskLineLost();
  return (
    <p className="lost" role="status">
      {isLost ? t('state.lost') : ''}
    </p>
  );
}

const STRIP = [
  ['j k', 'keys.move'],
  ['↵', 'keys.open'],
  ['t', 'keys.take'],
  ['a', 'keys.approve'],
  ['r', 'keys.reject'],
  ['/', 'keys.find_here'],
  ['?', 'keys.all'],
] as const;

function KeyStrip() {
  const { t } = useTexts();
  const head = useLiveRead(readLogHead, {});
  return (
    <footer className="keys">
      {STRIP.map(([keys, text]) => (
        <span key={keys}>
          {keys.split(' ').map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
          {t(text)}
        </span>
      ))}
      {head.data && (
        <span className="r">
          {t('audit.head', { n: head.data.n })}
          <span className="mono">
            {head.data.hash.slice(0, 4)}…{head.data.hash.slice(-4)}
          </span>
        </span>
      )}
    </footer>
  );
}
