-- +goose Up
-- Whether a person who makes something for an organization has ended: without a role there, at its partner or at the operator,
-- or disabled. The answer holds until the end of the database transaction, because the row of the person stays locked. The
-- function acts as the owner, so that workers ask it without a right to the roles of people.
-- +goose StatementBegin
CREATE FUNCTION person_has_ended(organization text, person text) RETURNS boolean LANGUAGE sql SECURITY DEFINER AS $$
  SELECT u.status = 'DISABLED' OR u.staff_role IS NULL AND NOT EXISTS (
           SELECT FROM organizations o JOIN memberships m ON m.organization_id IN (o.id, o.parent_organization_id)
            WHERE o.id = organization AND m.user_id = u.id)
    FROM users u WHERE u.id = person FOR SHARE OF u
$$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION person_has_ended(text, text) FROM PUBLIC;

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION person_has_ended(text, text) SET search_path = %I, pg_temp', current_schema());
END $$;
-- +goose StatementEnd
