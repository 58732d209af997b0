ALTER TABLE "idempotency_keys" ADD COLUMN "key_version" integer DEFAULT 1 NOT NULL;
ALTER TABLE "instance" ADD COLUMN "master_key_version" integer DEFAULT 1 NOT NULL;
ALTER TABLE "instance" ADD COLUMN "master_key_since" timestamp (3) with time zone;
ALTER TABLE "instance" ADD COLUMN "former_key_fingerprint" text;
ALTER TABLE "instance" ADD COLUMN "is_resealing" boolean DEFAULT false NOT NULL;
