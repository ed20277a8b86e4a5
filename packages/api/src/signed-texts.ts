import * as v from 'valibot';

/** The exact text that was hashed and signed; `docs/verification.md` specifies it byte by byte. */
export const signedText = v.object({ body: v.string(), hash: v.string(), signature: v.string(), key: v.string() });

/**
 * A text that is a leaf of a signed tree: terms accepted together share one signed root, and `path` proves that this
 * text belongs to the tree.
 */
export const treeSignedText = v.object({
  body: v.string(),
  hash: v.string(),
  index: v.string(),
  path: v.array(v.string()),
  tree: signedText,
});
