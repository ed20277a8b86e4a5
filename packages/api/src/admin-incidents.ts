import * as v from 'valibot';
import { staffMember, stepUpId, TEXT_REFUSALS } from './admin-fields.ts';
import { call, OPERATOR_ROLES } from './call.ts';
import { boundedText, choiceOf, isoTime, noFields, pagedListOf, remarkText, uuid } from './fields.ts';
import { PROPOSED_REFUSALS } from './refusals.ts';
import { INCIDENT_PARTS, INCIDENT_SEVERITIES } from './status.ts';

const TEXT_MAX = 600;
/** English and Thai are required. Readers of another language get that text, or the English one. */
const texts = {
  text_en: remarkText(TEXT_MAX),
  text_th: remarkText(TEXT_MAX),
  text_zh: v.optional(remarkText(TEXT_MAX)),
  text_jp: v.optional(remarkText(TEXT_MAX)),
  text_ar: v.optional(remarkText(TEXT_MAX)),
  text_hi: v.optional(remarkText(TEXT_MAX)),
};

const incidentCase = v.object({
  id: v.string(),
  severity: v.picklist(INCIDENT_SEVERITIES),
  parts: v.array(v.picklist(INCIDENT_PARTS)),
  opened_at: isoTime,
  opened_by: staffMember,
  closed_at: v.nullable(isoTime),
  /** The open approval for closing an outage. */
  closing: v.nullable(v.string()),
  updates: v.array(v.object({ at: isoTime, by: staffMember, texts: v.record(v.string(), v.string()) })),
});
export type IncidentCase = v.InferOutput<typeof incidentCase>;

export const listIncidents = call('GET /admin/incidents/lists', {
  who: 'operator',
  roles: OPERATOR_ROLES,
  summary: 'Incidents of the public status, open ones first.',
  request: noFields,
  result: pagedListOf(incidentCase),
});

export const openIncident = call('POST /admin/incidents/open', {
  who: 'operator',
  roles: OPERATOR_ROLES,
  summary: 'Say publicly that something is wrong. One person may.',
  request: v.object({
    severity: choiceOf(INCIDENT_SEVERITIES),
    parts: v.pipe(
      boundedText(1, 100),
      v.transform((list) => [...new Set(list.split(','))]),
      v.array(choiceOf(INCIDENT_PARTS)),
    ),
    ...texts,
  }),
  result: incidentCase,
  refusals: ['hour_budget_spent', ...TEXT_REFUSALS],
});

export const updateIncident = call('POST /admin/incidents/update', {
  who: 'operator',
  roles: OPERATOR_ROLES,
  summary: 'Add to what is said of an open incident. Nothing that was said is changed.',
  request: v.object({ id: uuid, ...texts }),
  result: incidentCase,
  refusals: ['incident_unknown', 'incident_closed', ...TEXT_REFUSALS],
});

export const closeIncident = call('POST /admin/incidents/close', {
  who: 'operator',
  roles: ['compliance', 'finance', 'admin'],
  summary: 'Close an incident with a last text; an outage, signed by `step_up`, once a second person approves.',
  request: v.object({ id: uuid, ...texts, step_up: stepUpId }),
  result: incidentCase,
  refusals: [
    ...PROPOSED_REFUSALS,
    'incident_unknown',
    'incident_closed',
    'already_waiting',
    'check_still_red',
    ...TEXT_REFUSALS,
  ],
});
