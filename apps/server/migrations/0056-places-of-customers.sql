-- For the networks that a customer's latest sessions came from, ended ones too.
CREATE INDEX session_latest ON customers.session (customer, created_at);
