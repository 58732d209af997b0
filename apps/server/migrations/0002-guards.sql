INSERT INTO "instance" ("id") VALUES (1);
-- The log of the deployment itself stands under a fixed id.
INSERT INTO "activity_heads" ("company_id") VALUES ('00000000-0000-7000-8000-000000000000');

-- Entries are only ever added. Whoever may change rows of other tables still cannot change these.
CREATE FUNCTION "refuse_rewriting_activity"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'the activity log is append-only';
END
$$;
CREATE TRIGGER "activity_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "activity"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_activity"();

-- Keys between modules that know each other only in one direction.
ALTER TABLE "comments" ADD CONSTRAINT "comments_approval_key" FOREIGN KEY ("company_id", "approval_id") REFERENCES "approvals" ("company_id", "id");
ALTER TABLE "wakes" ADD CONSTRAINT "wakes_approval_key" FOREIGN KEY ("company_id", "approval_id") REFERENCES "approvals" ("company_id", "id");
ALTER TABLE "wakes" ADD CONSTRAINT "wakes_issue_key" FOREIGN KEY ("company_id", "issue_id") REFERENCES "issues" ("company_id", "id");

-- Both extensions come with PostgreSQL and are trusted: whoever may create things in the database may create them.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;
-- The company comes first, so that what others have written costs nothing. A short pending list keeps both sides even: a
-- search reads all of it, and the write that fills it empties it.
CREATE INDEX "issue_texts_search" ON "issue_texts" USING gin ("company_id", "text" gin_trgm_ops)
	WITH (gin_pending_list_limit = 256);
-- A comment stands in the company of its issue. The key is here because the table of comments knows nothing of issues.
ALTER TABLE "comments" ADD CONSTRAINT "comments_issue_key"
	FOREIGN KEY ("company_id", "issue_id") REFERENCES "issues" ("company_id", "id");
