-- Keys to modules that may not be known where these tables are declared.
ALTER TABLE "agent_sessions" ADD CONSTRAINT "agent_sessions_issue" FOREIGN KEY ("company_id", "issue_id")
	REFERENCES "issues" ("company_id", "id");
ALTER TABLE "agent_checks" ADD CONSTRAINT "agent_checks_runner" FOREIGN KEY ("runner_id") REFERENCES "runners" ("id");

-- Agents that were there before are checked too.
INSERT INTO "agent_checks" ("company_id", "agent_id", "revision_id", "state", "findings")
	SELECT a.company_id, a.id, v.id, 'unchecked', '[]'::jsonb FROM "agents" a
		JOIN "agent_revisions" v ON v.company_id = a.company_id AND v.agent_id = a.id AND v.number = a.revision_number
	WHERE a.status <> 'terminated';
