import * as v from 'valibot';

/** The exact text that was hashed and signed; `docs/verification.md` describes it to the byte. */
export const signedText = v.object({ body: v.string(), hash: v.string(), signature: v.string(), key: v.string() });

/** A text whose tree was signed: terms accepted together are signed by one root, and `path` leads from these to it. */
export const treeSignedText = v.object({
  body: v.string(),
  hash: v.string(),
  index: v.string(),
  path: v.array(v.string()),
  tree: signedText,
});
