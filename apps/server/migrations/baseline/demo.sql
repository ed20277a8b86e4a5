-- Scenes of the demo people that have been played, so that a restart does not play them again. Empty in a live
-- deployment.
CREATE SCHEMA demo;
GRANT USAGE ON SCHEMA demo TO sathorn_app, sathorn_checker;

-- One row per scene.
CREATE TABLE demo.scene (
  name text PRIMARY KEY CHECK (name ~ '^[a-z][a-z_]{1,40}$'),
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT ON demo.scene TO sathorn_app, sathorn_checker;
GRANT INSERT ON demo.scene TO sathorn_app;
