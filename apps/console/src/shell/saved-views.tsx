import { Button, IconButton } from '@sathorn/ui';
import { useState } from 'react';
import { useKeys } from '../keys.ts';
import { useOperator } from '../operator.ts';
import { Field } from '../parts/field.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { goToRoute, useRoute } from '../route.ts';
import { saveView, useSavedViews, VIEW_NAME_MAX, withoutView } from '../saved-views.ts';
import { Dialog } from './dialog.tsx';

/** Saves the page's current tab and filter under a name, and opens or removes saved ones. */
export function SavedViews({ title, tab }: { title: string; tab: string | undefined }) {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  useKeys({ v: () => setOpen(true) });
  return (
    <>
      <IconButton icon="star" size={16} label={t('views.title')} onClick={() => setOpen(true)} />
      {isOpen && <Views title={title} tab={tab} onClose={() => setOpen(false)} />}
    </>
  );
}

function Views({ title, tab, onClose }: { title: string; tab: string | undefined; onClose: () => void }) {
  const { t } = useTexts();
  const { page, filter } = useRoute();
  const [views, change] = useSavedViews(useOperator()?.id ?? '');
  // Operators search for people by name, phone or email, which must not be stored in a browser.
  const { q: _, ...kept } = filter;
  const here = views.filter((view) => view.page === page);
  return (
    <Dialog label={t('views.title')} onClose={onClose}>
      <div className="hd">
        <h2>
          {t('views.title')} · {title}
        </h2>
      </div>
      <div className="bd col">
        {here.map((view) => (
          <p key={view.name} className="row sp">
            <button
              type="button"
              className="link"
              onClick={() => {
                onClose();
                goToRoute(page, null, view.filter);
              }}
            >
              {view.name}
            </button>
            <IconButton
              icon="cross"
              size={14}
              label={t('views.remove', { name: view.name })}
              onClick={() => change(withoutView(views, view))}
            />
          </p>
        ))}
        {here.length === 0 && <p className="m">{t('views.none')}</p>}
        {Object.keys(kept).length > 0 && (
          <form
            className="row"
            onSubmit={(event) => {
              event.preventDefault();
              const name = String(new FormData(event.currentTarget).get('name') ?? '').trim();
              if (name === '') return;
              change(saveView(views, { page, name, filter: kept }));
              onClose();
            }}
          >
            <Field
              name="name"
              label={t('views.name')}
              maxLength={VIEW_NAME_MAX}
              defaultValue={tab?.slice(0, VIEW_NAME_MAX)}
              required
            />
            <Button type="submit" size="small">
              {t('views.save')}
            </Button>
          </form>
        )}
        <p className="m sm">{t('views.kept')}</p>
      </div>
    </Dialog>
  );
}
