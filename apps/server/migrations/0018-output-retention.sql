ALTER TABLE "companies" ADD COLUMN "run_output_days" integer;
CREATE INDEX "runs_finished" ON "runs" USING btree ("company_id","finished_at","id") WHERE finished_at is not null;
CREATE TABLE "output_retention" (
	"company_id" uuid PRIMARY KEY NOT NULL,
	"finished_at" timestamp (3) with time zone NOT NULL,
	"run_id" uuid NOT NULL
);

ALTER TABLE "output_retention" ADD CONSTRAINT "output_retention_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;
