CREATE INDEX "issues_assigned_person" ON "issues" USING btree ("company_id","assignee_user_id","status","id") WHERE assignee_user_id is not null;
