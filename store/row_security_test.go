package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store"
	"levy/store/pg"
	"levy/store/storetest"
)

type closedTable struct{ name, columns, values string }

// insert is the statement that writes the row of organization $1.
func (c closedTable) insert() string {
	return fmt.Sprintf("INSERT INTO %s (organization_id, %s) VALUES ($1, %s)", c.name, c.columns, c.values)
}

// closedTables are those with row-level security, with a row of an organization for each: its own
// columns beside organization_id.
var closedTables = []closedTable{
	{"data_keys", "master_key_id, wrapped", "'k1', decode(repeat('01', 60), 'hex')"},
	{"personal_data", "field, value", "'owner1_ssn', decode(repeat('01', 60), 'hex')"},
	{"bank_details", "id, details, created_at, updated_at", "'bank_1', '{}', now(), now()"},
	{"organization_details", "id, created_at, updated_at", "'odet_1', now(), now()"},
	{"api_keys", "id, hash, prefix, last4, metadata, created_at",
		"'akey_1', sha256(random()::text::bytea), 'levy_test_', 'last', '{}', now()"},
	{"registrations",
		`id, country_code, state_code, state_name, status, filing_frequency, registration_import_type, auto_registered,
		do_not_file,
		registrations_regime, imported, initial_sync, vda, sst_import, amount_fees, third_party_enabled,
		two_factor_enabled, marked_collecting,
		created_at, updated_at`,
		`'regi_1', 'US', 'TX', 'Texas', 'UNREGISTERED', 'MONTHLY', 'REGULAR', false, false, 'STANDARD', false, false, false,
		false, 0, false, false, false, now(), now()`},
	{"registration_frequencies", "registration_id, from_date, filing_frequency", "'regi_1', '1900-01-01', 'MONTHLY'"},
	{"exemption_attachments", "id, exemption_id, filename, content_type, size, sha256, created_at",
		`'exat_1', 'exem_1', 'a.pdf', 'application/pdf', 1,
		sha256(''), now()`},
	{"exemption_attachment_pieces", "attachment_id, n, content", "'exat_1', 0, 'a'"},
	{"acknowledgements", "authority, transmitter, sha256, transmission_id, message",
		"'streamlined-MI', gen_random_uuid()::text, repeat('0', 64), 'T1', 'a'"},
	{"filing_documents", "filing_id, attempt, layout, media_type, file_name, transmitter, transmission_id, document_id, day, " +
		"content, sha256, findings",
		"'file_1', 1, 'US-WA-E-FILE/1.0', 'text/plain', 'a.txt', gen_random_uuid()::text, '1', '2', '2026-01-01', 'a', " +
			"repeat('0', 64), '[]'"},
	{"filing_connections", "filing_id, attempt, connection", "'file_1', 1, 'a'"},
	{"filing_payments", "filing_id, id, amount, paid_on, method, reference, created_by",
		"'file_1', 'fpay_1', 1, '2026-01-01', 'WIRE', 'x', 'x'"},
	{"filing_entries", "filing_id, id, kind, amount, taxable, note, created_by", "'file_1', 'fent_1', 'CREDIT', 1, 0, 'x', 'x'"},
	{"notices", "id, registration_id, country_code, state_code, kind, authority, received_date, status, revision, created_at, updated_at",
		"'notc_1', 'regi_1', 'US', 'TX', 'OTHER', 'A', '2026-01-01', 'OPEN', 1, now(), now()"},
	{"notice_documents", "id, notice_id, filename, content_type, size, sha256, created_at",
		"'ndoc_1', 'notc_1', 'a.pdf', 'application/pdf', 1, sha256(''), now()"},
	{"notice_document_pieces", "document_id, n, content", "'ndoc_1', 0, 'a'"},
	{"authority_consents", "authority, state, session, user_id, verifier, expires_at", "'hmrc', 'a', 'a', 'user_1', 'a', now()"},
	{"authority_grants", "authority, tokens", "'hmrc', 'a'"},
	{"rate_overrides", "id, jurisdiction_id, country_code, state_code, jurisdiction_type, jurisdiction_name, tax_class, " +
		"rate, start_date, reason, created_at",
		"'rato_1', 'US-TX', 'US', 'TX', 'STATE', 'Texas', '', 0.05, '2026-01-01', 'a notice', now()"},
	{"audit", "id, action, entity_type, entity_id", "'audi_1', 'CREATE', 'product', 'prod_1'"},
	{"events", "type, object_id, record", "'product.created', 'prod_1', '{}'"},
	{"webhook_endpoints", "id, url, status, include_clients, signature_scheme, secret, created_at, updated_at",
		`'whep_1', 'https://example.com', 'ENABLED',
		false, 'v1', decode(repeat('01', 60), 'hex'), now(), now()`},
	{"webhook_replays", "endpoint_id, id, types, since_at, until_at, until_sequence",
		"'whep_1', 'wrpl_1', '[]', now(), now(), 1"},
	{"webhook_deliveries", "endpoint_id, id, event_organization_id, sequence, event_at, type",
		"'whep_1', 'wdel_1', 'org_1', 1, now(), 'test.ping'"},
	{"audit_seals", "number, ids, digests, master_key_id, seal", "1, '{audi_1}', sha256(''), 'k1', sha256('')"},
	{"comments", "id, object_type, object_id, user_id", "'cmnt_1', 'filing', 'file_1', 'user_1'"},
	{"comment_versions", "comment_id, number, text", "'cmnt_1', 1, 'Yes'"},
	{"audit_reseals", "master_key_id, first, last, digest, seal", "'k2', 1, 1, sha256(''), sha256('')"},
}

// secured is a database with two organizations that have a row in every closed table.
type secured struct {
	address   string
	api       *store.Store
	mine      models.Scope
	theirs    models.Scope
	asService context.Context // reaches everybody
	asMine    context.Context // reaches the first organization
}

func newSecured(t testing.TB) *secured {
	t.Helper()
	s := &secured{address: storetest.URL(t)}
	s.mine, s.theirs = storetest.Organization(t, s.address), storetest.Organization(t, s.address)
	conn := connectTo(t, s.address)
	_, err := conn.Exec(t.Context(), "SET session_replication_role = replica") // rows without what they belong to
	require.NoError(t, err)
	for _, o := range []models.Scope{s.mine, s.theirs} {
		for _, table := range []string{"organization_details", "events"} {
			_, err := conn.Exec(t.Context(), "DELETE FROM "+table+" WHERE organization_id = $1", o.OrganizationID)
			require.NoError(t, err)
		}
		for _, table := range closedTables {
			_, err := conn.Exec(t.Context(), table.insert(), o.OrganizationID)
			require.NoError(t, err, table.name)
		}
	}
	s.api = storetest.Open(t, store.Options{URL: s.address, Role: pg.RoleAPI, MaxConnections: 1})
	s.asMine = models.WithReach(t.Context(), s.mine.OrganizationID)
	s.asService = models.AcrossOrganizations(t.Context())
	require.NoError(t, s.api.Ping(t.Context()))
	require.True(t, s.api.RowsSecured())
	return s
}

// The API reads, changes and deletes only rows of the organizations that its request can access, even without any
// WHERE. This holds through pgx and GORM, in a database transaction and outside.
func TestAStatementWithoutAConditionSeesNoOtherOrganization(t *testing.T) {
	t.Parallel()
	s := newSecured(t)
	conn := connectTo(t, s.address)
	rows, err := conn.Query(t.Context(), "SELECT relname::text FROM pg_class WHERE relrowsecurity ORDER BY 1")
	require.NoError(t, err)
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Len(t, closedTables, len(all))
	require.ElementsMatch(t, all, storetest.ClosedTables)
	for _, table := range closedTables {
		require.Contains(t, all, table.name)
		expect := func(ctx context.Context, seen ...string) {
			t.Helper()
			sql := "SELECT organization_id::text FROM " + table.name
			found, err := s.api.Query(ctx, sql)
			require.NoError(t, err)
			ids, err := pgx.CollectRows(found, pgx.RowTo[string])
			require.NoError(t, err)
			require.ElementsMatch(t, seen, ids, table.name)
			var throughGORM []string
			require.NoError(t, s.api.GORM(ctx).Raw(sql).Scan(&throughGORM).Error)
			require.ElementsMatch(t, seen, throughGORM, table.name)
			var n int
			require.NoError(t, s.api.QueryRow(ctx, "SELECT count(*) FROM "+table.name).Scan(&n))
			require.Equal(t, len(seen), n, table.name)
		}
		cases := func(ctx context.Context) {
			expect(models.WithReach(ctx, s.mine.OrganizationID), s.mine.OrganizationID)
			expect(models.WithReach(ctx, "org_none"))
			both := models.WithReach(ctx, s.mine.OrganizationID)
			models.ReachOf(both).Add(s.theirs.OrganizationID)
			expect(both, s.mine.OrganizationID, s.theirs.OrganizationID)
		}
		expect(t.Context()) // nothing is set
		cases(t.Context())
		expect(s.asService, s.mine.OrganizationID, s.theirs.OrganizationID)
		expect(t.Context())
		require.NoError(t, s.api.InTx(t.Context(), func(ctx context.Context) error { expect(ctx); cases(ctx); return nil }))

		_, err := s.api.Exec(s.asMine, table.insert(), s.theirs.OrganizationID)
		require.ErrorContains(t, err, "row-level security", table.name)
		if slices.Contains([]string{"audit", "audit_seals", "audit_reseals"}, table.name) {
			// These tables cannot be changed, and no role has the right to, whatever an earlier release has granted.
			for _, as := range []context.Context{s.asMine, s.asService} {
				var role string
				require.NoError(t, s.api.QueryRow(as, "SELECT current_user::text FROM "+table.name).Scan(&role))
				_, err := conn.Exec(t.Context(), fmt.Sprintf("GRANT ALL ON %s TO %s", table.name, role))
				require.NoError(t, err)
				require.NoError(t, s.api.SecureRows(t.Context()))
				for _, sql := range []string{"UPDATE %s SET organization_id = organization_id", "DELETE FROM %s", "TRUNCATE %s"} {
					_, err := s.api.Exec(as, fmt.Sprintf(sql, table.name))
					require.ErrorContains(t, err, "permission denied", "%s as %s", sql, role)
				}
			}
			continue
		}
		for _, sql := range []string{"UPDATE " + table.name + " SET organization_id = organization_id", "DELETE FROM " +
			table.name} {
			require.ErrorIs(t, s.api.InTx(s.asMine, func(ctx context.Context) error {
				if _, err := s.api.Exec(ctx, "SET CONSTRAINTS ALL DEFERRED"); err != nil {
					return err
				}
				tag, err := s.api.Exec(ctx, sql)
				if err == nil {
					require.EqualValues(t, 1, tag.RowsAffected(), sql)
				} else { // the foreign key of a row that belongs to it
					require.ErrorContains(t, err, "foreign key", sql)
				}
				return pg.ErrRollback
			}), pg.ErrRollback)
		}
	}
}

// Statements of the store on behalf of a request name an organization. One that names the wrong organization finds
// nothing, as for one that does not exist.
func TestAStatementForAnotherOrganizationFindsNothing(t *testing.T) {
	t.Parallel()
	s := newSecured(t)
	reads := map[string]func(context.Context, models.Scope) (int, error){
		"OrganizationDetails": func(ctx context.Context, o models.Scope) (int, error) {
			_, err := s.api.Organizations.OrganizationDetails(ctx, o)
			return 1, err
		},
		"BankDetails": func(ctx context.Context, o models.Scope) (int, error) {
			_, err := s.api.Organizations.BankDetails(ctx, o)
			return 1, err
		},
		"DataKey": func(ctx context.Context, o models.Scope) (int, error) {
			key, _, err := s.api.Organizations.DataKey(ctx, o.OrganizationID)
			return len(key.Wrapped) / 60, err
		},
		"SealedPersonal": func(ctx context.Context, o models.Scope) (int, error) {
			values, err := s.api.Organizations.SealedPersonal(ctx, o, "")
			return len(values), err
		},
		"APIKey": func(ctx context.Context, o models.Scope) (int, error) {
			_, err := s.api.Organizations.APIKey(ctx, o, "akey_1")
			return 1, err
		},
		"ListAPIKeys": func(ctx context.Context, o models.Scope) (int, error) {
			list, err := s.api.Organizations.ListAPIKeys(ctx, o, false, nil, models.Page{Limit: 10})
			return len(list.Items) * int(list.Total), err
		},
		"Registration": func(ctx context.Context, o models.Scope) (int, error) {
			_, err := s.api.Registrations.Registration(ctx, o, "regi_1")
			return 1, err
		},
		"ListRegistrations": func(ctx context.Context, o models.Scope) (int, error) {
			list, err := s.api.Registrations.ListRegistrations(ctx, o, models.RegistrationFilter{}, nil, models.Page{Limit: 10})
			return len(list.Items) * int(list.Total), err
		},
		"ListAudit": func(ctx context.Context, o models.Scope) (int, error) {
			list, err := s.api.Audit.ListAudit(ctx, o, models.AuditFilter{}, models.Page{Limit: 10})
			return len(list.Items) * int(list.Total), err
		},
	}
	for name, read := range reads {
		n, err := read(s.asMine, s.mine)
		require.NoError(t, err, name)
		require.Equal(t, 1, n, name)
		n, err = read(s.asMine, s.theirs)
		if err == nil {
			require.Zero(t, n, name)
		} else {
			require.ErrorIs(t, err, models.ErrNotFound, name)
		}
	}
}

// The list of onboardings reads the audit trails of the clients on its page, and of no others.
func TestOnboardingsAreListedWithWhatTheirClientsWrote(t *testing.T) {
	t.Parallel()
	s := newSecured(t)
	conn := connectTo(t, s.address)
	_, err := conn.Exec(t.Context(), "SET session_replication_role = replica")
	require.NoError(t, err)
	for _, sql := range []string{
		"UPDATE organizations SET parent_organization_id = $1 WHERE id <> $1",
		"UPDATE audit SET api_key_id = 'akey_1', at = '2026-02-03Z' WHERE organization_id <> $1",
	} {
		_, err := conn.Exec(t.Context(), sql, s.mine.OrganizationID)
		require.NoError(t, err)
	}
	list, err := s.api.Organizations.ListOnboardings(s.asMine, s.mine, models.OnboardingFilter{}, nil,
		models.Page{Limit: 10})
	require.NoError(t, err)
	require.Len(t, list.Items, 1)
	require.Equal(t, s.theirs.OrganizationID, list.Items[0].OrganizationID)
	require.Equal(t, "2026-02-03", list.Items[0].ProgressAt.Format(time.DateOnly))
}

// A function that a trigger executes as the owner of the tables writes for any organization. A trigger on a table of
// one's own would execute it with any rows.
func TestTheServiceMakesNoTriggersOfFunctionsOfTheOwner(t *testing.T) {
	t.Parallel()
	s := newSecured(t)
	rows, err := connectTo(t, s.address).Query(t.Context(), `SELECT oid::regprocedure::text FROM pg_proc
		WHERE prosecdef AND prorettype = 'trigger'::regtype AND pronamespace = current_schema()::regnamespace`)
	require.NoError(t, err)
	functions, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Contains(t, functions, "note_skipped()")
	for _, function := range functions {
		_, err := s.api.Exec(s.asMine, `DO $$ BEGIN
			  CREATE TEMP TABLE mine (organization_id text) ON COMMIT DROP;
			  CREATE TRIGGER note AFTER DELETE ON mine FOR EACH ROW EXECUTE FUNCTION `+function+`; END $$`)
		require.ErrorContains(t, err, "42501", function)
	}
}

// The roles are created by a login with the right to, for any number of databases at once. The error of one without
// it names the statements to run, and the service continues without the roles.
func TestRolesAreCreatedByALoginWithTheRight(t *testing.T) {
	t.Parallel()
	admin := connectTo(t, storetest.URL(t))
	open := func(name, rights string, databases int) (owner string, urls []string, stores []*store.Store) {
		owner = models.NewID("levy_" + name)
		_, err := admin.Exec(t.Context(), fmt.Sprintf("CREATE ROLE %s LOGIN PASSWORD 'secret' %s", owner, rights))
		require.NoError(t, err)
		for range databases {
			address := storetest.UnmigratedURL(t)
			at, err := pgx.ParseConfig(address)
			require.NoError(t, err)
			_, err = admin.Exec(t.Context(), fmt.Sprintf("ALTER DATABASE %s OWNER TO %s", at.Database, owner))
			require.NoError(t, err)
			address = fmt.Sprintf("postgres://%s:secret@%s:%d/%s", owner, at.Host, at.Port, at.Database)
			urls = append(urls, address)
			stores = append(stores, storetest.Open(t, store.Options{URL: address, Role: pg.RoleAPI, MaxConnections: 2}))
			_, err = stores[len(stores)-1].Migrate(t.Context())
			require.NoError(t, err)
		}
		return owner, urls, stores
	}

	_, _, made := open("maker", "CREATEROLE", 3)
	var running sync.WaitGroup
	for _, s := range slices.Concat(made, made) {
		running.Go(func() { require.NoError(t, s.SecureRows(t.Context())) })
	}
	running.Wait()
	for _, s := range made {
		s.Reset()
		require.NoError(t, s.CheckMigrated(t.Context()))
		require.True(t, s.RowsSecured())
	}

	owner, urls, stores := open("plain", "", 1)
	var missing *pg.RolesError
	require.ErrorAs(t, stores[0].SecureRows(t.Context()), &missing)
	stores[0].Reset()
	require.NoError(t, stores[0].CheckMigrated(t.Context()))
	require.False(t, stores[0].RowsSecured())
	for _, statement := range missing.Statements {
		_, err := admin.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	require.NoError(t, stores[0].SecureRows(t.Context()))
	stores[0].Reset()
	require.NoError(t, stores[0].CheckMigrated(t.Context()))
	require.True(t, stores[0].RowsSecured())

	// A login that owns nothing can run the service as well.
	plain, err := pgx.ParseConfig(urls[0])
	require.NoError(t, err)
	service := owner + "_service"
	_, err = admin.Exec(t.Context(),
		fmt.Sprintf("CREATE ROLE %s LOGIN PASSWORD 'secret' IN ROLE %s_api, %[2]s_worker", service, owner))
	require.NoError(t, err)
	s := storetest.Open(t, store.Options{Role: pg.RoleAPI,
		URL: fmt.Sprintf("postgres://%s:secret@%s:%d/%s", service, plain.Host, plain.Port, plain.Database)})
	require.NoError(t, s.CheckMigrated(t.Context()))
	require.True(t, s.RowsSecured())
	_, err = s.Exec(models.AcrossOrganizations(t.Context()), "SELECT FROM bank_details")
	require.NoError(t, err)
}

// Values that GORM reads from closed tables are the same as those of others, digit by digit.
func TestValuesOfClosedTablesAreWholeForGORM(t *testing.T) {
	t.Parallel()
	s := newSecured(t)
	const values = `SELECT v::numeric::text AS text, v::numeric AS value, ARRAY['a', 'b,"c"', NULL]::text[] AS list,
		  '{"a": 1}'::jsonb AS document,
		'\x0102'::bytea AS bytes, true AS yes, 7::smallint AS small, 1.5::float8 AS float, '2026-01-02'::date AS day,
		'2026-01-02 03:04:05.000006Z'::timestamptz AS moment, NULL::numeric AS none
		FROM unnest(ARRAY['0', '0.00', '-0.01', '1', '10000', '10000.50', '123456789012345678.90', '0.00010',
		            '-99999999.99999999', '1e-20', '1e20']) AS v`
	type row struct {
		Text, Value, List string
		Document          json.RawMessage
		Bytes             []byte
		Yes               bool
		Small             int
		Float             float64
		Day, Moment       time.Time
		None              *string
	}
	read := func(sql string) (found []row) {
		require.NoError(t, s.api.GORM(s.asMine).Raw(sql).Scan(&found).Error)
		return found
	}
	plain, closed := read(values), read(values+" CROSS JOIN bank_details")
	require.Len(t, closed, 11)
	require.Equal(t, plain, closed)
	for _, row := range closed {
		require.Equal(t, row.Text, row.Value)
	}
}
