CREATE TABLE "runner_programs" (
	"runner_id" uuid PRIMARY KEY NOT NULL,
	"programs" jsonb NOT NULL,
	"told_at" timestamp (3) with time zone NOT NULL
);

ALTER TABLE "runner_programs" ADD CONSTRAINT "runner_programs_runner_id_runners_id_fk" FOREIGN KEY ("runner_id") REFERENCES "public"."runners"("id") ON DELETE no action ON UPDATE no action;
