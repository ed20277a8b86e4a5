-- What is shown around the products. So far: the last known rates of the display currencies, for live deployments.
CREATE SCHEMA content;

-- How much of a currency one USDT is. Presentation only: no amount of the ledger is ever worked out from it.
CREATE TABLE content.rate (
  code text PRIMARY KEY,
  rate text NOT NULL CHECK (rate ~ '^[0-9]{1,12}(\.[0-9]{1,8})?$'),
  at timestamptz NOT NULL
);

GRANT USAGE ON SCHEMA content TO sathorn_app;
GRANT SELECT, INSERT, UPDATE ON content.rate TO sathorn_app;
