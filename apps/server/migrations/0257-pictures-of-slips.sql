-- SHA-256 of the redrawn picture of a slip: the same picture with two deposits is shown to operators. Older slips have none.
ALTER TABLE deposits.deposit ADD COLUMN slip_digest bytea CHECK (slip_digest IS NULL OR length(slip_digest) = 32 AND slip IS NOT NULL);
CREATE INDEX deposit_of_picture ON deposits.deposit (slip_digest, created_at) WHERE slip_digest IS NOT NULL;
GRANT UPDATE (slip_digest) ON deposits.deposit TO sathorn_app;
