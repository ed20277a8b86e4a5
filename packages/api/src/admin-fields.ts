import { normaliseCode, normaliseWord } from '@sathorn/identity';
import * as v from 'valibot';
import { OPERATOR_ROLES } from './call.ts';
import { fieldFault, id, remarkText, typedText, uuid } from './fields.ts';

// Shared fields and shapes of the console's calls.

/** Everybody, including customers, sees operators by their work name and never by their real name. */
export const staffMember = v.object({ id: v.string(), work_name: v.string() });
export const operatorShape = v.object({
  id: v.string(),
  work_name: v.string(),
  roles: v.array(v.picklist(OPERATOR_ROLES)),
});

export const workName = v.pipe(
  typedText((name) => normaliseWord(name).toLowerCase()),
  v.regex(/^[a-z][a-z0-9.-]{1,19}$/, fieldFault('malformed')),
);
/** Six digits of an authenticator, or a recovery code. */
export const factorCode = v.pipe(
  typedText(normaliseCode),
  v.regex(/^[A-Za-z0-9-]{6,24}$/, fieldFault('code_malformed')),
);

export const fingerprint = v.pipe(v.string(fieldFault('required')), v.regex(/^[0-9a-f]{64}$/, fieldFault('malformed')));
/** The step-up that was confirmed for exactly this decision. The edge passes it to the vote. */
export const stepUpId = v.optional(uuid);
/** Refusals for texts that one person shows to customers. */
export const TEXT_REFUSALS = ['text_names_site', 'text_asks_for_secret', 'text_asks_for_payment'] as const;
export const decisionNote = v.optional(remarkText(1_000));
export const caseVersion = v.pipe(
  v.string(fieldFault('required')),
  v.regex(/^(0|[1-9][0-9]{0,8})$/, fieldFault('malformed')),
  v.transform(Number),
);

/** The fields of a decision: its subject, the seen version, and the proof that a person confirmed it. */
export const decisionFields = { id, version: caseVersion, fingerprint, note: decisionNote, step_up: stepUpId };
