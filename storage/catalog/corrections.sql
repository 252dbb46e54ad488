-- Corrections by hand as JSON; the id is made of the document's and of the place in it.
CREATE TABLE correction (
    correction_id TEXT COLLATE "C" PRIMARY KEY, document_id TEXT COLLATE "C" NOT NULL, content TEXT NOT NULL
);
CREATE INDEX correction_document ON correction (document_id);
