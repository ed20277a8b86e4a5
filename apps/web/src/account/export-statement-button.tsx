import { useText } from '@sathorn/ui';
import { ExportButton } from './export-button.tsx';

const load = async () => (await import('./export-statement.ts')).exportStatement;

/** Saves every entry with the signed heads, which anybody can verify outside the app. */
export function ExportStatementButton() {
  const { t } = useText<'money'>();
  return <ExportButton label={t('details.export_chain')} load={load} />;
}
