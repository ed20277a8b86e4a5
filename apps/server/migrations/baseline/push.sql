-- Web push. The statement that stores a notice also marks it for pushing, and deliveries are written before anything is
-- sent. So a crash neither loses a delivery nor repeats it without end.
CREATE SCHEMA push;
GRANT USAGE ON SCHEMA push TO sathorn_app, sathorn_checker;

-- A device that receives notices.
CREATE TABLE push.subscription (
  id uuid PRIMARY KEY,
  customer bigint NOT NULL REFERENCES customers.customer,
  -- The session that subscribed. After its end nothing is sent.
  session uuid NOT NULL UNIQUE,
  -- Endpoint and keys, encrypted for this customer and session, so that a changed or copied row sends nobody's notices
  -- elsewhere.
  sealed bytea NOT NULL,
  -- Keyed hash of the browser's own secret, because a browser belongs to at most one customer.
  browser bytea NOT NULL UNIQUE,
  language text NOT NULL CHECK (language ~ '^[a-z]{2}$'),
  prices boolean NOT NULL DEFAULT true,
  money boolean NOT NULL DEFAULT true,
  answers boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL,
  renewed_at timestamptz NOT NULL
);
CREATE INDEX subscription_of_customer ON push.subscription (customer, renewed_at DESC);
GRANT SELECT ON push.subscription TO sathorn_app, sathorn_checker;
GRANT INSERT, UPDATE (sealed, browser, language, prices, money, answers, renewed_at), DELETE ON push.subscription
  TO sathorn_app;

-- One notice to one device.
CREATE TABLE push.delivery (
  subscription uuid NOT NULL REFERENCES push.subscription ON DELETE CASCADE,
  message text NOT NULL,
  template text NOT NULL,
  params jsonb NOT NULL,
  at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- Counted before sending, so that a notice that crashes the server is not tried for ever.
  tries integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL,
  PRIMARY KEY (subscription, message)
);
CREATE INDEX delivery_due ON push.delivery (due_at);
GRANT SELECT ON push.delivery TO sathorn_app, sathorn_checker;
GRANT INSERT, UPDATE (tries, due_at), DELETE ON push.delivery TO sathorn_app;
