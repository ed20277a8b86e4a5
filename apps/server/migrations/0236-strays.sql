-- Events of worthless tokens cost a stranger next to nothing, and each became a case, a notice and a row for ever. Of one token at one address one case
-- is open at a time, and twenty of all other tokens; what comes besides is counted here, in one row an address. Its owner opens a case by its hash.
CREATE TABLE deposits.stray (
  chain text NOT NULL,
  address text NOT NULL,
  transfers bigint NOT NULL CHECK (transfers > 0),
  last_hash text NOT NULL CHECK (last_hash ~ '^0x[0-9a-f]{64}$'),
  last_height bigint NOT NULL,
  PRIMARY KEY (chain, address)
);
CREATE TRIGGER no_delete BEFORE DELETE ON deposits.stray FOR EACH ROW EXECUTE FUNCTION deposits.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON deposits.stray FOR EACH STATEMENT EXECUTE FUNCTION deposits.refuse_change();
CREATE INDEX deposit_of_other_token ON deposits.deposit (chain, address) WHERE reason = 'other_token' AND step IN ('recovery', 'recovering');

GRANT SELECT ON deposits.stray TO sathorn_app, sathorn_checker;
GRANT INSERT ON deposits.stray TO sathorn_app;
GRANT UPDATE (transfers, last_hash, last_height) ON deposits.stray TO sathorn_app;
