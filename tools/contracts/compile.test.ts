import { expect, it } from 'vitest';
import { artifactOf, compileContracts } from './compile.ts';

it('the artifacts equal the compiled sources', () => {
  const compiled = compileContracts();
  expect(compiled.size).toBeGreaterThan(1);
  for (const [name, text] of compiled) expect(artifactOf(name), name).toBe(text);
}, 60_000);
