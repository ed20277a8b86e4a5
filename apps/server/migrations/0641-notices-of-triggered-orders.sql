-- The waiting orders of whose trigger the customer was told.
CREATE TABLE contracts.trigger_notice (
  coin text NOT NULL,
  sequence bigint NOT NULL,
  PRIMARY KEY (coin, sequence),
  FOREIGN KEY (coin, sequence) REFERENCES contracts.waiting
);
GRANT SELECT ON contracts.trigger_notice TO sathorn_app, sathorn_checker;
GRANT INSERT ON contracts.trigger_notice TO sathorn_app;
CREATE INDEX waiting_triggered ON contracts.waiting (updated_ms) WHERE tick IS NOT NULL;
