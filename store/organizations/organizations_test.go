package organizations_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/models"
	"levy/store/organizations"
	"levy/store/storetest"
)

func TestBootstrapHappensOnce(t *testing.T) {
	t.Parallel()
	s, _ := storetest.NewStore(t)
	hasher := storetest.NewHasher(t)
	results := make([]organizations.Bootstrapped, 6)
	var group sync.WaitGroup
	for i := range results {
		group.Go(func() {
			made, err := s.Organizations.Bootstrap(context.WithoutCancel(t.Context()), hasher, models.Actor{}, "Partner", true)
			if err == nil {
				results[i] = made
			}
		})
	}
	group.Wait()
	var created []organizations.Bootstrapped
	for _, made := range results {
		require.Equal(t, results[0].OrganizationID, made.OrganizationID, "all name the same organization")
		if made.Created() {
			created = append(created, made)
		}
	}
	require.Len(t, created, 1, "the secrets are shown to one caller only")
	require.NotEmpty(t, created[0].OrganizationID)

	principal, err := s.Organizations.FindPrincipal(t.Context(), hasher.Hashes(created[0].APIKey))
	require.NoError(t, err)
	require.Equal(t, created[0].OrganizationID, principal.OrganizationID)
	require.True(t, principal.IsRoot())
	_, err = s.Organizations.FindOperatorKey(t.Context(), hasher.Hashes(created[0].OperatorKey))
	require.NoError(t, err)
	_, err = s.Organizations.FindOperatorKey(t.Context(), hasher.Hashes(created[0].APIKey))
	require.ErrorIs(t, err, models.ErrNotFound, "an API key is no operator key")

	root, err := s.Organizations.Organization(t.Context(), models.Scope{OrganizationID: created[0].OrganizationID})
	require.NoError(t, err)
	require.Equal(t, models.OnboardingNotStarted, root.OnboardingStatus)
	require.Equal(t, models.OrganizationActive, root.Status)
	require.Equal(t, "TAX_PER_LINE", root.Settings.RoundingUnit)
}

func TestOperatorKeys(t *testing.T) {
	t.Parallel()
	s, _ := storetest.NewStore(t)
	hasher := storetest.NewHasher(t)
	key := secret.NewAPIKey(secret.KindOperator)
	public, ok := secret.PublicProofKey(key)
	require.True(t, ok)
	ann := organizations.NewOperator{Name: "Ann", Hash: hasher.Hash(key), PublicKey: public}
	id, err := s.Organizations.CreateOperator(t.Context(), storetest.Actor, ann)
	require.NoError(t, err)
	found, err := s.Organizations.FindOperatorKey(t.Context(), hasher.Hashes(key))
	require.NoError(t, err)
	require.Equal(t, id, found)

	signs, _ := secret.ProofKey(key)
	proof := func(statement string) models.Proof {
		p, err := models.ReadProof(models.SignUpdate(signs, statement, time.Now()))
		require.NoError(t, err)
		return p
	}
	first := proof("first")
	for range 2 { // the second is a repeat whose answer was lost
		who, err := s.Organizations.UseProof(t.Context(), first, "run/1")
		require.NoError(t, err)
		require.Equal(t, models.Actor{Staff: "Ann"}, who)
	}
	_, err = s.Organizations.UseProof(t.Context(), first, "run/2")
	require.ErrorIs(t, err, models.ErrProofUsed)

	require.NoError(t, s.Organizations.RevokeOperator(t.Context(), storetest.Actor, id))
	_, err = s.Organizations.FindOperatorKey(t.Context(), hasher.Hashes(key))
	require.ErrorIs(t, err, models.ErrNotFound)
	_, err = s.Organizations.UseProof(t.Context(), proof("second"), "run/3")
	require.ErrorIs(t, err, models.ErrNoOperator)
	require.ErrorIs(t, s.Organizations.RevokeOperator(t.Context(), storetest.Actor, "oper_0"), models.ErrNotFound)

	// An expired key is invalid, and an unknown one proves nothing.
	for _, other := range []organizations.NewOperator{{Name: "Bob", ExpiresAt: new(time.Now())}, {Name: ""}} {
		key := secret.NewAPIKey(secret.KindOperator)
		signs, _ = secret.ProofKey(key)
		other.Hash = hasher.Hash(key)
		other.PublicKey, _ = secret.PublicProofKey(key)
		if other.Name != "" {
			_, err = s.Organizations.CreateOperator(t.Context(), storetest.Actor, other)
			require.NoError(t, err)
		}
		_, err = s.Organizations.UseProof(t.Context(), proof("third"), "run/4")
		require.ErrorIs(t, err, models.ErrNoOperator)
	}
	operators, err := s.Organizations.ListOperators(t.Context())
	require.NoError(t, err)
	require.Len(t, operators, 2)
	require.Equal(t, []string{"Bob", "Ann"}, []string{operators[0].Name, operators[1].Name})
}

// A proof that the codec has attached is used once, by the person for whom it was attached, while that person is a
// staff operator.
func TestAttachedProofs(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	hasher, key := storetest.NewHasher(t), secret.NewAPIKey(secret.KindOperator)
	operator, err := s.Organizations.CreateOperator(t.Context(), storetest.Actor,
		organizations.NewOperator{Name: "Bob", Hash: hasher.Hash(key)})
	require.NoError(t, err)
	ann := models.User{Email: "ann@example.com", Name: "Ann", StaffRole: new(models.StaffOperator)}
	require.NoError(t, s.People.CreateUser(t.Context(), storetest.Actor, &ann, nil, []byte("link")))
	_, err = s.People.UseLink(t.Context(), [][]byte{[]byte("link")}, "hash", "")
	require.NoError(t, err)
	attach := func(who models.Actor) models.Proof {
		text, proof := models.AttachProof("{}", time.Now())
		require.NoError(t, s.Organizations.AttachProof(t.Context(), proof, who, operator))
		read, err := models.ReadProof(text)
		require.NoError(t, err)
		return read
	}
	person := models.Actor{UserID: ann.ID, UserName: "Ann"}
	for _, who := range []models.Actor{person, {Staff: "Bob"}} {
		proof := attach(who)
		for range 2 { // the second is a repeat whose answer was lost
			used, err := s.Organizations.UseProof(t.Context(), proof, "run/1")
			require.NoError(t, err)
			require.Equal(t, who, used)
		}
		_, err = s.Organizations.UseProof(t.Context(), proof, "run/2")
		require.ErrorIs(t, err, models.ErrProofUsed)
	}
	_, unknown := models.AttachProof("{}", time.Now())
	_, err = s.Organizations.UseProof(t.Context(), unknown, "run/3")
	require.ErrorIs(t, err, models.ErrNoOperator, "a proof that was never attached")

	// Of two concurrent uses one succeeds.
	proof, outcomes := attach(person), make(chan error, 2)
	for _, use := range []string{"run/4", "run/5"} {
		go func() {
			_, err := s.Organizations.UseProof(t.Context(), proof, use)
			outcomes <- err
		}()
	}
	require.ElementsMatch(t, []error{nil, models.ErrProofUsed}, []error{<-outcomes, <-outcomes})

	late := []models.Proof{attach(person), attach(models.Actor{Staff: "Bob"})}
	require.NoError(t, s.Organizations.RevokeOperator(t.Context(), storetest.Actor, operator))
	db := storetest.SQL(t, address)
	for _, change := range []string{"staff_role = 'auditor'", "staff_role = 'operator', status = 'DISABLED'"} {
		_, err = db.Exec(t.Context(), "UPDATE users SET "+change)
		require.NoError(t, err)
		for _, proof := range late {
			_, err = s.Organizations.UseProof(t.Context(), proof, "run/6")
			require.ErrorIs(t, err, models.ErrNoOperator)
		}
	}
}

func TestNamesOfLivingClientsAreUnique(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	root := storetest.NewRoot(t, s)
	first := storetest.NewClient("Acme  Trading")
	require.NoError(t, storetest.CreateClient(t.Context(), s, root, first))

	var duplicate *models.DuplicateError
	require.ErrorAs(
		t,
		storetest.CreateClient(t.Context(), s, root, storetest.NewClient(" ACME trading ")),
		&duplicate,
	)
	require.Equal(t, models.DuplicateError{Field: "name", ExistingID: first.ID}, *duplicate)

	other := storetest.Organization(t, address)
	require.NoError(
		t,
		storetest.CreateClient(t.Context(), s, other, storetest.NewClient("Acme Trading")),
		"another parent has names of its own",
	)

	long := ""
	for i := range 200 {
		long += string([]rune{0xFDFA, 0x3316, 0x3315, 0x3317, 0x332B}[(i*i+i/3)%5])
	}
	require.NoError(
		t, storetest.CreateClient(t.Context(), s, root, storetest.NewClient(long)),
		"a name may grow when it is normalised",
	)
	require.ErrorAs(
		t, storetest.CreateClient(t.Context(), s, root, storetest.NewClient(long)),
		&duplicate,
	)
}

func TestAPartnerReachesItselfAndItsClients(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	root := storetest.NewRoot(t, s)
	client := storetest.NewClient("Client")
	require.NoError(t, storetest.CreateClient(t.Context(), s, root, client))
	stranger := storetest.Organization(t, address)

	for id, reachable := range map[string]bool{
		root.OrganizationID: true, client.ID: true, stranger.OrganizationID: false, "org_x": false,
	} {
		o, err := s.Organizations.Reachable(t.Context(), root, id)
		if !reachable {
			require.ErrorIs(t, err, models.ErrNotFound)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, id, o.ID)
		require.Equal(t, id, o.Settings.OrganizationID, "settings come along")
	}
	_, err := s.Organizations.Reachable(t.Context(), models.Scope{OrganizationID: client.ID}, root.OrganizationID)
	require.ErrorIs(t, err, models.ErrNotFound, "a client does not reach its parent")
}

func TestListOrganizations(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	root := storetest.NewRoot(t, s)
	storetest.Organization(t, address) // a stranger
	for i := range 5 {
		o := storetest.NewClient(fmt.Sprintf("Client %d%%_", i))
		o.IsTest = i != 4
		require.NoError(t, storetest.CreateClient(t.Context(), s, root, o))
	}
	live := false
	byName := []models.Order{{Column: "name", Desc: true}}
	all := models.Page{Limit: 50}
	for name, c := range map[string]struct {
		filter models.OrganizationFilter
		order  []models.Order
		page   models.Page
		names  []string
		total  int64
	}{
		"root and clients": {
			order: byName, page: all,
			names: []string{"Partner", "Client 4%_", "Client 3%_", "Client 2%_", "Client 1%_", "Client 0%_"},
			total: 6,
		},
		"a page of it": {
			order: byName, page: models.Page{Limit: 2, Offset: 4}, names: []string{"Client 1%_", "Client 0%_"},
			total: 6,
		},
		"a page past the end": {order: byName, page: models.Page{Limit: 2, Offset: 40}, names: []string{}, total: 6},
		"text, any case": {
			filter: models.OrganizationFilter{Text: "LIENT 3"}, page: all, names: []string{"Client 3%_"},
			total: 1,
		},
		"percent is a character": {
			filter: models.OrganizationFilter{Text: "2%_"}, page: all, names: []string{"Client 2%_"}, total: 1,
		},
		"percent alone": {
			filter: models.OrganizationFilter{Text: `t%\`}, page: all, names: []string{}, total: 0,
		},
		"exact id": {
			filter: models.OrganizationFilter{Text: root.OrganizationID}, page: all, names: []string{"Partner"},
			total: 1,
		},
		"live ones": {
			filter: models.OrganizationFilter{IsTest: &live}, page: all, names: []string{"Client 4%_"}, total: 1,
		},
		"status": {
			filter: models.OrganizationFilter{Statuses: []models.OrganizationStatus{models.OrganizationArchived}},
			page:   all, names: []string{}, total: 0,
		},
	} {
		list, err := s.Organizations.ListOrganizations(t.Context(), root, c.filter, c.order, c.page)
		require.NoError(t, err, name)
		names := []string{}
		for _, o := range list.Items {
			names = append(names, *o.Name)
			require.Equal(t, o.ID, o.Settings.OrganizationID, "settings come along")
		}
		require.Equal(t, c.names, names, name)
		require.Equal(t, c.total, list.Total, name)
	}
	everywhere, err := s.Organizations.ListOrganizations(t.Context(), models.Scope{}, models.OrganizationFilter{}, byName, all)
	require.NoError(t, err)
	require.EqualValues(t, 7, everywhere.Total, "no scope: the stranger as well")
	_, err = s.Organizations.ListOrganizations(t.Context(), root, models.OrganizationFilter{}, []models.Order{
		{Column: "id; DROP TABLE audit"},
	}, all)
	require.Error(t, err, "only the columns of the list")
}
