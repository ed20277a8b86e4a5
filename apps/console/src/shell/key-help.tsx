import { Button } from '@sathorn/ui';
import { letterKeysChoice } from '../keys.ts';
import { useTexts } from '../parts/texts/index.ts';
import { Dialog } from './dialog.tsx';
import type { Page } from './page.ts';

const KEYS = [
  ['j k', 'keys.move'],
  ['↵', 'keys.open'],
  ['esc', 'keys.close'],
  ['/', 'keys.find_here'],
  ['Ctrl K', 'keys.palette'],
  ['t', 'keys.take'],
  ['T', 'keys.take_over'],
  ['a', 'keys.approve'],
  ['r', 'keys.reject'],
  ['q', 'keys.ask'],
  ['u', 'keys.customer'],
  ['1–9', 'keys.pictures'],
  ['y', 'keys.copy'],
  ['v', 'keys.views'],
  ['c', 'keys.chain'],
  ['x', 'keys.mark'],
  ['.', 'keys.let_in'],
  ['?', 'keys.all'],
] as const;

export function KeyHelp({ pages, onClose }: { pages: readonly Page[]; onClose: () => void }) {
  const { t } = useTexts();
  return (
    <Dialog label={t('keys.all')} onClose={onClose} size="large">
      <div className="hd">
        <h2>{t('keys.all')}</h2>
        <span className="r">{t('keys.no_money')}</span>
      </div>
      <div className="bd two-columns">
        {KEYS.map(([key, text]) => (
          <p key={key} className="kbdrow">
            <span>{t(text)}</span>
            <kbd>{key}</kbd>
          </p>
        ))}
        {pages.map((page) => (
          <p key={page.name} className="kbdrow">
            <span>{t(page.title)}</span>
            <span>
              <kbd>g</kbd> <kbd>{page.letter}</kbd>
            </span>
          </p>
        ))}
      </div>
      <div className="foot">
        <label className="row">
          <input
            type="checkbox"
            checked={letterKeysChoice.use()}
            onChange={({ target }) => letterKeysChoice.write(target.checked)}
          />
          {t('keys.switch')}
        </label>
        <Button size="small" look="soft" onClick={onClose}>
          {t('act.close')}
        </Button>
      </div>
    </Dialog>
  );
}
