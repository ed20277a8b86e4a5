import * as v from 'valibot';
import { call } from './call.ts';
import { boundedText, fieldFault } from './fields.ts';
import { optionReceipt } from './option-receipts.ts';
import { treeSignedText } from './signed-texts.ts';

/** Less than the 64 kB of a form, because quotes and braces take three bytes each. */
const KEPT_JSON_MAX = 60_000;
const KEPT_TEXTS_MAX = 50;

/** Reasons for which a text is not accepted. */
export const KEPT_REFUSALS = [
  'kept_forged',
  'kept_not_yours',
  'kept_outside_restoration',
  'kept_still_open',
  'kept_as_booked',
  'kept_already_taken',
] as const;

/** A receipt, or signed terms without one. */
const keptText = v.union([optionReceipt, treeSignedText]);
const keptTexts = v.pipe(
  v.array(keptText, fieldFault('malformed')),
  v.minLength(1, fieldFault('required')),
  v.maxLength(KEPT_TEXTS_MAX, fieldFault('too_long')),
);
export type KeptText = v.InferOutput<typeof keptText>;

export const handInKept = call('POST /users/kept', {
  who: 'customer',
  summary:
    'Hand in receipts, or signed terms, of options that ran in the time that a restoration lost. Each is verified with the published keys and compared with the books; `refused` says why one was not taken.',
  request: v.object({
    /** A JSON list of at most 50 receipts or signed terms, as they were received. */
    texts: v.pipe(
      boundedText(2, KEPT_JSON_MAX),
      v.rawTransform<string, readonly KeptText[]>(({ dataset, addIssue, NEVER }) => {
        try {
          return v.parse(keptTexts, JSON.parse(dataset.value));
        } catch {
          addIssue({ message: fieldFault('malformed') });
          return NEVER;
        }
      }),
    ),
  }),
  result: v.object({
    /** The number of the opened case, which support knows; null if no case was opened. */
    case: v.nullable(v.string()),
    taken: v.array(v.object({ order: v.string(), hash: v.string() })),
    refused: v.array(
      v.object({
        order: v.nullable(v.string()),
        hash: v.string(),
        why: v.picklist(KEPT_REFUSALS),
        /** The refusal in the caller's language. */
        text: v.string(),
      }),
    ),
  }),
  refusals: KEPT_REFUSALS,
});
