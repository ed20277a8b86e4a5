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

/** The signed heads of a customer's accounts, with what opens their seal. */
export const signedStatement = v.object({
  signed: signedText,
  account: v.object({ salt: v.string(), customer: v.string() }),
});
export type SignedStatement = v.InferOutput<typeof signedStatement>;

/** The answer's facts that never change, signed (`ack/1`). The envelope has them beside `data`. */
export const signedAcknowledgements = v.object({
  /** The opening of the customer's seal that the texts name. */
  account: v.object({ salt: v.string(), customer: v.string() }),
  texts: v.array(treeSignedText),
});
export type SignedAcknowledgements = v.InferOutput<typeof signedAcknowledgements>;
