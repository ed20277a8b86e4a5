-- The word by which a customer recognises our messages. Sealed, because whoever knows it can imitate them.
CREATE TABLE customers.anti_phishing (
  customer bigint PRIMARY KEY REFERENCES customers.customer (id),
  sealed bytea NOT NULL,
  changed_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON customers.anti_phishing TO sathorn_app;
GRANT SELECT ON customers.anti_phishing TO sathorn_checker;
