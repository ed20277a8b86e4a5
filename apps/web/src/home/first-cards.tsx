import { useNavigation } from '@sathorn/app/navigation';
import { useAreaText } from '@sathorn/app/texts';
import { Skeleton } from '@sathorn/ui';
import { type ReactNode, useState } from 'react';
import { OPENING_TEXT_AREA } from '../parts/guide/opening-texts.tsx';
import './first-cards.css';

const SKIPPED = 'first-cards';
/** The height of the cards, so that nothing moves when their texts arrive. */
const FIRST_CARDS_HEIGHT = 258;

function wasSkipped(): boolean {
  try {
    return localStorage.getItem(SKIPPED) !== null;
  } catch {
    return false;
  }
}
function keepSkipped(): void {
  try {
    localStorage.setItem(SKIPPED, '1');
  } catch {
    // Without storage the cards appear again on the next visit.
  }
}

/** Three cards to swipe through for a first visit: what the app is, what can be lost, and how to check results. */
export default function FirstCards() {
  const { navigate } = useNavigation();
  const { t } = useAreaText(OPENING_TEXT_AREA, true);
  const [isSkipped, setSkipped] = useState(wasSkipped);
  if (isSkipped) return null;
  if (!t) return <Skeleton height={FIRST_CARDS_HEIGHT} />;
  const skip = () => {
    keepSkipped();
    setSkipped(true);
  };
  return (
    <section className="first-cards" aria-label={t('cards.title')}>
      <div className="first-cards-head">
        <h2>{t('cards.title')}</h2>
        <button type="button" className="first-link" onClick={skip}>
          {t('cards.skip')}
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must reach a scroller to scroll it. */}
      <ul tabIndex={0} aria-label={t('cards.title')}>
        <First picture={<WhatPicture />} title={t('cards.what')} text={t('cards.what_text')} />
        <First picture={<RiskPicture />} title={t('cards.risk')} text={t('cards.risk_text')} />
        <First picture={<CheckPicture />} title={t('cards.check')} text={t('cards.check_text')}>
          <button type="button" className="first-link" onClick={() => navigate('/pages/verify/index?tab=verify')}>
            {t('cards.check_go')}
          </button>
        </First>
      </ul>
    </section>
  );
}

function First({
  picture,
  title,
  text,
  children,
}: {
  picture: ReactNode;
  title: string;
  text: string;
  children?: ReactNode;
}) {
  return (
    <li className="ui-card">
      {picture}
      <h3>{title}</h3>
      <p>{text}</p>
      {children}
    </li>
  );
}

/** A price line that ends above the level of its start. */
function WhatPicture() {
  return (
    <svg viewBox="0 0 240 84" aria-hidden="true">
      <rect x="96" y="8" width="126" height="36" className="first-won" />
      <path d="M18 44h204" className="first-start" />
      <path d="M18 58l18-8 16 6 18-16 14 6 14-6 20 8 18-14 20 4 18-10 16-4" className="first-price" />
      <circle cx="96" cy="44" r="4" className="first-dot" />
      <path d="M190 20v-12h16l-4 5 4 5h-16" className="first-flag" />
    </svg>
  );
}

/** The same picture ending below the start: the stake is lost. */
function RiskPicture() {
  return (
    <svg viewBox="0 0 240 84" aria-hidden="true">
      <rect x="96" y="40" width="126" height="36" className="first-lost" />
      <path d="M18 40h204" className="first-start" />
      <path d="M18 32l18 6 16-8 18 12 14-6 12 4 20-8 18 16 20 4 18 8 16 6" className="first-price" />
      <circle cx="96" cy="40" r="4" className="first-dot" />
      <path d="M183 60l14 14M197 60l-14 14" className="first-cross" />
    </svg>
  );
}

/** A receipt under a magnifying glass, with a tick. */
function CheckPicture() {
  return (
    <svg viewBox="0 0 240 84" aria-hidden="true">
      <path d="M78 8h62v68l-6-5-6 5-6-5-7 5-6-5-6 5-6-5-6 5-6-5-7 5z" className="first-paper" />
      <path d="M88 22h28M88 32h42M88 42h34M88 52h38" className="first-lines" />
      <circle cx="150" cy="50" r="20" className="first-seal" />
      <path d="M141 50l6 7 12-14" className="first-tick" />
    </svg>
  );
}
