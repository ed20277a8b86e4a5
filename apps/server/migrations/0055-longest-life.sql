-- A session ends some months after signing in, however often it is used: a token that was copied once must not work for ever.
ALTER TABLE customers.session DROP CONSTRAINT session_ended_by_check,
  ADD CONSTRAINT session_ended_by_check
    CHECK (ended_by IN ('logout', 'customer', 'password_changed', 'password_forgotten', 'idle', 'too_many', 'too_old'));
