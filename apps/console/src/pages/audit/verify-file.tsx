import { readProofKeys } from '@sathorn/api';
import { callServer } from '@sathorn/app/client';
import { useId, useState } from 'react';
import { Tag } from '../../parts/parts.tsx';
import { useTexts } from '../../parts/texts/index.ts';

type Found = { readonly ok: boolean; readonly text: string };

/** Checks an exported file in this browser: its signature by the published keys, and each entry by its hash. */
export function VerifyFile() {
  const { t, dateTime } = useTexts();
  const id = useId();
  const [found, setFound] = useState<Found | null>(null);
  const check = async (file: File): Promise<Found> => {
    const { isAuditFile, verifyAuditFile } = await import('@sathorn/proof');
    const keys = await callServer(readProofKeys, {});
    let read: unknown;
    try {
      read = JSON.parse(await file.text());
    } catch {
      read = null;
    }
    if (!isAuditFile(read)) return { ok: false, text: t('audit.no_file') };
    if (!keys.ok) return { ok: false, text: t('audit.no_keys') };
    const verdict = await verifyAuditFile(read, keys.data.keys);
    if (!verdict.ok) return { ok: false, text: `${t('audit.file_wrong')} ${verdict.fault} ${verdict.at ?? ''}` };
    const { count, made_by: by, made_at: at } = verdict.head;
    return { ok: true, text: t('audit.file_right', { count, by, at: dateTime(at) }) };
  };
  return (
    <span className="row wrap">
      <label htmlFor={id} className="chip">
        {t('audit.verify_file')}
      </label>
      <input
        id={id}
        className="unseen"
        type="file"
        accept="application/json,.json"
        onChange={async ({ target }) => {
          const [file] = target.files ?? [];
          if (file) setFound(await check(file));
          target.value = '';
        }}
      />
      {found && <Tag look={found.ok ? 'ok' : 'danger'}>{found.text}</Tag>}
    </span>
  );
}
