import {
  ACKNOWLEDGED_ROUTES,
  CALLS,
  type Call,
  COMMON_REFUSALS,
  OPERATOR_REFUSALS,
  ORDERED_HEADER,
  ORDERED_REFUSALS,
  orderedAs,
  signedAcknowledgements,
} from '@sathorn/api';
import { LANGUAGES, PRESENTATION_HEADER } from '@sathorn/text';
import { toJsonSchema } from '@valibot/to-json-schema';
import { requestShapeOf } from './request-shape.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

const OPENAPI_VERSION = '3.1.0';

/** The URL path of a call; `/demo/*` is served beside `/api`. */
export function pathOfCall(call: Pick<Call, 'path'>): string {
  return isDemoPath(call.path) ? call.path : `/api${call.path}`;
}

export function isDemoPath(path: string): boolean {
  return path.startsWith('/demo/');
}

/** Valibot's transforms and checks have no JSON Schema, so only the wire format is described. */
function schemaOf(schema: Call['request'], typeMode: 'input' | 'output'): JsonObject {
  const { $schema: _, ...json } = toJsonSchema(schema, { errorMode: 'ignore', typeMode, target: 'draft-2020-12' });
  return json as JsonObject;
}

function parametersOf(call: Call): Json[] {
  const headers: Json[] = [{ $ref: '#/components/parameters/lang' }, { $ref: '#/components/parameters/presentation' }];
  if (call.movesMoney || (call.who === 'operator' && call.method === 'POST'))
    headers.push({ $ref: '#/components/parameters/idempotencyKey' });
  if (orderedAs(call) !== null) headers.push({ $ref: '#/components/parameters/ordered' });
  if (call.method !== 'GET') return headers;
  const { entries, optional } = requestShapeOf(call);
  const fields = Object.entries(entries).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !optional.has(name),
    schema: schemaOf(schema, 'input'),
  }));
  return [...headers, ...fields];
}

const FILE: JsonObject = { type: 'string', contentMediaType: 'application/octet-stream' };

/** The fields of the call and the file in one body. */
function withFile(call: Call): JsonObject {
  const fields = schemaOf(call.request, 'input') as { properties?: JsonObject; required?: string[] };
  return {
    type: 'object',
    properties: { ...fields.properties, image: FILE },
    required: [...(fields.required ?? []), ...(call.takesFile === 'optional' ? [] : ['image'])],
  };
}

function bodyOf(call: Call): JsonObject {
  if (call.method === 'GET') return {};
  const content: JsonObject = call.takesFile
    ? { 'multipart/form-data': { schema: withFile(call) } }
    : { 'application/x-www-form-urlencoded': { schema: schemaOf(call.request, 'input') } };
  return { requestBody: { content } };
}

function answerOf(call: Call): JsonObject {
  const result = schemaOf(call.result, 'output');
  const operators = call.who === 'operator' ? OPERATOR_REFUSALS : [];
  const signed = orderedAs(call) === null ? [] : ORDERED_REFUSALS;
  const refusals = [...new Set([...COMMON_REFUSALS, ...operators, ...signed, ...call.refusals])];
  const refused: JsonObject = {
    type: 'object',
    required: ['ret', 'msg', 'data'],
    properties: {
      ret: { enum: [0, -1] },
      msg: { type: 'string' },
      data: {
        type: 'object',
        required: ['code'],
        properties: {
          code: { enum: refusals },
          fields: { type: 'object', additionalProperties: { type: 'string' } },
          params: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
    },
  };
  const accepted: JsonObject = {
    type: 'object',
    required: ['ret', 'msg', 'data'],
    properties: {
      ret: { const: 1 },
      msg: { type: 'string' },
      data: result,
      ...(ACKNOWLEDGED_ROUTES.includes(`${call.method} ${call.path}`) &&
        call.who === 'customer' && { acknowledged: schemaOf(signedAcknowledgements, 'output') }),
    },
  };
  // The outbox has no envelope, because people and scripts that don't know ours read it.
  return call.path === '/demo/outbox' ? result : { oneOf: [accepted, refused] };
}

function operationOf(name: string, call: Call): JsonObject {
  return {
    operationId: name,
    summary: call.summary,
    tags: [call.path.split('/')[1] ?? ''],
    parameters: parametersOf(call),
    ...bodyOf(call),
    ...(call.who === 'anyone' ? { security: [] } : { security: [{ token: [] }] }),
    responses: {
      '200': { description: 'The envelope.', content: { 'application/json': { schema: answerOf(call) } } },
      default: { $ref: '#/components/responses/notReached' },
    },
  };
}

/** OpenAPI 3.1 for all calls, generated from the schemas with which the edge parses requests. */
export function describeCalls(mode: 'demo' | 'live', title: string): JsonObject {
  const paths: Record<string, Record<string, Json>> = {};
  const add = (path: string, method: string, operation: JsonObject): void => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  };
  for (const [name, call] of Object.entries(CALLS)) {
    if (mode === 'live' && isDemoPath(call.path)) continue;
    add(pathOfCall(call), call.method, operationOf(name, call));
  }
  return {
    openapi: OPENAPI_VERSION,
    info: {
      title,
      version: '1.0.0',
      description:
        'Every call answers `{ret, msg, data}`: ret 1 success, 0 refused (with `data.code`, and `data.fields` for faulty fields), -1 no session. Amounts, prices and rates are decimal strings; times are ISO 8601 in UTC; ids are opaque.',
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'token', description: 'From login or sign-up.' },
      },
      parameters: {
        lang: {
          name: 'lang',
          in: 'header',
          required: false,
          schema: { enum: [...LANGUAGES] },
          description: 'Language of `msg`; Thai when absent.',
        },
        presentation: {
          name: PRESENTATION_HEADER,
          in: 'header',
          required: false,
          schema: { type: 'string' },
          description:
            'How notices show numbers and times: `digits=latin|native`, `calendar=buddhist|gregorian`, `zone=` a time zone of IANA, apart by `;`. What is absent is Latin, Buddhist in Thai, and of the brand’s zone.',
        },
        idempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{8,64}$' },
          description:
            'The same key with the same fields gives the first answer again; with other fields it is refused. Without one, the same request within 10 seconds is taken for a retry.',
        },
        ordered: {
          name: ORDERED_HEADER,
          in: 'header',
          required: false,
          schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+\\.[0-9a-f]{128}(\\.[0-9a-f]{32})?$' },
          description:
            'What a registered device signed: the text `ordered/1` in base64url, its signature in hex and, where the text has only a commitment to the fields, its salt. It takes an Idempotency-Key. An order without it is marked as not signed by a device.',
        },
      },
      responses: {
        notReached: {
          description: 'The request reached no call: 400, 403, 404, 405, 413, 415, 429, 500, 501 or 503.',
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['ret', 'msg', 'data'],
                properties: {
                  ret: { const: 0 },
                  msg: { type: 'string' },
                  data: { type: 'object', required: ['code'], properties: { code: { type: 'string' } } },
                },
              },
            },
          },
        },
      },
    },
  };
}
