CREATE TABLE "agent_checks" (
	"company_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"revision_id" uuid NOT NULL,
	"state" text NOT NULL,
	"findings" jsonb NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"runner_id" uuid,
	"taken_until" timestamp (3) with time zone,
	CONSTRAINT "agent_checks_company_id_agent_id_pk" PRIMARY KEY("company_id","agent_id"),
	CONSTRAINT "agent_checks_state" CHECK ("agent_checks"."state" in ('unchecked', 'ok', 'warnings', 'errors'))
);

CREATE TABLE "agent_sessions" (
	"company_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"issue_id" uuid NOT NULL,
	"runner_id" uuid NOT NULL,
	"revision_id" uuid NOT NULL,
	"data" jsonb NOT NULL,
	"runs" integer NOT NULL,
	"used_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "agent_sessions_company_id_agent_id_issue_id_pk" PRIMARY KEY("company_id","agent_id","issue_id")
);

ALTER TABLE "leases" ADD COLUMN "resumed" jsonb;
ALTER TABLE "leases" ADD COLUMN "session" jsonb;
ALTER TABLE "agent_checks" ADD CONSTRAINT "agent_checks_company_id_agent_id_agents_company_id_id_fk" FOREIGN KEY ("company_id","agent_id") REFERENCES "public"."agents"("company_id","id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "agent_checks" ADD CONSTRAINT "agent_checks_company_id_revision_id_agent_revisions_company_id_id_fk" FOREIGN KEY ("company_id","revision_id") REFERENCES "public"."agent_revisions"("company_id","id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "agent_sessions" ADD CONSTRAINT "agent_sessions_runner_id_runners_id_fk" FOREIGN KEY ("runner_id") REFERENCES "public"."runners"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "agent_sessions" ADD CONSTRAINT "agent_sessions_company_id_agent_id_agents_company_id_id_fk" FOREIGN KEY ("company_id","agent_id") REFERENCES "public"."agents"("company_id","id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "agent_sessions" ADD CONSTRAINT "agent_sessions_company_id_revision_id_agent_revisions_company_id_id_fk" FOREIGN KEY ("company_id","revision_id") REFERENCES "public"."agent_revisions"("company_id","id") ON DELETE no action ON UPDATE no action;
CREATE INDEX "agent_checks_waiting" ON "agent_checks" USING btree ("revision_id") WHERE state = 'unchecked';
CREATE INDEX "agent_sessions_used_at" ON "agent_sessions" USING btree ("used_at");
