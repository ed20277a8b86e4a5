import { formatDate } from '@sathorn/text';
import { RadioList, Sheet, Tabs, useText } from '@sathorn/ui';
import { useState } from 'react';
import { brand } from '#brand';
import { ExportButton } from './export-button.tsx';
import { EXPORT_FORMATS, type ExportFormat } from './tax-csv.ts';

/** Years that a tax office may still ask about. */
const YEARS_SHOWN = 4;
const ALL = { from: '', until: '9999' };
const spanOf = (year: string) =>
  year === 'all' ? ALL : { from: `${year}-01-01T00:00:00.000Z`, until: `${Number(year) + 1}-01-01T00:00:00.000Z` };

/** Asks for a format and a year, and saves the file. */
export default function ExportSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t, presentation } = useText<'money'>();
  const [format, setFormat] = useState<ExportFormat>('table');
  const [year, setYear] = useState('all');
  const thisYear = new Date().getUTCFullYear();
  const years = Array.from({ length: YEARS_SHOWN }, (_, n) => String(thisYear - n));
  const load = async () => {
    const { exportRecords } = await import('./export-records.ts');
    const named = { exchange: brand.title, name: `account-${year}${format === 'table' ? '' : `-${format}`}.csv` };
    return (onProgress: (count: number) => void) => exportRecords(format, spanOf(year), named, onProgress);
  };
  const loadArchive = async () => {
    const { exportArchive } = await import('./export-archive.ts');
    return (onProgress: (count: number) => void) => exportArchive(brand.title, onProgress);
  };
  return (
    <Sheet open={open} onClose={onClose} title={t('details.export')}>
      <div className="stack">
        <RadioList
          legend={t('details.export_format')}
          name="export-format"
          choices={EXPORT_FORMATS.map((value) => ({
            value,
            label: t(`details.export_${value}`),
            note: t(`details.export_${value}_note`),
          }))}
          value={format}
          onChange={setFormat}
        />
        <Tabs
          label={t('details.export_year')}
          tabs={[
            { value: 'all', label: t('details.export_all') },
            ...years.map((value) => ({
              value,
              // The number alone, because five tabs share a phone's width.
              label: /\p{Nd}+/u.exec(formatDate(`${value}-07-01T00:00:00.000Z`, 'year', presentation))?.[0] ?? value,
            })),
          ]}
          value={year}
          onChange={setYear}
        />
        <p className="cap">{t('details.export_utc')}</p>
        <ExportButton label={t('details.export_save')} load={load} isWide />
        <p className="cap">{t('details.archive_note')}</p>
        <ExportButton label={t('details.archive')} load={loadArchive} isWide isSoft />
      </div>
    </Sheet>
  );
}
