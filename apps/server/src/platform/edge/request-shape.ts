import { type Call, FIELD_FAULTS } from '@sathorn/api';
import * as v from 'valibot';
import type { ParsedForm } from './parse-form.ts';

/** The part of a call's request schema that the edge needs, derived once for all requests. */
interface RequestShape {
  readonly known: ReadonlySet<string>;
  /** Sorted, so that equal requests give the same text. */
  readonly names: readonly string[];
  readonly optional: ReadonlySet<string>;
  readonly entries: Readonly<Record<string, v.GenericSchema>>;
}

type ParsedRequest =
  | { readonly ok: true; readonly request: unknown }
  /** The fault of each faulty field; `text` has the messages under `field.*`. */
  | { readonly ok: false; readonly faults: Readonly<Record<string, string>> };

const faultCodes: ReadonlySet<string> = new Set(FIELD_FAULTS);

export function requestShapeOf(call: Call): RequestShape {
  // A pipe over an object schema carries the object's entries too.
  const entries = 'entries' in call.request ? (call.request.entries as Record<string, v.GenericSchema>) : {};
  const names = Object.keys(entries).sort();
  const optional = names.filter((name) => entries[name]?.type === 'optional');
  return { known: new Set(names), names, optional: new Set(optional), entries };
}

/** The fault of a missing or empty field: the schema's own, such as the one for the agreement. */
function missingFault(schema: v.GenericSchema | undefined): string {
  if (schema === undefined || schema.type === 'picklist') return 'required';
  const message = v.safeParse(schema, undefined).issues?.[0].message;
  return message !== undefined && faultCodes.has(message) ? message : 'required';
}

function faultsOf(
  issues: readonly v.BaseIssue<unknown>[],
  shape: RequestShape,
  form: ParsedForm,
): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const issue of issues) {
    const key = issue.path?.[0]?.key;
    const field = typeof key === 'string' ? key : '';
    if (field in faults) continue;
    // Undefined when the field is missing.
    const value: string | undefined = form.fields[field];
    if (!value && field in shape.entries && !shape.optional.has(field))
      faults[field] = missingFault(shape.entries[field]);
    else faults[field] = faultCodes.has(issue.message) ? issue.message : 'malformed';
  }
  return faults;
}

/** Forms send optional fields empty; these count as missing. */
function dropEmptyOptionals(form: ParsedForm, shape: RequestShape): void {
  for (const name of shape.optional) if (form.fields[name] === '') delete form.fields[name];
}

export function readRequest(call: Call, shape: RequestShape, form: ParsedForm): ParsedRequest {
  dropEmptyOptionals(form, shape);
  const parsed = v.safeParse(call.request, form.fields);
  if (form.faults === null) {
    if (parsed.success) return { ok: true, request: parsed.output };
    return { ok: false, faults: faultsOf(parsed.issues, shape, form) };
  }
  return { ok: false, faults: { ...(parsed.success ? {} : faultsOf(parsed.issues, shape, form)), ...form.faults } };
}
