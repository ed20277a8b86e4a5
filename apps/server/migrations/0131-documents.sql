-- Pictures of documents: encrypted with a key of their customer, kept as long as the certification that they belong to.
ALTER TABLE files.picture DROP CONSTRAINT picture_kind_check;
ALTER TABLE files.picture ADD CONSTRAINT picture_kind_check CHECK (kind IN ('picture', 'avatar', 'document'));
