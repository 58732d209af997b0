ALTER TABLE "leases" ADD COLUMN "completion" text;
