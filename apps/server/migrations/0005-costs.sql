CREATE TABLE "cost_days" (
	"company_id" uuid NOT NULL,
	"subject" text NOT NULL,
	"day" date NOT NULL,
	"provider" text NOT NULL,
	"name" text NOT NULL,
	"input_tokens" bigint NOT NULL,
	"cached_input_tokens" bigint NOT NULL,
	"output_tokens" bigint NOT NULL,
	"cost_micros" bigint NOT NULL,
	"unpriced_micros" bigint NOT NULL,
	"events" bigint NOT NULL,
	CONSTRAINT "cost_days_company_id_subject_day_provider_name_pk" PRIMARY KEY("company_id","subject","day","provider","name"),
	CONSTRAINT "cost_days_subject" CHECK ("cost_days"."subject" in ('company', 'agent', 'model'))
);

CREATE TABLE "cost_events" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"run_id" uuid,
	"issue_id" uuid,
	"provider" text NOT NULL,
	"model" text NOT NULL,
	"input_tokens" bigint NOT NULL,
	"cached_input_tokens" bigint NOT NULL,
	"output_tokens" bigint NOT NULL,
	"cost_micros" bigint NOT NULL,
	"priced" text NOT NULL,
	"price_version" text,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "cost_events_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "cost_events_priced" CHECK ("cost_events"."priced" in ('reported', 'table', 'default'))
);

ALTER TABLE "cost_days" ADD CONSTRAINT "cost_days_company_id_activity_heads_company_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."activity_heads"("company_id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "cost_events" ADD CONSTRAINT "cost_events_company_id_agent_id_agents_company_id_id_fk" FOREIGN KEY ("company_id","agent_id") REFERENCES "public"."agents"("company_id","id") ON DELETE no action ON UPDATE no action;
CREATE INDEX "cost_events_agent" ON "cost_events" USING btree ("company_id","agent_id","id");
CREATE INDEX "cost_events_run" ON "cost_events" USING btree ("company_id","run_id","id");
CREATE INDEX "run_events_usage" ON "run_events" USING btree ("company_id","run_id","seq") WHERE kind = 'usage';
