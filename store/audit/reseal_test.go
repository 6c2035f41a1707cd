package audit_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/models"
	"levy/store/audit"
	"levy/store/storetest"
)

// resealAll seals all chains again with a sealer, and returns the links of each step of this chain.
func (l *trail) resealAll(t *testing.T, sealer *secret.Sealer) (steps []audit.Resealed) {
	t.Helper()
	for after := ""; ; {
		done, err := l.Store.Audit.Reseal(t.Context(), sealer, after, 10)
		require.NoError(t, err)
		if done.OrganizationID == "" {
			if len(steps) == 0 || after == "" {
				return steps
			}
			after = ""
			continue
		}
		if done.OrganizationID == l.Scope.OrganizationID {
			steps = append(steps, done)
		}
		if after = done.OrganizationID; done.Broken != "" {
			return steps
		}
	}
}

// links writes and seals links of one row each.
func (l *trail) links(t *testing.T, first, last int) {
	t.Helper()
	for n := first; n <= last; n++ {
		l.write(t, n, n)
		l.seal(t)
	}
}

// A chain is verified without the master key of its seals once a newer one has sealed it again. With the older key it is
// verified as before. The third key takes over from the second without the first. Heads that were kept stay those of the chain.
func TestAChainIsVerifiedWithoutTheKeyThatSealedIt(t *testing.T) {
	t.Parallel()
	l := newTrail(t)
	second, third := secret.NewMasterKey("k2"), secret.NewMasterKey("k3")
	l.links(t, 1, 25)
	whole := l.verify(t, nil)
	kept := &models.AuditHead{Number: whole.Seals, Seal: whole.Head}
	const broken = "seal 1 was made with master key k1, which is not in LEVY_MASTER_KEYS, and no other key has sealed it again"

	both := sealerOf(t, second+","+l.keys)
	require.Len(t, l.resealAll(t, both), 3)
	l.sealer = both
	l.links(t, 26, 30) // by the second key
	require.Empty(t, l.resealAll(t, both), "what the second key has sealed needs no other seal")
	for _, keys := range []string{second, second + "," + l.keys, l.keys + "," + second, third + "," + second} {
		l.sealer = sealerOf(t, keys)
		require.Empty(t, l.verify(t, kept).Broken, keys[:2])
	}
	l.sealer = sealerOf(t, l.keys)
	require.Contains(t, l.verify(t, kept).Broken, "seal 26 was made with master key k2")
	l.sealer = sealerOf(t, third)
	require.Equal(t, broken, l.verify(t, nil).Broken)

	newest := sealerOf(t, third+","+second)
	l.Store.Audit.SetResealRows(4) // ends a batch after four rows, but inside no range of the second key
	steps := l.resealAll(t, newest)
	require.Len(t, steps, 5)
	for n, links := range []int64{10, 10, 5, 4, 1} {
		require.Equal(t, links, steps[n].Links)
	}
	l.sealer = sealerOf(t, third)
	v := l.verify(t, kept)
	require.Empty(t, v.Broken)
	require.Equal(t, int64(30), v.Seals)
	require.Contains(t, l.verify(t, &models.AuditHead{Number: 7, Seal: whole.Head}).Broken, "seal 7 is not the one that was kept")
	l.sealer = both
	require.Empty(t, l.verify(t, kept).Broken, "the proof of the second key stays")
}

// Without the older key a chain that was changed after it was sealed again is broken, and so is one without these seals.
// The older key alone proves nothing against the newer one.
func TestARangeThatWasSealedAgainCannotBeChanged(t *testing.T) {
	t.Parallel()
	l := newTrail(t)
	second := secret.NewMasterKey("k2")
	l.links(t, 1, 4)
	both := sealerOf(t, second+","+l.keys)
	require.Len(t, l.resealAll(t, both), 1)
	l.sealer = sealerOf(t, second)
	require.Empty(t, l.verify(t, nil).Broken)
	l.pastTheGuards(t, "CREATE TABLE kept AS TABLE audit", "CREATE TABLE kept_seals AS TABLE audit_seals",
		"CREATE TABLE kept_again AS TABLE audit_reseals")
	restore := func() {
		l.pastTheGuards(t, "DELETE FROM audit", "INSERT INTO audit SELECT * FROM kept", "DELETE FROM audit_seals",
			"INSERT INTO audit_seals SELECT * FROM kept_seals", "DELETE FROM audit_reseals",
			"INSERT INTO audit_reseals SELECT * FROM kept_again")
	}
	own := " WHERE organization_id = '" + l.Scope.OrganizationID + "' AND "
	const again = "seals 1 to 4 are not those that master key k2 has sealed again"
	for _, c := range []struct{ broken, harm string }{
		{again, "UPDATE audit_seals SET seal = sha256('a')" + own + "number = 2"},
		{again, "UPDATE audit_seals SET master_key_id = 'k2', seal = sha256('a') WHERE false; UPDATE audit_reseals SET seal = sha256('a')"},
		{again, "UPDATE audit_reseals SET digest = sha256('a')"},
		{"row audt_00002 of seal 2 was changed", "UPDATE audit SET staff = 'bob' WHERE id = 'audt_00002'"},
		{"seal 4, which master key k2 has sealed again, is missing", "DELETE FROM audit_seals" + own + "number = 4; " +
			"DELETE FROM audit WHERE id = 'audt_00004'"},
		{"seal 1 was made with master key k1, which is not in LEVY_MASTER_KEYS, and no other key has sealed it again",
			"DELETE FROM audit_reseals"},
		{"seal 1 was made with master key k1, which is not in LEVY_MASTER_KEYS, and no other key has sealed it again",
			"UPDATE audit_reseals SET master_key_id = 'k9'"},
	} {
		l.pastTheGuards(t, c.harm)
		require.Equal(t, c.broken, l.verify(t, nil).Broken, c.harm)
		restore()
		require.Empty(t, l.verify(t, nil).Broken)
	}

	// The first key is known to a thief, who makes the whole chain anew.
	thief := sealerOf(t, l.keys)
	l.pastTheGuards(t, "DELETE FROM audit_seals", "INSERT INTO audit_unsealed SELECT array_agg(organization_id::text), "+
		"array_agg(id::text) FROM audit", "UPDATE audit SET staff = 'bob' WHERE id = 'audt_00002'")
	require.NoError(t, l.Store.Audit.SealAll(t.Context(), thief))
	l.sealer = both
	require.Equal(t, "seal 4, which master key k2 has sealed again, is missing", l.verify(t, nil).Broken)

	_, err := l.SQL.Exec(t.Context(), "UPDATE audit_reseals SET seal = sha256('')")
	require.ErrorContains(t, err, "are only added")
}

// A chain that is broken is not sealed again: the newer key would prove what the older one refutes. Others are.
func TestABrokenChainIsNotSealedAgain(t *testing.T) {
	t.Parallel()
	l := newTrail(t)
	other := storetest.Organization(t, l.URL)
	storetest.Execute(t, l.URL, `INSERT INTO audit (organization_id, id, action, entity_type, entity_id)
		VALUES ($1, 'audt_00001', 'create', 'product', 'p')`, other.OrganizationID)
	l.links(t, 1, 3)
	l.pastTheGuards(t, "UPDATE audit_seals SET digests = sha256('a') WHERE organization_id = '"+l.Scope.OrganizationID+
		"' AND number = 2")
	second := secret.NewMasterKey("k2")
	steps := l.resealAll(t, sealerOf(t, second+","+l.keys))
	require.Equal(t, "seal 2 was changed, whose first row is audt_00002", steps[0].Broken)
	require.Zero(t, l.Count(t, "SELECT count(*) FROM audit_reseals WHERE organization_id = $1", l.Scope.OrganizationID))
	steps = l.resealAll(t, sealerOf(t, second))
	require.Contains(t, steps[0].Broken, "seal 1 was made with master key k1", "nothing is sealed again without the key that proves it")
}

// The seals of a key that is gone are taken over with the whole range that proves them, or not at all.
func TestARangeIsTakenOverAsAWhole(t *testing.T) {
	t.Parallel()
	l := newTrail(t)
	second, third := secret.NewMasterKey("k2"), secret.NewMasterKey("k3")
	l.links(t, 1, 4)
	l.resealAll(t, sealerOf(t, second+","+l.keys))
	l.pastTheGuards(t, "DELETE FROM audit_seals WHERE organization_id = '"+l.Scope.OrganizationID+"' AND number = 4")
	steps := l.resealAll(t, sealerOf(t, third+","+second))
	require.Equal(t, "seal 4, which master key k2 has sealed again, is missing", steps[0].Broken)
	require.Zero(t, l.Count(t, "SELECT count(*) FROM audit_reseals WHERE organization_id = $1 AND master_key_id = 'k3'",
		l.Scope.OrganizationID))
}

// A long chain is sealed again in parts, of which other organizations wait for one. Several processes at once, and links of
// the older key that are written meanwhile, leave one range after the other, without a gap.
func TestALongChainIsSealedAgainInParts(t *testing.T) {
	t.Parallel()
	l := newTrail(t)
	const chain = 45
	l.links(t, 1, chain)
	second := secret.NewMasterKey("k2")
	both := sealerOf(t, second+","+l.keys)
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			ctx := context.WithoutCancel(t.Context())
			for range 20 {
				_, err := l.Store.Audit.Reseal(ctx, both, "", 10)
				require.NoError(t, err)
			}
		})
	}
	l.links(t, chain+1, chain+5) // by a process that has the older key in front
	workers.Wait()
	l.resealAll(t, both)
	rows := l.Count(t, "SELECT count(*) FROM audit_reseals WHERE organization_id = $1", l.Scope.OrganizationID)
	require.Greater(t, rows, 2)
	require.Zero(t, l.Count(t, `SELECT count(*) FROM (SELECT first, lag(last, 1, 0::bigint) OVER (ORDER BY first) AS before
		FROM audit_reseals WHERE organization_id = $1) r WHERE first <> before + 1`, l.Scope.OrganizationID))
	require.Equal(t, chain+5, l.Count(t, "SELECT max(last)::int FROM audit_reseals WHERE organization_id = $1", l.Scope.OrganizationID))
	l.sealer = sealerOf(t, second)
	require.Empty(t, l.verify(t, nil).Broken)
	third := sealerOf(t, secret.NewMasterKey("k3")+","+second)
	l.resealAll(t, third)
	_, links, err := l.Store.Audit.SealsThatNeed(t.Context(), "k3", "k2")
	require.NoError(t, err)
	require.Zero(t, links)
}

// A night reads a chain in slices. None ends inside a range that was sealed again. One that had ended there before begins
// anew. The whole range alone proves links of a missing key.
func TestSlicesOfAChainThatWasSealedAgain(t *testing.T) {
	t.Parallel()
	l := newTrail(t)
	second := secret.NewMasterKey("k2")
	l.links(t, 1, 25)
	l.Store.Audit.SetSlice(1000, 4)
	slice, err := l.Store.Audit.VerifySlice(t.Context(), l.sealer, l.Scope.OrganizationID, 0, 0)
	require.NoError(t, err)
	require.Empty(t, slice.Broken)
	require.Equal(t, int64(4), slice.Through)

	require.Len(t, l.resealAll(t, sealerOf(t, second+","+l.keys)), 3)
	ends := func(sealer *secret.Sealer) (all []int64) {
		for after := int64(4); len(all) < 10; after = slice.Through {
			slice, err = l.Store.Audit.VerifySlice(t.Context(), sealer, l.Scope.OrganizationID, after, 0)
			require.NoError(t, err)
			require.Empty(t, slice.Broken)
			all = append(all, slice.Through)
			if slice.Done {
				break
			}
		}
		return all
	}
	require.Equal(t, []int64{10, 20, 25}, ends(sealerOf(t, second)))
	require.Equal(t, []int64{8, 12, 16, 20, 24, 25}, ends(l.sealer), "ranges of a key that is not there prove nothing")
}

// A slice that begins before the mark of the ledger again demands no leaf of the rows before it.
func TestASliceBeginsBeforeTheMarkAgain(t *testing.T) {
	t.Parallel()
	l := newTrail(t)
	storetest.Execute(t, l.URL, "UPDATE installation SET ledger_from_before = true")
	storetest.Execute(t, l.URL, `INSERT INTO audit (organization_id, id, action, entity_type, entity_id)
		VALUES ($1, 'audt_00001', 'create', 'transaction', 'txn_1')`, l.Scope.OrganizationID)
	l.seal(t)
	l.links(t, 2, 4)
	second := secret.NewMasterKey("k2")
	l.resealAll(t, sealerOf(t, second+","+l.keys))
	slice, err := l.Store.Audit.VerifySlice(t.Context(), sealerOf(t, second), l.Scope.OrganizationID, 3, 3)
	require.NoError(t, err)
	require.Empty(t, slice.Broken)
	require.Equal(t, []int64{4, 3}, []int64{slice.Through, slice.CoveredFrom})
}
