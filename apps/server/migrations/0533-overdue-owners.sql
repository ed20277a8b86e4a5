-- Since when the chain has counted a key that should not count any more: its operator has left, or its passkey is removed.
CREATE OR REPLACE VIEW treasury.owner_shown AS
  SELECT o.chain, o.address, o.operator, o.kind, o.credential, o.since, p.removed_at IS NOT NULL AS has_left,
    k.removed_at IS NOT NULL AS is_key_removed, coalesce(p.removed_at, k.removed_at) AS overdue_since
  FROM treasury.owner o LEFT JOIN operators.operator p ON p.id = o.operator LEFT JOIN operators.passkey k ON k.id = o.credential;
