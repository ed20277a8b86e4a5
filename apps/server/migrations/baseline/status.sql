-- Faults on the public status page. Texts are only added, never changed. Closing an outage takes two people.
CREATE SCHEMA status;
GRANT USAGE ON SCHEMA status TO sathorn_app, sathorn_checker;

-- An outage, from its first report to its end.
CREATE TABLE status.incident (
  id uuid PRIMARY KEY,
  severity text NOT NULL CHECK (severity IN ('notice', 'degraded', 'outage')),
  parts text[] NOT NULL CHECK (cardinality(parts) > 0),
  opened_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  opened_by bigint NOT NULL,
  closed_at timestamptz CHECK (closed_at >= opened_at),
  -- The approval that closed it; null if one person may close it.
  approval uuid
);
CREATE INDEX incident_opened ON status.incident (opened_at DESC, id DESC);
GRANT SELECT ON status.incident TO sathorn_app, sathorn_checker;
GRANT INSERT ON status.incident TO sathorn_app;

-- The published texts about an incident, in order.
CREATE TABLE status.incident_update (
  incident uuid NOT NULL REFERENCES status.incident,
  n smallint NOT NULL CHECK (n > 0),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  made_by bigint NOT NULL,
  -- By language, at least English and Thai.
  texts jsonb NOT NULL CHECK (texts ? 'en' AND texts ? 'th'),
  PRIMARY KEY (incident, n)
);
GRANT SELECT ON status.incident_update TO sathorn_app, sathorn_checker;
GRANT INSERT ON status.incident_update TO sathorn_app;

-- Closes an incident once. An outage needs its own approval.
CREATE FUNCTION status.close_incident(_incident uuid, _approval uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = status, pg_temp AS $$
BEGIN
  UPDATE status.incident SET closed_at = clock_timestamp(), approval = _approval
  WHERE id = _incident AND closed_at IS NULL AND (severity <> 'outage' OR EXISTS (
    SELECT FROM operators.approval a
    WHERE a.id = _approval AND a.kind = 'incident_close' AND a.subject = _incident::text AND a.status = 'approved'));
  RETURN FOUND;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA status FROM PUBLIC;
GRANT EXECUTE ON FUNCTION status.close_incident TO sathorn_app;
