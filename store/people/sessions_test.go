package people_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// A session is proven for five minutes after its sign-in, and after each proof. One that has ended, or of another
// person, stays unproven.
func TestASessionIsProvenForFiveMinutes(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	zoe := b.invite("zoe@example.com", b.a, models.RoleAdmin, "zoe")
	b.open("zoe", "with a password")
	begin := func(session string, proven *time.Duration) models.User {
		require.NoError(t, b.People.BeginSession(t.Context(), &zoe, []byte(session), models.SignInProof{Age: proven}, ""))
		return b.session(session)
	}
	require.True(t, begin("now", new(time.Duration)).Proven)
	require.True(t, begin("a while ago", new(4*time.Minute)).Proven)
	require.False(t, begin("long ago", new(6*time.Minute)).Proven)
	require.False(t, begin("unknown", nil).Proven)

	prove := func(userID, session string) error {
		return b.People.ProveSession(t.Context(), models.Actor{UserID: userID}, [][]byte{[]byte(session)}, models.SignInProof{})
	}
	require.NoError(t, prove(zoe.ID, "long ago"))
	require.True(t, b.session("long ago").Proven)
	storetest.Execute(t, b.url, "UPDATE sessions SET proven_at = now() - interval '5 minutes' WHERE hash = 'long ago'")
	require.False(t, b.session("long ago").Proven)
	require.ErrorIs(t, prove(models.NewID(models.PrefixUser), "unknown"), models.ErrNotFound)
	require.False(t, b.session("unknown").Proven)
	require.NoError(t, b.People.EndSession(t.Context(), [][]byte{[]byte("unknown")}))
	require.ErrorIs(t, prove(zoe.ID, "unknown"), models.ErrNotFound)
}

// A link that is opened between the proof of a password and the session ends both.
func TestAProofOfAnOlderPasswordBeginsNoSession(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	zoe := b.invite("zoe@example.com", b.a, models.RoleAdmin, "zoe")
	b.open("zoe", "first")
	proven, err := b.People.Account(t.Context(), zoe.ID)
	require.NoError(t, err)
	begin := func(session string) error {
		return b.People.BeginSession(t.Context(), &proven, []byte(session), models.SignInProof{}, "")
	}
	require.NoError(t, begin("before"))
	b.newLink(b.a, zoe.ID, "again")
	b.open("again", "second")
	require.ErrorIs(t, begin("after"), models.ErrUnauthenticated)
	_, err = b.People.FindSession(t.Context(), [][]byte{[]byte("after")})
	require.ErrorIs(t, err, models.ErrNotFound)
}

// A sign-in at the provider comes back once. When it has ended, it is forgotten.
func TestASignInComesBackOnce(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	use := func(state string, ends time.Time) bool {
		first, err := b.People.UseSignIn(t.Context(), []byte(state), ends)
		require.NoError(t, err)
		return first
	}
	require.True(t, use("a", time.Now().Add(-2*time.Hour)))
	require.True(t, use("b", time.Now().Add(time.Minute)))
	require.False(t, use("b", time.Now().Add(time.Minute)))
	require.True(t, use("a", time.Now()), "it would be too late anyway")
}

// A session has the second thing by which it was last proved. A password alone, and a provider, are none.
func TestASessionHasItsSecondProof(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	zoe := b.invite("zoe@example.com", b.a, models.RoleAdmin, "zoe")
	b.open("zoe", "with a password")
	by := func(kinds ...models.ProofKind) models.SignInProof {
		return models.SignInProof{Age: new(time.Duration), Kinds: kinds}
	}
	require.NoError(t, b.People.BeginSession(t.Context(), &zoe, []byte("one"), by(models.ProofPassword, models.ProofCode), ""))
	begun := b.session("one")
	require.Equal(t, models.ProofCode, begun.SecondProof)
	require.NotNil(t, begun.ProvenLastAt)
	require.NoError(t, b.People.ProveSession(t.Context(), models.Actor{UserID: zoe.ID}, [][]byte{[]byte("one")}, by(models.ProofPassword)))
	require.Empty(t, b.session("one").SecondProof)
	require.NoError(t, b.People.BeginSession(t.Context(), &zoe, []byte("two"), by(models.ProofProvider), ""))
	require.Empty(t, b.session("two").SecondProof)
}
