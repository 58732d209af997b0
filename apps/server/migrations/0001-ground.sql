CREATE TABLE "activity" (
	"company_id" uuid NOT NULL,
	"seq" bigint NOT NULL,
	"id" uuid NOT NULL,
	"action" text NOT NULL,
	"entity_type" text NOT NULL,
	"entity_id" uuid NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" uuid,
	"run_id" uuid,
	"cause_id" uuid,
	"root_id" uuid NOT NULL,
	"hops" integer NOT NULL,
	"details" jsonb NOT NULL,
	"revision_hash" text,
	"request_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "activity_company_id_seq_pk" PRIMARY KEY("company_id","seq")
);

CREATE TABLE "activity_heads" (
	"company_id" uuid PRIMARY KEY NOT NULL,
	"last_seq" bigint DEFAULT 0 NOT NULL,
	"closed_after" bigint
);

CREATE TABLE "agent_keys" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "agent_keys_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "agent_keys_prefix" UNIQUE("prefix")
);

CREATE TABLE "agent_revisions" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"content" jsonb NOT NULL,
	"content_hash" text NOT NULL,
	"source" text NOT NULL,
	"changed" jsonb NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "agent_revisions_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "agent_revisions_number" UNIQUE("company_id","agent_id","number"),
	CONSTRAINT "agent_revisions_source" CHECK ("agent_revisions"."source" in ('create', 'update', 'skills_sync', 'approval', 'rollback'))
);

CREATE TABLE "agents" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"url_key" text NOT NULL,
	"name" text NOT NULL,
	"role" text NOT NULL,
	"title" text,
	"icon" text,
	"reports_to" uuid,
	"capabilities" text,
	"status" text NOT NULL,
	"pause_reason" text,
	"adapter_type" text NOT NULL,
	"adapter_config" jsonb NOT NULL,
	"instructions_bundle" jsonb,
	"runtime_config" jsonb NOT NULL,
	"permissions" jsonb NOT NULL,
	"budget_monthly_cents" bigint NOT NULL,
	"skills" jsonb NOT NULL,
	"revision_number" integer NOT NULL,
	"source_issue_id" uuid,
	"source_issue_ids" jsonb NOT NULL,
	"last_heartbeat_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "agents_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "agents_url_key" UNIQUE("company_id","url_key"),
	CONSTRAINT "agents_status" CHECK ("agents"."status" in ('pending_approval', 'idle', 'running', 'paused', 'error', 'terminated')),
	CONSTRAINT "agents_pause_reason" CHECK ("agents"."pause_reason" in ('board', 'budget', 'breaker'))
);

CREATE TABLE "approval_issues" (
	"company_id" uuid NOT NULL,
	"approval_id" uuid NOT NULL,
	"issue_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "approval_issues_company_id_approval_id_issue_id_pk" PRIMARY KEY("company_id","approval_id","issue_id")
);

CREATE TABLE "approval_payloads" (
	"company_id" uuid NOT NULL,
	"approval_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"payload" jsonb NOT NULL,
	"digest" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "approval_payloads_company_id_approval_id_version_pk" PRIMARY KEY("company_id","approval_id","version")
);

CREATE TABLE "approvals" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"subject" text NOT NULL,
	"payload" jsonb NOT NULL,
	"payload_version" integer NOT NULL,
	"payload_digest" text NOT NULL,
	"agent_id" uuid,
	"requested_by_agent_id" uuid,
	"requested_by_user_id" uuid,
	"decision_note" text,
	"decided_by_user_id" uuid,
	"decided_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "approvals_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "approvals_status" CHECK ("approvals"."status" in ('pending', 'revision_requested', 'approved', 'rejected', 'cancelled')),
	CONSTRAINT "approvals_type" CHECK ("approvals"."type" in ('hire_agent', 'config_change', 'budget_override', 'board_request'))
);

CREATE TABLE "comments" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"issue_id" uuid,
	"approval_id" uuid,
	"body" text NOT NULL,
	"author_agent_id" uuid,
	"author_user_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "comments_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "comments_one_subject" CHECK (num_nonnulls("comments"."issue_id", "comments"."approval_id") = 1),
	CONSTRAINT "comments_one_author" CHECK (num_nonnulls("comments"."author_agent_id", "comments"."author_user_id") <= 1),
	CONSTRAINT "comments_body" CHECK (octet_length("comments"."body") between 1 and 65536)
);

CREATE TABLE "companies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"goal" text,
	"issue_prefix" text NOT NULL,
	"status" text NOT NULL,
	"require_board_approval_for_new_agents" boolean NOT NULL,
	"agents_may_create_keys" boolean NOT NULL,
	"budget_monthly_cents" bigint NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "companies_issue_prefix" UNIQUE("issue_prefix"),
	CONSTRAINT "companies_status" CHECK ("companies"."status" in ('active', 'paused', 'archived'))
);

CREATE TABLE "idempotency_keys" (
	"digest" text PRIMARY KEY NOT NULL,
	"body_mac" text NOT NULL,
	"answer" jsonb,
	"sealed" "bytea",
	"created_at" timestamp (3) with time zone NOT NULL
);

CREATE TABLE "instance" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"master_key_fingerprint" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "instance_one" CHECK ("instance"."id" = 1)
);

CREATE TABLE "issue_counters" (
	"company_id" uuid PRIMARY KEY NOT NULL,
	"last_number" integer NOT NULL
);

CREATE TABLE "issue_texts" (
	"company_id" uuid NOT NULL,
	"issue_id" uuid NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "issue_texts_company_id_issue_id_pk" PRIMARY KEY("company_id","issue_id")
);

CREATE TABLE "issues" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"number" integer NOT NULL,
	"identifier" text NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"status" text NOT NULL,
	"priority" text NOT NULL,
	"assignee_agent_id" uuid,
	"assignee_user_id" uuid,
	"parent_id" uuid,
	"created_by_agent_id" uuid,
	"created_by_user_id" uuid,
	"checkout_agent_id" uuid,
	"checkout_run_id" uuid,
	"checkout_at" timestamp (3) with time zone,
	"started_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "issues_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "issues_number" UNIQUE("company_id","number"),
	CONSTRAINT "issues_status" CHECK ("issues"."status" in ('backlog', 'todo', 'in_progress', 'in_review', 'blocked', 'done', 'cancelled')),
	CONSTRAINT "issues_priority" CHECK ("issues"."priority" in ('critical', 'high', 'medium', 'low')),
	CONSTRAINT "issues_identifier" CHECK (split_part("issues"."identifier", '-', 2) = "issues"."number"::text),
	CONSTRAINT "issues_one_assignee" CHECK (num_nonnulls("issues"."assignee_agent_id", "issues"."assignee_user_id") <= 1),
	CONSTRAINT "issues_checkout" CHECK (("issues"."checkout_agent_id" is null) = ("issues"."checkout_at" is null)),
	CONSTRAINT "issues_checkout_run" CHECK ("issues"."checkout_run_id" is null or "issues"."checkout_agent_id" is not null),
	CONSTRAINT "issues_started" CHECK ("issues"."status" <> 'in_progress' or "issues"."started_at" is not null),
	CONSTRAINT "issues_completed" CHECK (("issues"."status" in ('done', 'cancelled')) = ("issues"."completed_at" is not null))
);

CREATE TABLE "secret_versions" (
	"company_id" uuid NOT NULL,
	"secret_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"sealed" "bytea" NOT NULL,
	"key_version" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "secret_versions_company_id_secret_id_number_pk" PRIMARY KEY("company_id","secret_id","number")
);

CREATE TABLE "secrets" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"latest_version" integer NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "secrets_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "secrets_name" UNIQUE("company_id","name"),
	CONSTRAINT "secrets_latest_version" CHECK ("secrets"."latest_version" >= 1)
);

CREATE TABLE "skill_files" (
	"company_id" uuid NOT NULL,
	"version_id" uuid NOT NULL,
	"path" text NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "skill_files_company_id_version_id_path_pk" PRIMARY KEY("company_id","version_id","path")
);

CREATE TABLE "skill_versions" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"skill_id" uuid NOT NULL,
	"content_hash" text NOT NULL,
	"files" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "skill_versions_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "skill_versions_content" UNIQUE("company_id","skill_id","content_hash")
);

CREATE TABLE "skills" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"key" text NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"source_type" text NOT NULL,
	"source_locator" text,
	"source_ref" text,
	"content_hash" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "skills_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "skills_key" UNIQUE("company_id","key"),
	CONSTRAINT "skills_source_type" CHECK ("skills"."source_type" in ('files', 'folder'))
);

CREATE TABLE "spend" (
	"company_id" uuid NOT NULL,
	"holder_id" uuid NOT NULL,
	"month" text NOT NULL,
	"spent_micros" bigint DEFAULT 0 NOT NULL,
	"held_micros" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "spend_company_id_holder_id_month_pk" PRIMARY KEY("company_id","holder_id","month")
);

CREATE TABLE "wakes" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"source" text NOT NULL,
	"reason" text NOT NULL,
	"issue_id" uuid,
	"approval_id" uuid,
	"payload" jsonb NOT NULL,
	"cause_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "wakes_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "wakes_source" CHECK ("wakes"."source" in ('timer', 'on_demand', 'assignment', 'comment', 'mention', 'approval', 'routine', 'child_done', 'unblocked', 'retry'))
);

ALTER TABLE "agent_keys" ADD CONSTRAINT "agent_keys_company_id_agent_id_agents_company_id_id_fk" FOREIGN KEY ("company_id","agent_id") REFERENCES "public"."agents"("company_id","id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "agent_revisions" ADD CONSTRAINT "agent_revisions_company_id_agent_id_agents_company_id_id_fk" FOREIGN KEY ("company_id","agent_id") REFERENCES "public"."agents"("company_id","id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "agents" ADD CONSTRAINT "agents_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "agents" ADD CONSTRAINT "agents_company_id_reports_to_agents_company_id_id_fk" FOREIGN KEY ("company_id","reports_to") REFERENCES "public"."agents"("company_id","id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "approval_issues" ADD CONSTRAINT "approval_issues_company_id_approval_id_approvals_company_id_id_fk" FOREIGN KEY ("company_id","approval_id") REFERENCES "public"."approvals"("company_id","id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "approval_issues" ADD CONSTRAINT "approval_issues_company_id_issue_id_issues_company_id_id_fk" FOREIGN KEY ("company_id","issue_id") REFERENCES "public"."issues"("company_id","id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "approval_payloads" ADD CONSTRAINT "approval_payloads_company_id_approval_id_approvals_company_id_id_fk" FOREIGN KEY ("company_id","approval_id") REFERENCES "public"."approvals"("company_id","id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_company_id_agent_id_agents_company_id_id_fk" FOREIGN KEY ("company_id","agent_id") REFERENCES "public"."agents"("company_id","id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_company_id_requested_by_agent_id_agents_company_id_id_fk" FOREIGN KEY ("company_id","requested_by_agent_id") REFERENCES "public"."agents"("company_id","id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "comments" ADD CONSTRAINT "comments_company_id_author_agent_id_agents_company_id_id_fk" FOREIGN KEY ("company_id","author_agent_id") REFERENCES "public"."agents"("company_id","id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "issue_counters" ADD CONSTRAINT "issue_counters_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "issue_texts" ADD CONSTRAINT "issue_texts_company_id_issue_id_issues_company_id_id_fk" FOREIGN KEY ("company_id","issue_id") REFERENCES "public"."issues"("company_id","id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "issues" ADD CONSTRAINT "issues_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "issues" ADD CONSTRAINT "issues_company_id_assignee_agent_id_agents_company_id_id_fk" FOREIGN KEY ("company_id","assignee_agent_id") REFERENCES "public"."agents"("company_id","id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "issues" ADD CONSTRAINT "issues_company_id_created_by_agent_id_agents_company_id_id_fk" FOREIGN KEY ("company_id","created_by_agent_id") REFERENCES "public"."agents"("company_id","id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "issues" ADD CONSTRAINT "issues_company_id_checkout_agent_id_agents_company_id_id_fk" FOREIGN KEY ("company_id","checkout_agent_id") REFERENCES "public"."agents"("company_id","id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "issues" ADD CONSTRAINT "issues_parent" FOREIGN KEY ("company_id","parent_id") REFERENCES "public"."issues"("company_id","id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "secret_versions" ADD CONSTRAINT "secret_versions_company_id_secret_id_secrets_company_id_id_fk" FOREIGN KEY ("company_id","secret_id") REFERENCES "public"."secrets"("company_id","id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "secrets" ADD CONSTRAINT "secrets_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "skill_files" ADD CONSTRAINT "skill_files_company_id_version_id_skill_versions_company_id_id_fk" FOREIGN KEY ("company_id","version_id") REFERENCES "public"."skill_versions"("company_id","id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "skill_versions" ADD CONSTRAINT "skill_versions_company_id_skill_id_skills_company_id_id_fk" FOREIGN KEY ("company_id","skill_id") REFERENCES "public"."skills"("company_id","id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "skills" ADD CONSTRAINT "skills_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "skills" ADD CONSTRAINT "skills_present_version" FOREIGN KEY ("company_id","id","content_hash") REFERENCES "public"."skill_versions"("company_id","skill_id","content_hash") ON DELETE no action ON UPDATE no action;
ALTER TABLE "spend" ADD CONSTRAINT "spend_company_id_activity_heads_company_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."activity_heads"("company_id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "wakes" ADD CONSTRAINT "wakes_company_id_agent_id_agents_company_id_id_fk" FOREIGN KEY ("company_id","agent_id") REFERENCES "public"."agents"("company_id","id") ON DELETE no action ON UPDATE no action;
CREATE INDEX "activity_id" ON "activity" USING btree ("company_id","id");
CREATE INDEX "activity_entity" ON "activity" USING btree ("company_id","entity_id","seq");
CREATE INDEX "activity_actor" ON "activity" USING btree ("company_id","actor_id","seq");
CREATE INDEX "activity_action" ON "activity" USING btree ("company_id","action","seq");
CREATE INDEX "activity_entity_type" ON "activity" USING btree ("company_id","entity_type","seq");
CREATE INDEX "agent_keys_id" ON "agent_keys" USING btree ("id");
CREATE INDEX "agent_keys_agent" ON "agent_keys" USING btree ("company_id","agent_id","id") WHERE "agent_keys"."revoked_at" is null;
CREATE INDEX "agent_revisions_id" ON "agent_revisions" USING btree ("id");
CREATE INDEX "agents_id" ON "agents" USING btree ("id");
CREATE INDEX "agents_status" ON "agents" USING btree ("company_id","status","id");
CREATE INDEX "agents_reports_to" ON "agents" USING btree ("company_id","reports_to");
CREATE INDEX "approval_issues_issue" ON "approval_issues" USING btree ("company_id","issue_id","approval_id");
CREATE INDEX "approvals_id" ON "approvals" USING btree ("id");
CREATE INDEX "approvals_status" ON "approvals" USING btree ("company_id","status","id");
CREATE INDEX "approvals_type" ON "approvals" USING btree ("company_id","type","id");
CREATE UNIQUE INDEX "approvals_open_hire" ON "approvals" USING btree ("company_id","agent_id") WHERE type = 'hire_agent' and status in ('pending', 'revision_requested');
CREATE INDEX "comments_issue" ON "comments" USING btree ("company_id","issue_id","id");
CREATE INDEX "comments_approval" ON "comments" USING btree ("company_id","approval_id","id");
CREATE INDEX "idempotency_keys_created_at" ON "idempotency_keys" USING btree ("created_at");
CREATE INDEX "issues_id" ON "issues" USING btree ("id");
CREATE INDEX "issues_status" ON "issues" USING btree ("company_id","status","id");
CREATE INDEX "issues_priority" ON "issues" USING btree ("company_id","priority","id");
CREATE INDEX "issues_assignee" ON "issues" USING btree ("company_id","assignee_agent_id","status","id");
CREATE INDEX "issues_parent_id" ON "issues" USING btree ("company_id","parent_id","id");
CREATE INDEX "secrets_id" ON "secrets" USING btree ("id");
CREATE INDEX "skill_versions_skill" ON "skill_versions" USING btree ("company_id","skill_id","id");
CREATE INDEX "skills_id" ON "skills" USING btree ("id");
CREATE INDEX "skills_slug" ON "skills" USING btree ("company_id","slug");
CREATE INDEX "wakes_agent" ON "wakes" USING btree ("company_id","agent_id","id");
