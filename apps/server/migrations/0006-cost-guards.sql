-- Keys to modules that know the one of costs.
ALTER TABLE "cost_events" ADD CONSTRAINT "cost_events_run_key" FOREIGN KEY ("company_id", "run_id") REFERENCES "runs" ("company_id", "id");
ALTER TABLE "cost_events" ADD CONSTRAINT "cost_events_issue_key" FOREIGN KEY ("company_id", "issue_id") REFERENCES "issues" ("company_id", "id");
