-- One open question about the budget of a holder: an agent, or the company, of which none is named. The tool cannot say
-- that nulls are equal.
CREATE UNIQUE INDEX "approvals_open_override" ON "approvals" ("company_id", "agent_id") NULLS NOT DISTINCT
	WHERE type = 'budget_override' AND status IN ('pending', 'revision_requested');
