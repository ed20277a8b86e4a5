import { expect, it } from 'vitest';
import { describeCalls } from './open-api.ts';

/** Every object within a JSON value. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inner : [value as Record<string, unknown>, ...inner];
}

it('describes tuples as JSON Schema 2020-12 does, and names no value of an enumeration twice', () => {
  const objects = objectsIn(describeCalls('demo', 'Sathorn'));
  expect(objects.filter(({ items }) => Array.isArray(items))).toEqual([]);
  expect(objects.filter(({ prefixItems }) => Array.isArray(prefixItems)).length).toBeGreaterThan(0);
  for (const { enum: values } of objects)
    if (Array.isArray(values)) expect(values).toEqual([...new Set<unknown>(values)]);
});
