-- A payout that the chain refused is given back with a seal of the process that read the refusal on all nodes. Whoever
-- had the application's login gave back a payout that was paid, and wrote the transfer of another payout of the same
-- amount twice, so that what had left the wallet added up. Those that were given back before have no seal.
ALTER TABLE withdrawals.withdrawal ADD COLUMN refusal_seal uuid;
GRANT UPDATE (refusal_seal) ON withdrawals.withdrawal TO sathorn_app;

CREATE FUNCTION withdrawals.refuse_unsealed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'withdrawal % was refused by the chain, as somebody says without a seal', NEW.id USING ERRCODE = 'WD003';
END $$;
REVOKE ALL ON FUNCTION withdrawals.refuse_unsealed FROM PUBLIC;
CREATE TRIGGER sealed_refusal BEFORE UPDATE ON withdrawals.withdrawal FOR EACH ROW
  WHEN (NEW.kind = 'crypto' AND OLD.step = 'confirming' AND NEW.step = 'returned' AND NEW.refusal_seal IS NULL)
  EXECUTE FUNCTION withdrawals.refuse_unsealed();
