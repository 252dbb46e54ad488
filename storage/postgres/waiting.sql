-- Vectors that an index does not have yet. The indexes of before had each at once; those of today are made by upkeep.
ALTER TABLE embedding ADD COLUMN waiting BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX embedding_waiting ON embedding (model_id, id) WHERE waiting;
DO $$ DECLARE one INTEGER; BEGIN
    FOR one IN SELECT id FROM model LOOP EXECUTE format('DROP INDEX IF EXISTS embedding_model_%s', one); END LOOP;
END $$;
