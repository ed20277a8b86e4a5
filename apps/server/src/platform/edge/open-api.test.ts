import { createRequire } from 'node:module';
import { CALLS, type Call, COMMON_REFUSALS, type LiveTopic, TOPICS } from '@sathorn/api';
import { sampleOf, sampleResult } from '@sathorn/api/testing-results';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, it } from 'vitest';
import { describeStream, serversOf } from './async-api.ts';
import { describeCalls } from './open-api.ts';
import { openDocumentJudge } from './testing-document.ts';

const calls = describeCalls('demo', 'Sathorn');
const stream = { ...describeStream('Sathorn'), servers: serversOf(new URL('https://sathorn.example')) };

/** Every object within a JSON value. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inner : [value as Record<string, unknown>, ...inner];
}

it('is valid OpenAPI by a validator of others, and names no value of an enumeration twice', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(calls));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  const objects = objectsIn(calls);
  expect(objects.filter(({ items }) => Array.isArray(items))).toEqual([]);
  expect(objects.filter(({ prefixItems }) => Array.isArray(prefixItems)).length).toBeGreaterThan(0);
  for (const { enum: values } of objects)
    if (Array.isArray(values)) expect(values).toEqual([...new Set<unknown>(values)]);
});

it('says of every call how its answer and each of its refusals look', () => {
  const judge = openDocumentJudge(calls);
  for (const call of Object.values<Call>(CALLS)) {
    const route = `${call.method} ${call.path}`;
    const data = sampleResult(call.method, call.path);
    const accepted = call.isPlain ? data : { ret: 1, msg: '', data };
    expect(judge(route, accepted), route).toBeNull();
    for (const code of [...COMMON_REFUSALS, ...call.refusals])
      expect(judge(route, { ret: 0, msg: '', data: { code, fields: { id: 'wrong' } } }), route).toBeNull();
    expect(judge(route, { ret: 0, msg: '', data: { code: 'another' } }), route).not.toBeNull();
  }
  const texts = calls['x-refusals'] as Record<string, string>;
  expect(texts.below_baht_minimum).toMatch(/\{min\}/);
});

it('is valid AsyncAPI by its own schema, and describes each topic with a sample of it', () => {
  const definition = createRequire(import.meta.url)('@asyncapi/specs/schemas/3.0.0.json') as object;
  const ajv = new Ajv({ strict: false, logger: false, meta: false, validateSchema: false });
  addFormats.default(ajv);
  const isValid = ajv.compile(definition);
  expect(isValid(stream), JSON.stringify(isValid.errors?.slice(0, 3))).toBe(true);
  for (const [name, topic] of Object.entries<LiveTopic>(TOPICS)) {
    const judge = ajv.compile(
      (stream as unknown as { components: { schemas: Record<string, object> } }).components.schemas[name] ?? false,
    );
    const topicName = topic.pattern.replace('{code}', 'BTC').replace('{interval}', '1m');
    for (const schema of [topic.event, topic.snapshot])
      expect(judge({ topic: topicName, data: sampleOf(schema) }), `${name} ${JSON.stringify(judge.errors)}`).toBe(true);
    expect(judge({ topic: `${topicName}:x`, data: sampleOf(topic.event) })).toBe(false);
  }
});
