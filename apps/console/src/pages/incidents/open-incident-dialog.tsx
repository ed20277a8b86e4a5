import { INCIDENT_PARTS, INCIDENT_SEVERITIES, openIncident } from '@sathorn/api';
import { useState } from 'react';
import { Select } from '../../parts/field.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { goToRoute } from '../../route.ts';
import { useAct } from '../../use-act.ts';
import { IncidentTextFields } from './incident-text-fields.tsx';

type Part = (typeof INCIDENT_PARTS)[number];

export function OpenIncidentDialog({ onClose }: { onClose: () => void }) {
  const { t, code } = useTexts();
  const open = useAct(openIncident);
  const [severity, setSeverity] = useState<(typeof INCIDENT_SEVERITIES)[number]>('degraded');
  const [parts, setParts] = useState<readonly Part[]>([]);
  const choose = (part: Part) =>
    setParts(parts.includes(part) ? parts.filter((other) => other !== part) : [...parts, part]);
  return (
    <IncidentTextFields
      title={t('incidents.open')}
      note={t('incidents.open_note')}
      refused={open.refused}
      isBusy={open.isBusy}
      onClose={onClose}
      template={
        parts.length === 0 ? null : async () => (await import('./template-texts.ts')).templateTexts(severity, parts)
      }
      onSend={async (texts) => {
        const opened = await open.run({ severity, parts: parts.join(','), ...texts });
        if (!opened.ok) return;
        onClose();
        goToRoute('incidents', opened.data.id);
      }}
    >
      <Select
        label={t('incidents.severity')}
        value={severity}
        options={INCIDENT_SEVERITIES.map((name) => [name, code('incident.severity', name)] as const)}
        onChange={({ target }) => setSeverity(INCIDENT_SEVERITIES.find((name) => name === target.value) ?? 'degraded')}
      />
      <fieldset className="col">
        <legend>{t('incidents.parts')}</legend>
        {INCIDENT_PARTS.map((part) => (
          <label key={part} className="row">
            <input type="checkbox" checked={parts.includes(part)} onChange={() => choose(part)} />
            {code('incident.part', part)}
          </label>
        ))}
        {open.refused?.fields.parts && <p role="alert">{open.refused.fields.parts}</p>}
      </fieldset>
    </IncidentTextFields>
  );
}
