-- A value that is sealed under a key which nobody keeps any more is lost. A server that has missed a rotation of the
-- master key cannot store one: from the end of the rotation on, only the present key counts.
CREATE FUNCTION "refuse_replaced_key"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	present "instance"%ROWTYPE;
BEGIN
	SELECT * INTO present FROM "instance";
	IF NEW."key_version" = present."master_key_version"
		OR (present."is_resealing" AND NEW."key_version" = present."master_key_version" - 1) THEN
		RETURN NEW;
	END IF;
	RAISE EXCEPTION 'version % of the master key was replaced', NEW."key_version";
END
$$;
CREATE TRIGGER "secret_versions_present_key" BEFORE INSERT OR UPDATE OF "sealed", "key_version" ON "secret_versions"
	FOR EACH ROW EXECUTE FUNCTION "refuse_replaced_key"();
