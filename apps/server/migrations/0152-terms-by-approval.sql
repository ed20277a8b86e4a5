-- An approval is named by a UUID. Until now there were only the terms that a demonstration begins with, which have none.
ALTER TABLE earning.version ALTER COLUMN approval TYPE uuid USING NULL;
