-- What a box promised about each of its draws: the leaves of the tree whose root its signed text has. With them a draw is sold by a process that
-- does not have the key of the seeds. Whoever reads them checks the root first.
CREATE TABLE boxes.promise (
  box uuid PRIMARY KEY REFERENCES boxes.box,
  -- 32 bytes for each draw.
  commitments bytea NOT NULL CHECK (length(commitments) > 0 AND length(commitments) % 32 = 0)
);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON boxes.promise FOR EACH ROW EXECUTE FUNCTION boxes.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON boxes.promise FOR EACH STATEMENT EXECUTE FUNCTION boxes.refuse_change();
GRANT SELECT ON boxes.promise TO sathorn_app, sathorn_checker;
GRANT INSERT ON boxes.promise TO sathorn_app;
