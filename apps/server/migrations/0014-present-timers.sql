-- Agents whose timer was set before timers woke anybody.
INSERT INTO "timers" ("company_id", "agent_id", "interval_sec", "next_at")
	SELECT "company_id", "id", ("runtime_config" #>> '{heartbeat,intervalSec}')::int, clock_timestamp()
	FROM "agents"
	WHERE "runtime_config" #> '{heartbeat,enabled}' = 'true' AND "status" NOT IN ('pending_approval', 'terminated');
