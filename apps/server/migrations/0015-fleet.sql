ALTER TABLE "instance" ADD COLUMN "stopped_at" timestamp (3) with time zone;
ALTER TABLE "runners" ADD COLUMN "status" text DEFAULT 'active' NOT NULL;
ALTER TABLE "runners" ADD CONSTRAINT "runners_status" CHECK ("runners"."status" in ('active', 'draining', 'stopped', 'removed'));
