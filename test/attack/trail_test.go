package attack_test

import (
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
)

// rewrittenTrail: who has the login of the service neither changes the audit trail nor anything that guards it.
func rewrittenTrail(b *attackRun) {
	conn, err := pgx.Connect(b.Context(), b.bed.ServiceURL())
	require.NoError(b, err)
	defer conn.Close(b.Context())
	_, err = conn.Exec(b.Context(), "GRANT ALL ON audit, audit_seals TO levy_app") // which PostgreSQL answers by a warning
	require.NoError(b, err)
	const insufficientPrivilege = "42501"
	for _, statement := range []string{
		"UPDATE audit SET staff = 'Ann Lee'", "DELETE FROM audit", "TRUNCATE audit", "DELETE FROM audit_seals",
		"UPDATE audit_seals SET organization_id = organization_id",
		"DROP TABLE audit", "ALTER TABLE audit DISABLE TRIGGER ALL", "SET session_replication_role = replica",
		"ALTER TABLE audit OWNER TO levy_app",
		"CREATE TABLE mine (id int)", "CREATE TEMPORARY TABLE mine (id int)", "CREATE SCHEMA mine",
		"CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'", "CREATE ROLE mine",
		"ALTER ROLE levy_app SUPERUSER", "SET ROLE levy_owner",
		"COPY audit TO PROGRAM 'cat'", "SELECT pg_read_file('postgresql.conf')",
	} {
		_, err := conn.Exec(b.Context(), statement)
		var refused *pgconn.PgError
		require.ErrorAs(b, err, &refused, statement)
		if refused.Code == insufficientPrivilege {
			b.saw("refused")
		} else {
			b.saw(statement + ": " + refused.Error())
		}
	}
	b.only("refused")
}
