import path from 'node:path';
import type { Plugin } from 'vite';

const TABLES = path.resolve(import.meta.dirname, '../../../api/src');

interface Declaration {
  readonly type: string;
  readonly declaration?: Declaration | null;
  readonly declarations?: readonly { init?: { type: string; start: number; end: number } | null }[];
}

/** Wraps the initialisers of a file's constants, so that the bundler drops the constants that nobody imports. */
export function wrapConstants(code: string, body: readonly Declaration[]): string {
  let wrapped = code;
  // From the end, so that earlier positions stay valid.
  for (const statement of [...body].reverse()) {
    const { declarations = [] } = statement.declaration ?? statement;
    for (const { init } of [...declarations].reverse()) {
      if (init?.type !== 'CallExpression') continue;
      const { start, end } = init;
      wrapped = `${wrapped.slice(0, start)}/* @__PURE__ */ (() => (${wrapped.slice(start, end)}))()${wrapped.slice(end)}`;
    }
  }
  return wrapped;
}

/**
 * Lets the bundler drop the calls of `packages/api` that an app does not use. The bundler cannot see that computing
 * their schemas has no effect, so a page that needs one public call would load the operators' calls of the same file.
 */
export function droppableCalls(): Plugin {
  return {
    name: 'sathorn-droppable-calls',
    apply: 'build',
    transform(code, id) {
      if (path.dirname(id) !== TABLES || !id.endsWith('.ts')) return undefined;
      return { code: wrapConstants(code, this.parse(code).body as unknown as readonly Declaration[]), map: null };
    },
  };
}
