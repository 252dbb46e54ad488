-- What a reader chose for a conversation, as a JSON object: how it is answered, what was wrong with an answer.
CREATE TABLE choice (conversation_id TEXT COLLATE "C" PRIMARY KEY, content TEXT NOT NULL);
