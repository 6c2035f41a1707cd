package people_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// A customer's data can be exported, and after its erasure no table contains it.
func TestNothingNamesAnErasedCustomer(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	root := storetest.NewRoot(t, s)
	ann := models.Actor{Staff: "ann"}
	u := &models.User{Email: "zoelle@example.com", Name: "Zoelle Strand"}
	require.NoError(t, s.People.CreateUser(t.Context(), ann, u,
		&models.Membership{OrganizationID: root.OrganizationID, Role: models.RoleAdmin}, []byte("link")))
	require.NoError(t, s.People.BeginSession(t.Context(), u, []byte("session"), models.SignInProof{}, "req_1"))
	require.NoError(t, s.People.RememberDevice(t.Context(), u.ID, []byte("device")))
	require.NoError(t, s.People.SaveView(t.Context(), models.Actor{UserID: u.ID},
		models.SavedView{List: "filings", Name: "Of Zoelle", Query: "state_code=TX"}))
	_, err := s.Work.CreateComment(t.Context(), root, models.Actor{UserID: u.ID},
		models.CommentSubject{Type: models.CommentOnOrganization, ID: root.OrganizationID}, "Written for myself", []string{u.ID})
	require.NoError(t, err)
	c := &models.Customer{
		ID: models.NewID(models.PrefixCustomer), ExternalID: "zoelle-strand",
		Name: new("Zoelle Strand"), Email: new("zoelle@example.com"),
		Phone: new("555 0100 zoelle"), Street1: new("1 Zoelle Way"), City: new("Albany"), State: new("NY"), Country: new("US"),
		AddressStatus: "UNVERIFIED", Source: "API", Status: models.CustomerActive,
		TaxRegistrations: []models.CustomerTaxRegistration{{TaxID: "zoelle-1"}},
	}
	require.NoError(t, s.Catalog.CreateCustomer(t.Context(), root, ann, c))

	held := func(id string) (kinds []string, all string) {
		require.NoError(t, s.People.PersonalData(t.Context(), ann, id, func(kind string, record json.RawMessage) error {
			kinds, all = append(kinds, kind), all+strings.ToLower(string(record))
			return nil
		}))
		return kinds, all
	}
	kinds, all := held(u.ID)
	require.Subset(t, kinds, []string{"user", "membership", "saved_view", "comment", "mention", "session", "device", "audit"})
	require.Contains(t, all, "zoelle@example.com")
	require.Contains(t, all, "of zoelle")
	require.Contains(t, all, "written for myself")
	require.NotRegexp(t, `hash["_]`, all, "the name of a column; an identifier may have the four letters")
	fein := models.ExemptionRecord{Exemption: models.Exemption{
		ID: models.NewID(models.PrefixExemption), ExemptionType: models.ExemptionWholesale,
		StartDate: time.Now(), CountryCode: "US",
		Status: models.ExemptionActive, CustomerID: &c.ID, FEIN: new("12-3456789"),
	}}
	require.NoError(t, s.Catalog.CreateExemption(t.Context(), root, ann, &fein))
	kinds, all = held(c.ID)
	require.Equal(t, []string{"customer", "exemption"}, kinds)
	require.Contains(t, all, `"tax_id":"zoelle-1"`)
	require.Contains(t, all, "1 zoelle way")
	kinds, _ = held(root.OrganizationID)
	require.Subset(t, kinds, []string{"organization", "api_key", "membership"})

	storetest.Execute(t, address, `INSERT INTO idempotency_keys (organization_id, key_hash, fingerprint, status, body,
		  expires_at)
		VALUES ($1, sha256('key'), sha256('request'), 200, convert_to($2, 'UTF8'), now() + interval '1 day')`,
		root.OrganizationID, `{"id":"`+u.ID+`","name":"Zoelle"}`)
	for range 2 { // a second time changes nothing
		require.NoError(t, s.People.EraseUser(t.Context(), ann, u.ID))
		require.NoError(t, s.People.EraseCustomer(t.Context(), ann, c.ID))
	}
	kinds, all = held(c.ID)
	require.Equal(t, []string{"erasure", "erasure", "customer", "exemption"}, kinds,
		"the export says that the data is erased, and what stays")
	require.Contains(t, all, `"name":"erased on request"`)
	require.Contains(t, all, `"tax_registrations":[]`)
	require.Contains(t, all, "12-3456789", "tax law keeps it")
	require.NotContains(t, all, "zoelle")
	kinds, _ = held(u.ID)
	require.Contains(t, kinds, "erasure")
	conn, err := pgx.Connect(t.Context(), address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	_, err = conn.Exec(t.Context(), "SET bytea_output = 'escape'") // so that a text in bytes is one
	require.NoError(t, err)
	var tables []string
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT array_agg(format('%I', relname)) FROM pg_class
		WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`).Scan(&tables))
	for _, table := range tables {
		var found int
		require.NoError(t, conn.QueryRow(t.Context(),
			"SELECT count(*) FROM "+table+" t WHERE t::text ILIKE '%zoelle%'").Scan(&found))
		// The audit trail keeps the names of actors: it cannot be changed.
		require.True(t, found == 0 || table == "audit", "%d rows of %s", found, table)
	}
	require.ErrorIs(t, s.People.EraseUser(t.Context(), ann, models.NewID(models.PrefixUser)), models.ErrNotFound)
	require.ErrorIs(t, s.People.EraseCustomer(t.Context(), ann, models.NewID(models.PrefixCustomer)), models.ErrNotFound)
	var city string
	require.NoError(t, conn.QueryRow(t.Context(), "SELECT city FROM customers WHERE id = $1", c.ID).Scan(&city))
	require.Equal(t, "Albany", city, "the data by which its sales are taxed stays")
	var erasures int
	require.NoError(t, conn.QueryRow(t.Context(),
		"SELECT count(*) FROM audit WHERE action = 'erase' AND staff = 'ann'").Scan(&erasures))
	require.Equal(t, 4, erasures)
}

// Saved views that name a customer or a person are deleted with an erasure, also those of others. Views with a part of
// the name are named.
func TestSavedViewsThatNameAnErasedSubjectAreDeleted(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	root, other := storetest.NewRoot(t, s), storetest.Organization(t, address)
	ann := models.Actor{Staff: "ann"}
	person := func(name string, of models.Scope) *models.User {
		u := &models.User{Email: name + "@example.com", Name: name + " Meyer"}
		require.NoError(t, s.People.CreateUser(t.Context(), ann, u,
			&models.Membership{OrganizationID: of.OrganizationID, Role: models.RoleAdmin}, []byte(name)))
		return u
	}
	near, far := person("near", root), person("far", other)
	c := &models.Customer{
		ID: models.NewID(models.PrefixCustomer), ExternalID: "C-77", Name: new("Zoë Strand"), Email: new("zoe@example.com"),
		Phone: new("+1 555 010 0199"), AddressStatus: "UNVERIFIED", Source: "API", Status: models.CustomerActive,
		TaxRegistrations: []models.CustomerTaxRegistration{},
	}
	require.NoError(t, s.Catalog.CreateCustomer(t.Context(), root, ann, c))
	save := func(u *models.User, name, query string) {
		require.NoError(t, s.People.SaveView(t.Context(), models.Actor{UserID: u.ID},
			models.SavedView{List: "transactions", Name: name, Query: query}))
	}
	for name, query := range map[string]string{
		"Zoë Strand": "", "by id": "customer_id=" + c.ID, "by address": "search_query=ZOE%40example.com",
		"by phone": "search_query=%28555%29+010-0199", "by name": "search_query=of+zo%C3%AB++strand", "by number": "search_query=C-77",
	} {
		save(near, name, query)
	}
	save(near, "a part", "search_query=strand")
	save(near, "another", "search_query=strandline&status=COMPLETED")
	save(near, "another number", "search_query=C-778")
	save(far, "by name", "search_query=Zo%C3%AB+Strand")
	save(far, "by address", "search_query=zoe%40example.com")
	save(far, "Near Meyer", "assignee=near%40example.com")
	names := func(u *models.User) (names []string) {
		views, err := s.People.SavedViews(t.Context(), u.ID)
		require.NoError(t, err)
		for _, v := range views {
			names = append(names, v.Name)
		}
		return names
	}
	storetest.Execute(t, address, `INSERT INTO exception_notes (organization_id, type, object_id, note, updated_at)
		VALUES ($1, 'TRANSACTION', 'tran_1', 'Call Zoë STRAND again', now()),
		       ($1, 'TRANSACTION', 'tran_2', 'Strandline', now()), ($2, 'TRANSACTION', 'tran_3', 'Zoë Strand', now())`,
		root.OrganizationID, other.OrganizationID)
	comment, err := s.Work.CreateComment(t.Context(), root, models.Actor{UserID: near.ID},
		models.CommentSubject{Type: models.CommentOnOrganization, ID: root.OrganizationID}, "Zoë Strand has called", nil)
	require.NoError(t, err)
	mentions, err := s.People.Mentions(t.Context(), c.ID)
	require.NoError(t, err)
	require.Equal(t, []models.Mention{
		{Place: "saved_views", ID: near.ID, Text: "a part: transactions?search_query=strand"},
		{Place: "exception_notes.note", ID: "tran_1", Text: "Call Zoë STRAND again"},
		{Place: "comment_versions.text", ID: comment.ID, Text: "Zoë Strand has called"},
	}, mentions)
	require.NoError(t, s.People.EraseCustomer(t.Context(), ann, c.ID))
	require.Equal(t, []string{"a part", "another", "another number"}, names(near))
	require.Equal(t, []string{"by name", "Near Meyer"}, names(far), "a name may be that of somebody else elsewhere")
	mentions, err = s.People.Mentions(t.Context(), c.ID)
	require.NoError(t, err)
	require.Empty(t, mentions, "nothing is known of an erased customer")
	require.NoError(t, s.People.EraseUser(t.Context(), ann, near.ID))
	require.Equal(t, []string{"by name"}, names(far))
}
