import {
  ACKNOWLEDGED_ROUTES,
  CALLS,
  type Call,
  COMMON_REFUSALS,
  KEY_HEADERS,
  KEY_REFUSALS,
  keyScopeOf,
  OPERATOR_REFUSALS,
  ORDERED_HEADER,
  ORDERED_REFUSALS,
  orderedAs,
  signedAcknowledgements,
} from '@sathorn/api';
import { LANGUAGES, PRESENTATION_HEADER } from '@sathorn/text';
import { refusalPattern } from '@sathorn/text/server';
import { toJsonSchema } from '@valibot/to-json-schema';
import type { Json, JsonObject } from './json.ts';
import { requestShapeOf } from './request-shape.ts';

const OPENAPI_VERSION = '3.1.0';

/** The URL path of a call; `/demo/*` is served beside `/api`. */
export function pathOfCall(call: Pick<Call, 'path'>): string {
  return isDemoPath(call.path) ? call.path : `/api${call.path}`;
}

export function isDemoPath(path: string): boolean {
  return path.startsWith('/demo/');
}

/** Valibot's transforms and checks have no JSON Schema, so only the wire format is described. */
export function schemaOf(
  schema: Call['request'],
  typeMode: 'input' | 'output',
  target: 'draft-2020-12' | 'draft-07' = 'draft-2020-12',
): JsonObject {
  const { $schema: _, ...json } = toJsonSchema(schema, { errorMode: 'ignore', typeMode, target });
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

const schemaRef = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const nameOf = (name: string, part: 'Request' | 'Result' | 'Refusal'): string =>
  `${name[0]?.toUpperCase()}${name.slice(1)}${part}`;

function bodyOf(name: string, call: Call): JsonObject {
  if (call.method === 'GET') return {};
  const type = call.takesFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
  return { requestBody: { content: { [type]: { schema: schemaRef(nameOf(name, 'Request')) } } } };
}

/** The codes with which a call can be refused beside the common ones. */
function refusalsOf(call: Call): string[] {
  const operators = call.who === 'operator' ? OPERATOR_REFUSALS : [];
  const signed = orderedAs(call) === null ? [] : ORDERED_REFUSALS;
  const common: readonly string[] = [...COMMON_REFUSALS, ...KEY_REFUSALS];
  return [...new Set([...operators, ...signed, ...call.refusals])].filter((code) => !common.includes(code));
}

/** The data of a refused call, by its codes. */
const refusalSchema = (code: JsonObject): JsonObject => ({
  type: 'object',
  required: ['code'],
  properties: {
    code,
    fields: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'A sentence for each faulty field.',
    },
    params: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'The values that `msg` mentions.',
    },
  },
});

/** The schemas of one call, by their names. Named, so that generated clients have types of these names. */
function schemasOf(name: string, call: Call): JsonObject {
  const own = refusalsOf(call);
  return {
    ...(call.method === 'GET' ? {} : { [nameOf(name, 'Request')]: requestSchemaOf(call) }),
    [nameOf(name, 'Result')]: schemaOf(call.result, 'output'),
    ...(own.length === 0
      ? {}
      : { [nameOf(name, 'Refusal')]: refusalSchema({ anyOf: [schemaRef('CommonRefusalCode'), { enum: own }] }) }),
  };
}

const requestSchemaOf = (call: Call): JsonObject => (call.takesFile ? withFile(call) : schemaOf(call.request, 'input'));

function answerOf(name: string, call: Call): JsonObject {
  const result = schemaRef(nameOf(name, 'Result'));
  const refused: JsonObject = {
    type: 'object',
    required: ['ret', 'msg', 'data'],
    properties: {
      ret: { enum: [0, -1] },
      msg: { type: 'string' },
      data: schemaRef(refusalsOf(call).length === 0 ? 'CommonRefusal' : nameOf(name, 'Refusal')),
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
        call.who === 'customer' && { acknowledged: schemaRef('SignedAcknowledgements') }),
    },
  };
  return { oneOf: [call.isPlain ? result : accepted, refused] };
}

/** A customer's token, or an API key with the scope that the call takes. Public calls take a key but need none. */
function securityOf(call: Call): JsonObject[] {
  const scope = keyScopeOf(call);
  const keyed = scope === null ? [] : [{ key: [scope], keyTime: [], keyNonce: [], keySignature: [] }];
  return call.who === 'anyone' ? (scope === null ? [] : [{}, ...keyed]) : [{ token: [] }, ...keyed];
}

function operationOf(name: string, call: Call): JsonObject {
  return {
    operationId: name,
    summary: call.summary,
    tags: [call.path.split('/')[1] ?? ''],
    parameters: parametersOf(call),
    ...bodyOf(name, call),
    security: securityOf(call),
    responses: {
      '200': {
        description: 'Done (`ret` 1), or refused (`ret` 0 or -1) with `data.code`.',
        content: { 'application/json': { schema: answerOf(name, call) } },
      },
      '4XX': { $ref: '#/components/responses/notReached' },
      '5XX': { $ref: '#/components/responses/notReached' },
    },
  };
}

/** OpenAPI 3.1 for all calls, generated from the schemas with which the edge parses requests. */
export function describeCalls(mode: 'demo' | 'live', title: string): JsonObject {
  const paths: Record<string, Record<string, Json>> = {};
  const add = (path: string, method: string, operation: JsonObject): void => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  };
  const calls = Object.entries<Call>(CALLS).filter(([, { path }]) => mode === 'demo' || !isDemoPath(path));
  for (const [name, call] of calls) add(pathOfCall(call), call.method, operationOf(name, call));
  const schemas = Object.fromEntries(calls.flatMap(([name, call]) => Object.entries(schemasOf(name, call))));
  const codes = [
    ...new Set([...COMMON_REFUSALS, ...KEY_REFUSALS, ...calls.flatMap(([, call]) => refusalsOf(call))]),
  ].sort();
  return {
    openapi: OPENAPI_VERSION,
    info: {
      title,
      version: '1.0.0',
      description:
        'Every call answers `{ret, msg, data}`: ret 1 success, 0 refused (with `data.code`, and `data.fields` for faulty fields), -1 no session. Amounts, prices and rates are decimal strings; times are ISO 8601 in UTC; ids are opaque.',
    },
    servers: [{ url: '/' }],
    // What each code of a refusal says, in English; `msg` says it in the caller's language.
    'x-refusals': Object.fromEntries(codes.map((code) => [code, refusalPattern(code)])),
    paths,
    components: {
      schemas: {
        // Of any call; those of API keys only where one signed the request.
        CommonRefusalCode: { enum: [...COMMON_REFUSALS, ...KEY_REFUSALS] },
        CommonRefusal: refusalSchema(schemaRef('CommonRefusalCode')),
        SignedAcknowledgements: schemaOf(signedAcknowledgements, 'output'),
        ...schemas,
      },
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'token', description: 'From login or sign-up.' },
        key: {
          type: 'apiKey',
          in: 'header',
          name: KEY_HEADERS.key,
          description:
            'The id of an API key, with the scope `read` or `trade`. What it signs is described at /api/docs/keys.',
        },
        keyTime: {
          type: 'apiKey',
          in: 'header',
          name: KEY_HEADERS.time,
          description: 'ms since 1970, at most 5 s off.',
        },
        keyNonce: {
          type: 'apiKey',
          in: 'header',
          name: KEY_HEADERS.nonce,
          description: 'New for each request: 8 to 64 letters, digits, `-` or `_`.',
        },
        keySignature: {
          type: 'apiKey',
          in: 'header',
          name: KEY_HEADERS.signature,
          description: 'Ed25519 (128 hex digits) or HMAC-SHA-256 (64) over the text `request/1`.',
        },
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
