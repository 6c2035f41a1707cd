package storetest

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/models"
	"levy/store"
)

// NewKey returns a key and its record, which is not stored.
func NewKey(hasher *secret.KeyHasher) (string, *models.APIKey) {
	key := secret.NewAPIKey(secret.KindTest)
	prefix, last4 := secret.Shown(key)
	return key, &models.APIKey{
		ID: models.NewID(models.PrefixAPIKey), Hash: hasher.Hash(key), Prefix: prefix, Last4: last4,
	}
}

// NewStore returns a store on an empty database, and the address of the database.
func NewStore(t *testing.T) (s *store.Store, address string) {
	t.Helper()
	address = URL(t)
	return Open(t, store.Options{URL: address}), address
}

func Execute(t *testing.T, address, sql string, args ...any) {
	t.Helper()
	_, err := SQL(t, address).Exec(t.Context(), sql, args...)
	require.NoError(t, err)
}

// Dump returns the content of a database, a text for each table.
func Dump(tb testing.TB, address string) map[string]string {
	tb.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, address)
	require.NoError(tb, err)
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, "SET bytea_output = 'escape'") // so that a text in bytes is readable
	require.NoError(tb, err)
	rows, err := conn.Query(ctx,
		`SELECT quote_ident(table_schema) || '.' || quote_ident(table_name)
		   FROM information_schema.tables
		  WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`)
	require.NoError(tb, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(tb, err)
	content := map[string]string{}
	for _, table := range tables {
		var text string
		require.NoError(tb, conn.QueryRow(ctx,
			"SELECT coalesce(string_agg(t::text, E'\\n'), '') FROM "+table+" t").Scan(&text))
		content[table] = text
	}
	require.NotEmpty(tb, content["public.api_keys"])
	return content
}

// NewHasher returns a hasher under a master key of its own.
func NewHasher(t *testing.T) *secret.KeyHasher {
	t.Helper()
	ring, err := secret.ParseRing(secret.NewMasterKey("test"))
	require.NoError(t, err)
	return secret.NewKeyHasher(ring)
}

// NewRoot bootstraps an installation and returns its root organization.
func NewRoot(t *testing.T, s *store.Store) models.Scope {
	t.Helper()
	made, err := s.Organizations.Bootstrap(t.Context(), NewHasher(t), models.Actor{}, "Partner", true)
	require.NoError(t, err)
	return models.Scope{OrganizationID: made.OrganizationID}
}

func NewClient(name string) *models.Organization {
	id := models.NewID(models.PrefixOrganization)
	return &models.Organization{
		ID: id, ExternalID: id, Name: &name, Status: models.OrganizationActive, IsTest: true,
		BillingPlan: "FREE", OnboardingStatus: models.OnboardingInProgress,
	}
}

// CreateClient creates a client of root by the first step of its onboarding. Errors: *models.DuplicateError (name),
// *models.LimitError.
func CreateClient(ctx context.Context, s *store.Store, root models.Scope, o *models.Organization) error {
	return s.Organizations.CompleteStep(ctx, models.StepSubmission{
		OrganizationID: o.ID, Step: models.StepOrganization, ID: models.NewID(models.PrefixSubmission),
		APIKeyID: Actor.APIKeyID, RequestID: Actor.RequestID, Organization: &models.OrganizationDraft{
			ParentID: root.OrganizationID, ExternalID: o.ExternalID, Name: *o.Name, Source: "API", IsTest: o.IsTest,
		},
	}, models.StepWork{})
}

var Actor = models.Actor{APIKeyID: "akey_test", RequestID: "req_test"}
