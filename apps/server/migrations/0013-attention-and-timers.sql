CREATE TABLE "attention" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"entity_type" text NOT NULL,
	"entity_id" uuid NOT NULL,
	"message" text NOT NULL,
	"next_actor" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	CONSTRAINT "attention_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "attention_kind" CHECK ("attention"."kind" in ('agent_error', 'breaker', 'given_up', 'cause_exhausted', 'budget')),
	CONSTRAINT "attention_entity_type" CHECK ("attention"."entity_type" in ('company', 'agent', 'issue', 'approval', 'entry')),
	CONSTRAINT "attention_next_actor" CHECK ("attention"."next_actor" in ('nobody', 'board', 'service'))
);

CREATE TABLE "timers" (
	"company_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"interval_sec" integer NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "timers_company_id_agent_id_pk" PRIMARY KEY("company_id","agent_id")
);

ALTER TABLE "agents" ADD COLUMN "failure_code" text;
ALTER TABLE "agents" ADD COLUMN "failure_count" integer DEFAULT 0 NOT NULL;
ALTER TABLE "runs" ADD COLUMN "exhausted" boolean DEFAULT false NOT NULL;
ALTER TABLE "attention" ADD CONSTRAINT "attention_company_id_activity_heads_company_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."activity_heads"("company_id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "timers" ADD CONSTRAINT "timers_company_id_agent_id_agents_company_id_id_fk" FOREIGN KEY ("company_id","agent_id") REFERENCES "public"."agents"("company_id","id") ON DELETE no action ON UPDATE no action;
CREATE INDEX "attention_id" ON "attention" USING btree ("id");
CREATE INDEX "attention_open" ON "attention" USING btree ("company_id","id") WHERE resolved_at is null;
CREATE UNIQUE INDEX "attention_one_open" ON "attention" USING btree ("company_id","entity_id","kind") WHERE resolved_at is null;
CREATE INDEX "timers_next_at" ON "timers" USING btree ("next_at");
CREATE INDEX "activity_roots" ON "activity" USING btree ("company_id","actor_id","created_at") WHERE id = root_id and actor_kind = 'agent';
CREATE INDEX "runs_root" ON "runs" USING btree ("company_id","root_id");
ALTER TABLE "agents" ADD CONSTRAINT "agents_failure_code" CHECK ("agents"."failure_code" in ('ok', 'agent_error', 'adapter_missing', 'adapter_misconfigured', 'auth_failed', 'rate_limited', 'timed_out', 'output_limit', 'cancelled', 'service_stop', 'budget_exhausted', 'runner_lost', 'internal'));
