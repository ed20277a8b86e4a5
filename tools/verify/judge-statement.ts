import { type ProofKey, type PublishedKey, parseUniqueJson, trustKeys, verifyStatementFile } from '@sathorn/proof';

export interface JudgedStatement {
  readonly isVerified: boolean;
  readonly lines: readonly string[];
}

const momentOf = (ms: number): string => new Date(ms).toISOString();

/** Judges the text of a statement's file (`statements/1`) by published keys, and by pinned ones where there are any. */
export async function judgeStatement(
  text: string,
  published: readonly PublishedKey[],
  pinned: readonly ProofKey[] = [],
): Promise<JudgedStatement> {
  const { trusted, refused } = await trustKeys(published, pinned);
  const lines = refused.map(({ key, fault }) => `KEY: ${key.id} (${key.use}) is refused: ${fault}.`);
  let file: unknown;
  try {
    file = parseUniqueJson(text);
  } catch {
    return { isVerified: false, lines: [...lines, 'NOT VERIFIED: this is not a statement.'] };
  }
  const found = await verifyStatementFile(file, trusted);
  if (!found.ok) {
    const where = found.account ? ` in ${found.account.name} ${found.account.asset}` : '';
    const entry = found.n === undefined ? '' : ` at entry ${found.n}`;
    return { isVerified: false, lines: [...lines, `NOT VERIFIED: ${found.fault}${where}${entry}`] };
  }
  for (const { name, asset, n, total, held } of found.head.accounts)
    lines.push(
      `  ok    ${name} ${asset}: ${n} entries, each follows from the one before; total ${total}, held ${held}`,
    );
  const isVerified = refused.length === 0;
  const said = `${found.entries} entries lead to the heads signed at ${momentOf(found.head.atMs)}`;
  return { isVerified, lines: [...lines, isVerified ? `Verified. ${said}.` : 'NOT VERIFIED.'] };
}
