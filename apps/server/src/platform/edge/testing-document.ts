import { CALLS, type Call } from '@sathorn/api';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonObject } from './json.ts';
import { describeCalls, pathOfCall } from './open-api.ts';

const CALL_BY_ROUTE = new Map(Object.values<Call>(CALLS).map((call) => [`${call.method} ${call.path}`, call]));

/**
 * Says what about the answer to a route, such as `GET /status`, the description of the calls does not allow; null if
 * nothing, and for what is no call.
 */
export function openDocumentJudge(description: JsonObject): (route: string, answer: unknown) => string | null {
  const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false });
  ajv.addSchema(description, 'calls');
  const judges = new Map<Call, ValidateFunction>();
  const judgeOf = (call: Call): ValidateFunction => {
    const known = judges.get(call);
    if (known) return known;
    const place = `${pathOfCall(call).replaceAll('/', '~1')}/${call.method.toLowerCase()}`;
    const made = ajv.compile({ $ref: `calls#/paths/${place}/responses/200/content/application~1json/schema` });
    judges.set(call, made);
    return made;
  };
  return (route, answer) => {
    const call = CALL_BY_ROUTE.get(route.split('?')[0] ?? '');
    const judge = call && judgeOf(call);
    return judge === undefined || judge(answer) ? null : ajv.errorsText(judge.errors?.slice(0, 4));
  };
}

let judge: ReturnType<typeof openDocumentJudge> | null = null;

/** Judges an answer by the description that the server publishes. */
export function judgeAnswer(route: string, answer: unknown): string | null {
  judge ??= openDocumentJudge(describeCalls('demo', 'Test'));
  return judge(route, answer);
}
