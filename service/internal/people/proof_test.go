package people

import (
	"context"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/service/internal/call"
)

// ProveSession notes who proved the session.
func (s *inMemory) ProveSession(_ context.Context, actor models.Actor, _ [][]byte, by models.SignInProof) error {
	s.proofs = append(s.proofs, by)
	s.proven = append(s.proven, actor.UserID)
	return nil
}

// prove proves a session of a person. It returns the code and the place of a refusal.
func (s *signIns) prove(u *models.User, body contract.SessionProof) string {
	c := &call.Call{Outcome: &call.Outcome{}, Address: "192.0.2.1:1", Person: u, Token: "of the session"}
	_, err := s.Operations.ProveSession(call.With(context.Background(), c), contract.ProveSessionRequest{Body: body})
	p := problem.Of(err)
	if p == nil {
		return ""
	}
	if len(p.Errors) > 0 {
		return string(p.Code) + " " + p.Errors[0].Path
	}
	return string(p.Code)
}

// The password of the session's own account proves it, and no other one. A wrong one counts like a sign-in.
func TestAPasswordProvesItsSession(t *testing.T) {
	t.Parallel()
	s := newSignIns(t)
	close(s.goOn)
	s.add("zoe@example.com", "right")
	s.add("zoe@example.com", "another")
	zoe := s.known[0]
	require.Empty(t, s.prove(&zoe, contract.SessionProof{Password: "right"}))
	require.True(t, zoe.Proven)
	require.Equal(t, []string{zoe.ID}, s.proven)

	zoe.Proven = false
	require.Equal(t, "validation_failed password", s.prove(&zoe, contract.SessionProof{Code: "right"}))
	for _, wrong := range []string{"another", "wrong"} {
		require.Equal(t, "validation_failed password", s.prove(&zoe, contract.SessionProof{Password: wrong}), wrong)
	}
	for i := range 8 {
		require.Equal(t, "validation_failed password", s.prove(&zoe, contract.SessionProof{Password: strconv.Itoa(i)}))
	}
	require.Equal(t, "rate_limited", s.prove(&zoe, contract.SessionProof{Password: "right"}))
	_, code := s.password("192.0.2.2:1", "", "zoe@example.com", "right")
	require.Equal(t, problem.CodeRateLimited, code, "they are the guesses of a sign-in")
	require.False(t, zoe.Proven)
	require.Len(t, s.proven, 1)
	require.Equal(t, "forbidden_for_key", s.prove(nil, contract.SessionProof{Password: "right"}))
}

// With a second step, only a code proves the session. Guesses of codes are bounded like those of a sign-in.
func TestACodeProvesTheSessionOfASecondStep(t *testing.T) {
	t.Parallel()
	s := newSignIns(t)
	close(s.goOn)
	zoe := s.add("zoe@example.com", "right")
	zoe.SecondFactor = true
	require.Equal(t, "validation_failed code", s.prove(zoe, contract.SessionProof{Password: "right"}))
	require.Zero(t, s.tried.Load(), "the password alone is not tried")
	const wrong = "AAAA-AAAA-AAAA-AAAA"
	for range 10 {
		require.Equal(t, "validation_failed code", s.prove(zoe, contract.SessionProof{Code: wrong}))
	}
	require.Equal(t, "rate_limited", s.prove(zoe, contract.SessionProof{Code: wrong}))
	require.EqualValues(t, 10, s.tried.Load())
	require.Empty(t, s.proven)
}
