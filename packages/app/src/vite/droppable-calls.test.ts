import { expect, test } from 'vitest';
import { wrapConstants } from './droppable-calls.ts';

interface At {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** Returns a statement `const name = init`, at the position of `init` in the code. */
const constant = (code: string, init: string, type: string, isExported = false) => {
  const start = code.indexOf(init);
  const declaration = {
    type: 'VariableDeclaration',
    declarations: [{ init: { type, start, end: start + init.length } as At }],
  };
  return isExported ? { type: 'ExportNamedDeclaration', declaration } : declaration;
};

test('wraps computed constants, exported or not, and leaves everything else unchanged', () => {
  const code = "const a = f({ ...b });\nexport const c = g(a, 'x');\nexport const d = ['y'];\nh();";
  const body = [
    constant(code, 'f({ ...b })', 'CallExpression'),
    constant(code, "g(a, 'x')", 'CallExpression', true),
    constant(code, "['y']", 'ArrayExpression', true),
    { type: 'ExpressionStatement' },
  ];
  expect(wrapConstants(code, body)).toBe(
    'const a = /* @__PURE__ */ (() => (f({ ...b })))();\n' +
      "export const c = /* @__PURE__ */ (() => (g(a, 'x')))();\nexport const d = ['y'];\nh();",
  );
});

test('skips exports that declare nothing, and declarations without a value', () => {
  const code = 'export { a }; let b;';
  const body = [
    { type: 'ExportNamedDeclaration', declaration: null },
    { type: 'VariableDeclaration', declarations: [{ init: null }] },
  ];
  expect(wrapConstants(code, body)).toBe(code);
});
