-- One queued run for an agent, issue and approval, whichever of them is none. The tool cannot say that nulls are equal.
CREATE UNIQUE INDEX "runs_queued" ON "runs" ("company_id", "agent_id", "issue_id", "approval_id") NULLS NOT DISTINCT
	WHERE status = 'queued';
-- What a claim looks through: only what is queued.
CREATE INDEX "runs_queue" ON "runs" ("company_id", "priority", "created_at") WHERE status = 'queued';

-- Keys to modules that stand above the table of runs.
ALTER TABLE "runs" ADD CONSTRAINT "runs_issue_key" FOREIGN KEY ("company_id", "issue_id") REFERENCES "issues" ("company_id", "id");
ALTER TABLE "runs" ADD CONSTRAINT "runs_approval_key" FOREIGN KEY ("company_id", "approval_id") REFERENCES "approvals" ("company_id", "id");
ALTER TABLE "issues" ADD CONSTRAINT "issues_checkout_run_key" FOREIGN KEY ("company_id", "checkout_run_id") REFERENCES "runs" ("company_id", "id");

-- A run that is over stays as it ended, whoever writes.
CREATE FUNCTION "refuse_reopening_run"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'a run that is over stays as it ended';
END
$$;
CREATE TRIGGER "runs_final_state" BEFORE UPDATE OF "status" ON "runs"
	FOR EACH ROW WHEN (OLD."finished_at" IS NOT NULL) EXECUTE FUNCTION "refuse_reopening_run"();
