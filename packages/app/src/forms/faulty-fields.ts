import { FIELD_FAULTS, type FieldFault } from '@sathorn/api';
import * as v from 'valibot';

const CODES: ReadonlySet<string> = new Set(FIELD_FAULTS);
const isFault = (message: string): message is FieldFault => CODES.has(message);

/** A field that was left empty is a field that was not filled in, whatever its grammar. */
export function withoutEmpty<Request extends object>(request: Request): Partial<Request> {
  return Object.fromEntries(
    Object.entries(request).filter(([, value]) => value !== '' && value !== undefined),
  ) as Partial<Request>;
}

/**
 * The fault of each faulty field, by the schema that the server goes by as well: the first fault of a field counts.
 * `also` adds what the schema finds only once every single field is right (two passwords that differ), and comes before
 * what the schema says.
 */
export function faultyFields(
  schema: v.GenericSchema,
  request: object,
  also: Readonly<Record<string, FieldFault | undefined>> = {},
): Record<string, FieldFault> {
  const filled = withoutEmpty(request);
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

/** Only the agreement has a word of its own for being absent; a choice that was not made is required like the rest. */
function faultOfMissing(schema: v.GenericSchema, field: string): FieldFault {
  const entries = 'entries' in schema ? (schema.entries as Record<string, v.GenericSchema>) : {};
  const entry = entries[field];
  const message = entry && v.safeParse(entry, undefined).issues?.[0].message;
  return message === 'agreement_required' ? message : 'required';
}
