/** Compiles the server's Solidity sources into the artifacts beside its code; `--check` only compares. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const SOURCES = new URL('../../apps/server/contracts/', import.meta.url);
const ARTIFACTS = new URL('../../apps/server/src/money/chain/contracts/', import.meta.url);

interface Solc {
  compile(input: string): string;
}
interface Compiled {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: Record<string, Record<string, { abi: unknown; evm: { bytecode: { object: string } } }>>;
}

/** The artifacts' file names and contents. */
export function compileContracts(): Map<string, string> {
  const solc = createRequire(import.meta.url)('solc') as Solc;
  const names = readdirSync(SOURCES).filter((name) => name.endsWith('.sol'));
  const compiled = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: 'Solidity',
        sources: Object.fromEntries(
          names.map((name) => [name, { content: readFileSync(new URL(name, SOURCES), 'utf8') }]),
        ),
        settings: {
          // Every chain with stablecoins supports this version.
          evmVersion: 'paris',
          optimizer: { enabled: true, runs: 200 },
          metadata: { bytecodeHash: 'none' },
          outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
        },
      }),
    ),
  ) as Compiled;
  const faults = (compiled.errors ?? []).filter(({ severity }) => severity === 'error');
  if (faults.length > 0) throw new Error(faults.map(({ formattedMessage }) => formattedMessage).join('\n'));
  return new Map(
    names.map((file) => {
      const name = file.replace('.sol', '');
      const contract = compiled.contracts[file]?.[name];
      if (contract === undefined) throw new Error(`${file} has no contract ${name}`);
      const artifact = { contract: name, abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` };
      const kebab = name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
      return [`${kebab}.json`, `${JSON.stringify(artifact, null, 2)}\n`];
    }),
  );
}

export const artifactOf = (name: string): string => readFileSync(new URL(name, ARTIFACTS), 'utf8');

if (process.argv[1] === import.meta.filename)
  for (const [name, text] of compileContracts()) writeFileSync(new URL(name, ARTIFACTS), text);
