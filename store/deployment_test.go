package store_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store"
	"levy/store/pg"
	"levy/store/storetest"
)

// The roles that a deployment begins with: who owns the tables migrates, and who serves owns nothing, makes nothing
// and rewrites nothing.
func TestTheRolesOfADeployment(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, storetest.URL(t), models.NewID("roles"))
	t.Cleanup(func() {
		_, err := d.admin.Exec(context.WithoutCancel(t.Context()), "DROP DATABASE "+d.database+" WITH (FORCE)")
		require.NoError(t, err)
	})
	require.Contains(t, d.make(t), "CREATE DATABASE")
	require.Empty(t, d.make(t), "all is made once")
	d.requireRoles(t)
	d.requireRunner(t)
	d.requireWritesWithoutGrants(t)
	_, err := d.open(t, "app", pg.RoleLogin).MigrateFrom(t.Context(), fstest.MapFS{
		"99999_next.sql": {Data: []byte("-- +goose Up\nALTER TABLE organizations ADD COLUMN next int;\n")},
	})
	require.ErrorIs(t, err, pg.ErrNotOwner)
	require.ErrorContains(t, err, "must be owner of table organizations")
}

// A database whose tables belong to one login for everything, be it a superuser or not, comes to the same, with its
// records. A password that changed is set.
func TestAnEarlierLayoutGetsTheRolesOfADeployment(t *testing.T) {
	t.Parallel()
	address := storetest.URL(t)
	organization := storetest.Organization(t, address).OrganizationID
	at, err := pgx.ParseConfig(address)
	require.NoError(t, err)
	old := newDeployment(t, address, at.Database)
	require.Contains(t, old.make(t), "DROP OWNED BY")
	d := newDeployment(t, address, at.Database)
	_, err = d.admin.Exec(t.Context(), "CREATE ROLE "+d.prefix+"_app NOLOGIN PASSWORD 'forgotten'")
	require.NoError(t, err)
	said := d.make(t)
	require.Contains(t, said, "ALTER TABLE transactions OWNER TO "+d.prefix+"_owner")
	require.Contains(t, said, "DROP OWNED BY "+old.prefix+"_owner_worker")
	require.Contains(t, said, "ALTER ROLE \""+d.prefix+"_app\" LOGIN PASSWORD")
	require.Empty(t, d.make(t), "all is made once")
	d.requireRoles(t, old.prefix+"_owner", old.prefix+"_app", old.prefix+"_owner_api", old.prefix+"_owner_worker")
	_, err = d.admin.Exec(t.Context(),
		fmt.Sprintf("DROP ROLE %[1]s_owner, %[1]s_owner_api, %[1]s_owner_worker, %[1]s_owner_runner", old.prefix))
	require.NoError(t, err, "nothing is left of them")
	found, err := d.open(t, "app", pg.RoleWorker).Exec(models.AcrossOrganizations(t.Context()),
		"SELECT FROM organizations WHERE id = $1", organization)
	require.NoError(t, err)
	require.EqualValues(t, 1, found.RowsAffected())
}

// Logins that cannot be a deployment are refused, and the error does not contain their passwords.
func TestLoginsThatAreRefused(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, storetest.URL(t), "levy_none")
	for reason, change := range map[string]func(l *pg.Logins){
		"different databases": func(l *pg.Logins) { l.Service = strings.Replace(l.Service, "/levy_none", "/other", 1) },
		"different logins":    func(l *pg.Logins) { l.Service = l.Owner },
		"to be different":     func(l *pg.Logins) { l.Worker = l.Service },
		"of the admin must":   func(l *pg.Logins) { l.Admin = "postgres://levy:secret@local host/levy" },
		"of ASCII":            func(l *pg.Logins) { l.Owner = strings.Replace(l.Owner, "-secret", "-secr%C3%A9t", 1) },
		"may do more": func(l *pg.Logins) {
			name := models.NewID("mighty")
			_, err := d.admin.Exec(t.Context(), "CREATE ROLE "+name+" LOGIN CREATEDB PASSWORD 'secret'")
			require.NoError(t, err)
			l.Owner = strings.Replace(l.Owner, d.prefix+"_owner", name, 1)
		},
	} {
		l := d.Logins
		change(&l)
		_, err := pg.CreateLogins(t.Context(), l)
		require.ErrorContains(t, err, reason)
		require.NotContains(t, err.Error(), "secr")
	}
}

// deployment is a database that may not exist yet, and who logs in to it.
type deployment struct {
	prefix   string // begins the names of its logins
	database string
	admin    *pgx.Conn
	at       *pgx.ConnConfig
	pg.Logins
}

func newDeployment(t *testing.T, admin, database string) *deployment {
	t.Helper()
	at, err := pgx.ParseConfig(admin)
	require.NoError(t, err)
	d := &deployment{prefix: models.NewID("roles"), database: database, admin: connectTo(t, admin), at: at}
	d.Admin, d.Owner, d.Service, d.Worker = admin, d.url("owner"), d.url("app"), d.url("runner")
	return d
}

func (d *deployment) url(login string) string {
	return fmt.Sprintf("postgres://%s_%s:%[2]s-secret@%s:%d/%s", d.prefix, login, d.at.Host, d.at.Port, d.database)
}

func (d *deployment) open(t *testing.T, login string, role pg.Role) *store.Store {
	t.Helper()
	return storetest.Open(t, store.Options{Role: role, MaxConnections: 2, URL: d.url(login)})
}

// make makes the logins and migrates, and returns what was changed for the logins.
func (d *deployment) make(t *testing.T) string {
	t.Helper()
	said, err := pg.CreateLogins(t.Context(), d.Logins)
	require.NoError(t, err)
	owner := d.open(t, "owner", pg.RoleLogin)
	_, err = owner.Migrate(t.Context())
	require.NoError(t, err)
	require.NoError(t, owner.SecureRows(t.Context()))
	all := strings.Join(said, "\n")
	require.NotContains(t, all, "secret")
	return all
}

// requireRunner checks that the login of workers works for all organizations, finds nothing of how people sign in, and
// takes on no role that does. The login of the service works for all of them as workers do.
func (d *deployment) requireRunner(t *testing.T) {
	t.Helper()
	ctx := models.AcrossOrganizations(t.Context())
	for login, role := range map[string]pg.Role{"runner": pg.RoleWorker, "app": pg.RoleWorker} {
		worker := d.open(t, login, role)
		require.NoError(t, worker.CheckMigrated(ctx))
		require.True(t, worker.RowsSecured(), login)
		for _, table := range []string{"sessions", "second_factors", "recovery_codes", "sign_in_links", "sign_in_devices",
			"used_sign_ins", "passkeys", "mails", "mail_stops", "onboarding_mails"} {
			_, err := worker.Exec(ctx, "SELECT FROM "+table)
			require.ErrorContains(t, err, "permission denied for table "+table, login)
		}
		for _, statement := range []string{
			"SELECT FROM memberships", "DELETE FROM memberships", "SELECT email FROM users", "SELECT password_hash FROM users",
			"UPDATE users SET staff_role = 'operator'", "DELETE FROM users", "INSERT INTO users (id) VALUES ('user_1')",
			"SELECT FROM users FOR SHARE", "SELECT hash FROM operator_keys", "UPDATE operator_keys SET revoked_at = NULL",
			"INSERT INTO operator_keys (id) VALUES ('oper_1')", "INSERT INTO attached_proofs (digest) VALUES ('1')",
			"DELETE FROM attached_proofs",
		} {
			_, err := worker.Exec(ctx, statement)
			require.ErrorContains(t, err, "permission denied for table", "%s: %s", login, statement)
		}
		for _, columns := range []string{"id, name, status, staff_role FROM users", "name, public_key FROM operator_keys"} {
			_, err := worker.Exec(ctx, "SELECT "+columns)
			require.NoError(t, err, login)
		}
		d.requireMakers(t, worker)
		for _, table := range []string{"bank_details", "transactions", "filings", "api_keys"} {
			_, err := worker.Exec(ctx, "SELECT FROM "+table)
			require.NoError(t, err, login)
		}
	}
	runner := d.open(t, "runner", pg.RoleLogin)
	for role, refused := range map[string]bool{"_owner_runner": false, "_owner_api": true, "_owner_worker": true,
		"_owner": true, "_app": true} {
		_, err := runner.Exec(ctx, "SET ROLE "+d.prefix+role)
		require.Equal(t, refused, err != nil, role)
	}
	api := d.open(t, "runner", pg.RoleAPI)
	require.NoError(t, api.CheckMigrated(ctx))
	require.False(t, api.RowsSecured(), "it cannot serve the API")
}

// requireWritesWithoutGrants checks that a release that runs while a migration adds figure_changes goes on writing: the roles
// have no right to that table yet.
func (d *deployment) requireWritesWithoutGrants(t *testing.T) {
	t.Helper()
	storetest.Execute(t, d.url("owner"), fmt.Sprintf(
		"REVOKE ALL ON figure_changes FROM %[1]s_owner_api, %[1]s_owner_worker, %[1]s_owner_runner", d.prefix))
	for currency, s := range map[string]*store.Store{
		"USD": d.open(t, "app", pg.RoleAPI), "GBP": d.open(t, "app", pg.RoleWorker), "CHF": d.open(t, "runner", pg.RoleWorker),
	} {
		ctx := models.AcrossOrganizations(t.Context())
		_, err := s.Exec(ctx, "DELETE FROM figure_changes")
		require.ErrorContains(t, err, "permission denied for table figure_changes")
		for _, statement := range []string{
			"UPDATE filings SET due_date = due_date", "UPDATE nexus_records SET enabled = enabled",
			"DELETE FROM transaction_count_changes",
			"INSERT INTO fx_rates (currency, day, rate, source) VALUES ('" + currency + "', '2026-01-01', 1, 'test')",
		} {
			_, err := s.Exec(ctx, statement)
			require.NoError(t, err, statement)
		}
	}
}

// requireMakers checks that a worker finds out whether a person may make something, and whether the sender of an Update may
// send it.
func (d *deployment) requireMakers(t *testing.T, worker *store.Store) {
	t.Helper()
	ctx := models.AcrossOrganizations(t.Context())
	owner := d.open(t, "owner", pg.RoleLogin)
	scope := storetest.Organization(t, d.url("owner"))
	ann := models.User{Email: models.NewID("ann") + "@example.com", Name: "Ann", StaffRole: new(models.StaffOperator)}
	require.NoError(t, owner.People.CreateUser(ctx, storetest.Actor, &ann, nil, []byte(ann.Email)))
	_, err := owner.People.UseLink(ctx, [][]byte{[]byte(ann.Email)}, "hash", "")
	require.NoError(t, err)
	makes := func() error {
		hash := sha256.Sum256([]byte(models.NewID("hash")))
		return worker.Organizations.CreateAPIKey(ctx, scope, models.Actor{UserID: ann.ID}, &models.APIKey{
			OrganizationID: scope.OrganizationID, ID: models.NewID(models.PrefixAPIKey), Hash: hash[:],
			Prefix: "levy_test_", Last4: "last", CreatedAt: time.Now(),
		})
	}
	uses := func() error {
		_, proof := models.AttachProof("{}", time.Now())
		require.NoError(t, owner.Organizations.AttachProof(ctx, proof, models.Actor{UserID: ann.ID}, ""))
		_, err := worker.Organizations.UseProof(ctx, proof, "run/1")
		return err
	}
	require.NoError(t, makes())
	require.NoError(t, uses())
	storetest.Execute(t, d.url("owner"), "UPDATE users SET status = 'DISABLED' WHERE id = $1", ann.ID)
	require.ErrorIs(t, makes(), models.ErrMakerEnded)
	require.ErrorIs(t, uses(), models.ErrNoOperator)
	storetest.Execute(t, d.url("owner"), "UPDATE users SET status = 'ACTIVE', staff_role = NULL WHERE id = $1", ann.ID)
	require.ErrorIs(t, makes(), models.ErrMakerEnded, "without a role")
	require.ErrorIs(t, uses(), models.ErrNoOperator, "without a role")
}

// requireRoles checks what who serves may, and that he owns nothing, as do those who served before.
func (d *deployment) requireRoles(t *testing.T, before ...string) {
	t.Helper()
	for _, role := range []pg.Role{pg.RoleAPI, pg.RoleWorker, pg.RoleLogin} {
		app, ctx := d.open(t, "app", role), models.AcrossOrganizations(t.Context())
		require.NoError(t, app.CheckMigrated(ctx))
		require.Equal(t, role != pg.RoleLogin, app.RowsSecured())
		for statement, refused := range map[string]string{
			"CREATE TABLE mine (id int)":            "42501",
			"ALTER TABLE audit DISABLE TRIGGER ALL": "42501",
			"UPDATE audit SET action = 'READ'":      "42501",
			"DELETE FROM audit_seals":               "42501",
			"COPY audit TO PROGRAM 'cat'":           "42501",
			"SELECT pg_read_file('/etc/passwd')":    "42501",
			"CREATE ROLE other":                     "42501",
			"SET ROLE " + d.prefix + "_owner":       "42501",
			"RESET ROLE":                            "",
			"SELECT FROM bank_details":              "",
			"SELECT FROM content_versions":          "",
			`SELECT 1 / (CASE WHEN rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls THEN 0 ELSE 1 END)
			   FROM pg_roles
			  WHERE rolname = session_user`: "",
		} {
			_, err := app.Exec(ctx, statement)
			code := ""
			if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok {
				code = pgErr.Code
			}
			require.Equal(t, refused, code, "%s: %s: %v", role, statement, err)
		}
	}
	var owned int
	require.NoError(t, d.admin.QueryRow(t.Context(),
		"SELECT count(*) FROM pg_shdepend d JOIN pg_roles r ON r.oid = d.refobjid "+
			"WHERE r.rolname = ANY ($1) AND d.deptype = 'o'", append(before, d.prefix+"_app")).Scan(&owned))
	require.Zero(t, owned, "who serves, or served, owns something")
}
