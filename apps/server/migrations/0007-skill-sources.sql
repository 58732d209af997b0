ALTER TABLE "skills" DROP CONSTRAINT "skills_source_type";
ALTER TABLE "skills" ADD CONSTRAINT "skills_source_type" CHECK ("skills"."source_type" in ('files', 'folder', 'git', 'url'));
