import * as v from 'valibot';
import { call } from './call.ts';
import { boundedText } from './fields.ts';

export const reportCheckpoint = call('POST /log/seen', {
  who: 'anyone',
  summary:
    'Hands in a checkpoint of the public log that an app has kept. `is_in_history` is false if the log signed it and its history does not begin with it, and null if the log never signed it.',
  request: v.object({ note: boundedText(1, 8_000) }),
  result: v.object({ is_in_history: v.nullable(v.boolean()) }),
});
