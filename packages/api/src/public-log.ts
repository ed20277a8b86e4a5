import * as v from 'valibot';
import { call } from './call.ts';
import { fieldFault, noFields } from './fields.ts';

/** The text of a checkpoint and its signatures, as far as its shape shows. */
const signedNote = v.pipe(
  v.string(fieldFault('required')),
  v.maxLength(8_000, fieldFault('too_long')),
  v.regex(/^\S+\n[0-9]{1,16}\n[A-Za-z0-9+/=]{44}\n(.+\n)*\n(— \S+ [A-Za-z0-9+/=]+\n)+$/, fieldFault('malformed')),
);

export const reportCheckpoint = call('POST /log/seen', {
  who: 'anyone',
  summary:
    'Hands in a checkpoint of the public log that an app has kept. `is_in_history` is false if the log signed it and its history does not begin with it, and null if the log never signed it.',
  request: v.object({ note: signedNote }),
  result: v.object({ is_in_history: v.nullable(v.boolean()) }),
});

export const readLoggedHeads = call('GET /users/account/logged', {
  who: 'customer',
  summary:
    'For each of the customer’s accounts, the newest head that an entry of the public log includes, with the way from its hash to the root in that entry.',
  request: noFields,
  result: v.array(
    v.object({
      account: v.string(),
      asset: v.string(),
      /** Number of the account’s entry whose hash is the head. */
      n: v.string(),
      /** Index of the log’s entry, and its text. */
      entry: v.string(),
      text: v.string(),
      position: v.string(),
      /** Hex, lowest first. */
      path: v.array(v.string()),
    }),
  ),
});
