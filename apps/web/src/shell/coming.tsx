import { useNavigation } from '@sathorn/app/navigation';
import { PageBar } from '@sathorn/app/shell';
import { Card, EmptyState, TabHead, useText } from '@sathorn/ui';
import { HOME, screenOf } from '../paths.ts';

/** A page of the specification that is not built yet. It says so, without a date. */
export default function Coming() {
  const { t } = useText();
  const { address, switchTab } = useNavigation();
  const screen = screenOf(address);
  const title = screen ? t(screen.title) : '';
  return (
    <>
      {screen?.bar === 'own' && <PageBar title={title} />}
      {screen?.bar === 'tab' && <TabHead title={title} />}
      <div className="page">
        <Card>
          <EmptyState
            icon="clock"
            title={t('coming.title')}
            {...(screen?.path === HOME
              ? {}
              : { action: { label: t('shell.go_home'), onPress: () => switchTab(HOME) } })}
          >
            {t('coming.text', { page: title })}
          </EmptyState>
        </Card>
      </div>
    </>
  );
}
