import { FIELD_FAULTS, type FieldFault } from '@sathorn/api';
import * as v from 'valibot';

const CODES: ReadonlySet<string> = new Set(FIELD_FAULTS);
const isFault = (message: string): message is FieldFault => CODES.has(message);

/** Treats an empty field as missing, whatever its format. */
export function withoutEmptyFields<Request extends object>(request: Request): Partial<Request> {
  return Object.fromEntries(
    Object.entries(request).filter(([, value]) => value !== '' && value !== undefined),
  ) as Partial<Request>;
}

/**
 * Returns the first fault of each faulty field, by the server's own schema. `also` adds faults that the schema reports
 * only when every single field is valid (such as two passwords that differ); these take precedence.
 */
export function faultyFields(
  schema: v.GenericSchema,
  request: object,
  also: Readonly<Record<string, FieldFault | undefined>> = {},
): Record<string, FieldFault> {
  const filled = withoutEmptyFields(request);
  const faults: Record<string, FieldFault> = {};
  for (const issue of v.safeParse(schema, filled).issues ?? []) {
    const field = String(issue.path?.[0]?.key ?? '');
    if (field in faults) continue;
    if (isFault(issue.message)) faults[field] = issue.message;
    else faults[field] = field in filled ? 'malformed' : faultOfMissing(schema, field);
  }
  for (const [field, fault] of Object.entries(also)) if (fault !== undefined) faults[field] = fault;
  return faults;
}

/** Only a missing agreement has its own fault code; any other missing field is `required`. */
function faultOfMissing(schema: v.GenericSchema, field: string): FieldFault {
  const entries = 'entries' in schema ? (schema.entries as Record<string, v.GenericSchema>) : {};
  const entry = entries[field];
  const message = entry && v.safeParse(entry, undefined).issues?.[0].message;
  return message === 'agreement_required' ? message : 'required';
}
