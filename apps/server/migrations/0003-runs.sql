CREATE TABLE "leases" (
	"company_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"runner_id" uuid NOT NULL,
	"epoch" integer NOT NULL,
	"lease_until" timestamp (3) with time zone NOT NULL,
	"last_seq" integer DEFAULT 0 NOT NULL,
	"stored_stdout" bigint DEFAULT 0 NOT NULL,
	"stored_stderr" bigint DEFAULT 0 NOT NULL,
	"log_bytes" bigint DEFAULT 0 NOT NULL,
	"log_truncated" boolean DEFAULT false NOT NULL,
	"input_tokens" bigint DEFAULT 0 NOT NULL,
	"cached_input_tokens" bigint DEFAULT 0 NOT NULL,
	"output_tokens" bigint DEFAULT 0 NOT NULL,
	"cost_micros" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "leases_company_id_run_id_pk" PRIMARY KEY("company_id","run_id")
);

CREATE TABLE "run_events" (
	"company_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"kind" text NOT NULL,
	"stream" text,
	"log_offset" bigint,
	"content" "bytea",
	"data" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "run_events_company_id_run_id_seq_pk" PRIMARY KEY("company_id","run_id","seq"),
	CONSTRAINT "run_events_kind" CHECK ("run_events"."kind" in ('output', 'message', 'tool_call', 'tool_result', 'usage', 'session', 'result', 'gap')),
	CONSTRAINT "run_events_stream" CHECK ("run_events"."stream" in ('stdout', 'stderr'))
);

CREATE TABLE "runner_sightings" (
	"runner_id" uuid PRIMARY KEY NOT NULL,
	"labels" jsonb NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL
);

CREATE TABLE "runners" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"hash" text NOT NULL,
	"company_ids" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "runners_prefix" UNIQUE("prefix")
);

CREATE TABLE "runs" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"issue_id" uuid,
	"approval_id" uuid,
	"status" text NOT NULL,
	"priority" smallint NOT NULL,
	"not_before" timestamp (3) with time zone,
	"attempt" integer NOT NULL,
	"retry_of" uuid,
	"cause_id" uuid NOT NULL,
	"root_id" uuid NOT NULL,
	"hops" integer NOT NULL,
	"epoch" integer DEFAULT 0 NOT NULL,
	"runner_id" uuid,
	"revision_id" uuid,
	"secret_versions" jsonb,
	"approval_status" text,
	"linked_issue_ids" jsonb,
	"ending" text,
	"outcome_code" text,
	"outcome_message" text,
	"next_actor" text,
	"exit_code" integer,
	"signal" text,
	"input_tokens" bigint DEFAULT 0 NOT NULL,
	"cached_input_tokens" bigint DEFAULT 0 NOT NULL,
	"output_tokens" bigint DEFAULT 0 NOT NULL,
	"cost_micros" bigint DEFAULT 0 NOT NULL,
	"log_bytes" bigint DEFAULT 0 NOT NULL,
	"log_truncated" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"claimed_at" timestamp (3) with time zone,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "runs_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "runs_status" CHECK ("runs"."status" in ('queued', 'claimed', 'running', 'succeeded', 'failed', 'timed_out', 'cancelled', 'lost')),
	CONSTRAINT "runs_ending" CHECK ("runs"."ending" in ('cancelled', 'service_stop', 'budget_exhausted')),
	CONSTRAINT "runs_outcome_code" CHECK ("runs"."outcome_code" in ('ok', 'agent_error', 'adapter_missing', 'adapter_misconfigured', 'auth_failed', 'rate_limited', 'timed_out', 'output_limit', 'cancelled', 'service_stop', 'budget_exhausted', 'runner_lost', 'internal')),
	CONSTRAINT "runs_next_actor" CHECK ("runs"."next_actor" in ('nobody', 'board', 'service')),
	CONSTRAINT "runs_final" CHECK (("runs"."status" in ('succeeded', 'failed', 'timed_out', 'cancelled', 'lost')) = ("runs"."outcome_code" is not null and "runs"."finished_at" is not null)),
	CONSTRAINT "runs_started" CHECK ("runs"."status" <> 'running' or "runs"."started_at" is not null),
	CONSTRAINT "runs_claimed" CHECK ("runs"."status" not in ('claimed', 'running') or num_nonnulls("runs"."claimed_at", "runs"."runner_id", "runs"."revision_id") = 3)
);

ALTER TABLE "instance" ADD COLUMN "alive_at" timestamp (3) with time zone;
ALTER TABLE "wakes" ADD COLUMN "run_id" uuid;
ALTER TABLE "wakes" ADD COLUMN "skipped" text;
ALTER TABLE "wakes" ADD COLUMN "idempotency_key" text;
ALTER TABLE "leases" ADD CONSTRAINT "leases_runner_id_runners_id_fk" FOREIGN KEY ("runner_id") REFERENCES "public"."runners"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "leases" ADD CONSTRAINT "leases_company_id_run_id_runs_company_id_id_fk" FOREIGN KEY ("company_id","run_id") REFERENCES "public"."runs"("company_id","id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "run_events" ADD CONSTRAINT "run_events_company_id_run_id_runs_company_id_id_fk" FOREIGN KEY ("company_id","run_id") REFERENCES "public"."runs"("company_id","id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "runner_sightings" ADD CONSTRAINT "runner_sightings_runner_id_runners_id_fk" FOREIGN KEY ("runner_id") REFERENCES "public"."runners"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "runs" ADD CONSTRAINT "runs_runner_id_runners_id_fk" FOREIGN KEY ("runner_id") REFERENCES "public"."runners"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "runs" ADD CONSTRAINT "runs_company_id_agent_id_agents_company_id_id_fk" FOREIGN KEY ("company_id","agent_id") REFERENCES "public"."agents"("company_id","id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "runs" ADD CONSTRAINT "runs_company_id_retry_of_runs_company_id_id_fk" FOREIGN KEY ("company_id","retry_of") REFERENCES "public"."runs"("company_id","id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "runs" ADD CONSTRAINT "runs_company_id_revision_id_agent_revisions_company_id_id_fk" FOREIGN KEY ("company_id","revision_id") REFERENCES "public"."agent_revisions"("company_id","id") ON DELETE no action ON UPDATE no action;
CREATE INDEX "leases_runner" ON "leases" USING btree ("runner_id");
CREATE INDEX "leases_until" ON "leases" USING btree ("lease_until");
CREATE INDEX "run_events_log" ON "run_events" USING btree ("company_id","run_id","log_offset") WHERE log_offset is not null;
CREATE INDEX "runs_id" ON "runs" USING btree ("id");
CREATE INDEX "runs_agent" ON "runs" USING btree ("company_id","agent_id","id");
CREATE INDEX "runs_status" ON "runs" USING btree ("company_id","status","id");
CREATE INDEX "runs_issue" ON "runs" USING btree ("company_id","issue_id","id");
CREATE INDEX "runs_under_way" ON "runs" USING btree ("company_id","agent_id") WHERE status in ('claimed', 'running');
ALTER TABLE "wakes" ADD CONSTRAINT "wakes_company_id_run_id_runs_company_id_id_fk" FOREIGN KEY ("company_id","run_id") REFERENCES "public"."runs"("company_id","id") ON DELETE no action ON UPDATE no action;
CREATE INDEX "issues_checkout_run" ON "issues" USING btree ("company_id","checkout_run_id") WHERE checkout_run_id is not null;
CREATE INDEX "wakes_run" ON "wakes" USING btree ("company_id","run_id","id");
CREATE UNIQUE INDEX "wakes_idempotency_key" ON "wakes" USING btree ("company_id","agent_id","idempotency_key") WHERE idempotency_key is not null;
ALTER TABLE "wakes" ADD CONSTRAINT "wakes_skipped" CHECK ("wakes"."skipped" in ('self_caused'));
ALTER TABLE "wakes" ADD CONSTRAINT "wakes_led_somewhere" CHECK (num_nonnulls("wakes"."run_id", "wakes"."skipped") = 1);
