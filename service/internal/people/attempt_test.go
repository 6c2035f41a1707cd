package people

import (
	"context"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/netip"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/contract/problem"
	"levy/internal/secret"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/deps"
	"levy/service/limit"
)

// signIns are the operations with people in memory. Their hashes cost nothing; each waits until the test lets it go on.
type signIns struct {
	*Operations
	*inMemory

	began chan string // each password that is hashed
}

// inMemory are people without a database.
type inMemory struct {
	deps.People

	known   []models.User
	devices map[string][]string // ids of accounts by the hash of the device
	tried   atomic.Int64        // passwords and codes
	goOn    chan struct{}
	proven  []string // ids of people who proved their sessions
	proofs  []models.SignInProof

	factor     *models.SecondFactor // of everybody; nil for none
	rightCodes bool                 // any recovery code is right

	held []models.Passkey
	used [][]byte // hashes of answered challenges
}

func newSignIns(t *testing.T) *signIns {
	t.Helper()
	ring, err := secret.ParseRing(secret.NewMasterKey("test"))
	require.NoError(t, err)
	s := &signIns{
		inMemory: &inMemory{devices: map[string][]string{}, goOn: make(chan struct{})}, began: make(chan string, 1000),
	}
	now := func() time.Time { return testNow }
	passwords := NewPasswords()
	passwords.derive = func(password, _ []byte, _, _ uint32, _ uint8, length uint32) []byte {
		s.tried.Add(1)
		s.began <- string(password)
		<-s.goOn
		return append(make([]byte, int(length)-len(password)), password...)
	}
	s.Operations = New(&deps.Deps{People: s.inMemory}, now, nil, secret.NewKeyHasher(ring), slog.New(slog.DiscardHandler),
		limit.NewAccounts(now), limit.NewFailures(now), passwords,
		NewRelyingParty("http://localhost:8080", false), nil, nil)
	return s
}

// add adds an account with a password.
func (s *signIns) add(email, password string) *models.User {
	key := append(make([]byte, argonKey-len(password)), password...)
	hash := encoded([]byte("the salt of all"), key)
	s.known = append(s.known, models.User{
		ID: models.NewID(models.PrefixUser), Email: email, EmailKey: models.EmailKey(email), Status: models.UserActive,
		PasswordHash: &hash,
	})
	return &s.known[len(s.known)-1]
}

func (s *inMemory) Accounts(_ context.Context, email string) (all []models.User, err error) {
	for _, u := range s.known {
		if u.EmailKey == models.EmailKey(email) {
			all = append(all, u)
		}
	}
	return all, nil
}

func (s *inMemory) Account(_ context.Context, id string) (models.User, error) {
	for _, u := range s.known {
		if u.ID == id {
			return u, nil
		}
	}
	return models.User{}, models.ErrNotFound
}

func (s *inMemory) SecondFactor(_ context.Context, _ string) (models.SecondFactor, error) {
	if s.factor != nil {
		return *s.factor, nil
	}
	return models.SecondFactor{}, models.ErrNotFound
}

func (s *inMemory) UseRecoveryCode(context.Context, models.Actor, [][]byte) error {
	s.tried.Add(1)
	<-s.goOn
	if s.rightCodes {
		return nil
	}
	return models.ErrUnauthenticated
}

func (s *inMemory) DeviceAccounts(_ context.Context, hashes [][]byte) ([]string, error) {
	return s.devices[string(hashes[0])], nil
}

func (s *inMemory) RememberDevice(_ context.Context, userID string, hash []byte) error {
	s.devices[string(hash)] = append(s.devices[string(hash)], userID)
	return nil
}

func (s *inMemory) BeginSession(_ context.Context, _ *models.User, _ []byte, by models.SignInProof, _ string) error {
	s.proofs = append(s.proofs, by)
	return nil
}

func (*inMemory) FindSession(context.Context, [][]byte) (models.User, error) {
	return models.User{}, nil
}

// signIn is a sign-in from an address by a device. It returns the cookie of the device, and the code of a refusal.
func (s *signIns) signIn(address, device string, body contract.SignIn) (cookie string, code problem.Code) {
	c := &call.Call{Outcome: &call.Outcome{}, Address: address, Device: device}
	_, err := s.SignIn(call.With(context.Background(), c), contract.SignInRequest{Body: body})
	if p, ok := err.(*problem.Problem); ok { //nolint:errorlint // the operation returns it as it is
		code = p.Code
	}
	return c.DeviceKnown, code
}

func (s *signIns) password(address, device, email, password string) (cookie string, code problem.Code) {
	return s.signIn(address, device, contract.SignIn{Email: email, Password: password})
}

// atOnce does something n times at once, all of which begins before any of it goes on, and counts the outcomes.
func (s *signIns) atOnce(n int, do func(i int) problem.Code) map[problem.Code]int {
	var mu sync.Mutex
	var all sync.WaitGroup
	codes := map[problem.Code]int{}
	for i := range n {
		all.Go(func() {
			code := do(i)
			mu.Lock()
			defer mu.Unlock()
			codes[code]++
		})
	}
	synctest.Wait()
	close(s.goOn)
	all.Wait()
	return codes
}

// Attempts count before they are tried: many at once are no more than the limit.
func TestManyPasswordsAtOnceAreNoMoreThanTheLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSignIns(t)
		s.add("zoe@example.com", "right")
		codes := s.atOnce(60, func(i int) problem.Code {
			_, code := s.password(fmt.Sprintf("192.0.2.%d:1", i), "", "ZOE@example.com", "wrong")
			return code
		})
		require.Equal(t, map[problem.Code]int{problem.CodeUnauthenticated: 10, problem.CodeRateLimited: 50}, codes)
		require.EqualValues(t, 10, s.tried.Load())
	})
	synctest.Test(t, func(t *testing.T) { // of one address, at as many accounts
		s := newSignIns(t)
		codes := s.atOnce(150, func(i int) problem.Code {
			_, code := s.password("192.0.2.1:1", "", fmt.Sprintf("zoe-%d@example.com", i), "wrong")
			return code
		})
		require.Equal(t, map[problem.Code]int{problem.CodeUnauthenticated: 100, problem.CodeRateLimited: 50}, codes)
		require.EqualValues(t, 100, s.tried.Load())
	})
}

// challengeOf returns the challenge of a person whose password was right.
func (s *signIns) challengeOf(u *models.User, ends time.Time) string {
	return s.seal(codePurpose, codeChallenge{
		UserID: u.ID, Password: hex.EncodeToString(s.keys.Hash(passwordText(u))), Ends: ends,
	})
}

// A challenge is for the person whose password was right, until it ends, and while the person has that password.
func TestAChallengeEndsWithThePassword(t *testing.T) {
	t.Parallel()
	s := newPasskeys(t)
	zoe := s.add("zoe@example.com", "right")
	s.rightCodes = true
	enters := func(challenge string) problem.Code {
		_, code := s.signIn("192.0.2.1:1", "", contract.SignIn{Challenge: challenge, Password: "AAAA-AAAA-AAAA-AAAA"})
		return code
	}
	challenge := s.challengeOf(zoe, testNow)
	require.Empty(t, enters(challenge))
	require.Equal(t, problem.CodeUnauthenticated, enters(s.challengeOf(zoe, testNow.Add(-time.Second))), "it has ended")
	require.Equal(t, problem.CodeUnauthenticated, enters(s.seal("passkey challenge", codeChallenge{
		UserID: zoe.ID, Password: hex.EncodeToString(s.keys.Hash(passwordText(zoe))), Ends: testNow,
	})), "it is for something else")
	require.Equal(t, problem.CodeUnauthenticated, enters(challenge[1:]))
	zoe.PasswordHash = new("another")
	require.Equal(t, problem.CodeUnauthenticated, enters(challenge), "the person has another password")
}

func TestManyCodesAtOnceAreNoMoreThanTheLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSignIns(t)
		zoe := s.add("zoe@example.com", "right")
		challenge := s.challengeOf(zoe, testNow.Add(time.Minute))
		codes := s.atOnce(90, func(i int) problem.Code {
			_, code := s.signIn("192.0.2.1:1", "", contract.SignIn{Challenge: challenge, Password: "AAAA-AAAA-AAAA-AAAA"})
			return code
		})
		require.Equal(t, map[problem.Code]int{problem.CodeUnauthenticated: 10, problem.CodeRateLimited: 80}, codes)
		require.EqualValues(t, 10, s.tried.Load())
	})
}

// An attempt that succeeds is given back: neither the address nor the account is used up by it.
func TestSignInsThatSucceedAreGivenBack(t *testing.T) {
	t.Parallel()
	s := newSignIns(t)
	close(s.goOn)
	s.add("zoe@example.com", "right")
	for range 150 {
		_, code := s.password("192.0.2.1:1", "", "zoe@example.com", "right")
		require.Empty(t, code)
	}
	// Of two accounts of an address, the password of one does not give back the attempts at the other.
	s.add("zoe@example.com", "another")
	refused := map[problem.Code]int{}
	for range 12 {
		_, code := s.password("192.0.2.1:1", "", "zoe@example.com", "another")
		refused[code]++
	}
	require.Equal(t, map[problem.Code]int{"": 10, problem.CodeRateLimited: 2}, refused)
}

// The failures of others keep nobody out who comes by a device that signed in before. It opens only its own accounts,
// and has guesses of its own.
func TestADeviceThatSignedInBeforeIsNotLockedOut(t *testing.T) {
	t.Parallel()
	s := newSignIns(t)
	close(s.goOn)
	s.add("zoe@example.com", "right")
	own, code := s.password("192.0.2.1:1", "", "zoe@example.com", "right")
	require.Empty(t, code)
	require.NotEmpty(t, own)
	s.add("zoe@example.com", "another")
	for i := range 120 {
		s.password("192.0.2.2:1", "", "zoe@example.com", "wrong "+strconv.Itoa(i))
		s.password("192.0.2.1:1", "", strconv.Itoa(i)+"@example.com", "wrong") // at her own address, too
	}
	enters := func(device, password string) problem.Code {
		_, code := s.password("192.0.2.1:1", device, "zoe@example.com", password)
		return code
	}
	require.Equal(t, problem.CodeRateLimited, enters("", "right"))
	require.Empty(t, enters(own, "right"))
	token := own[:len(own)-65]
	for name, forged := range map[string]string{
		"another signature": token + "." + hex.EncodeToString(make([]byte, 32)), "none": token, "no token": own[len(own)-65:],
	} {
		require.Equal(t, problem.CodeRateLimited, enters(forged, "right"), name)
	}
	remembered := s.devices
	s.devices = map[string][]string{}
	require.Equal(t, problem.CodeRateLimited, enters(own, "right"), "nobody has signed in by it for long")
	s.devices = remembered
	require.Equal(t, problem.CodeUnauthenticated, enters(own, "another"), "that is not an account of the device")
	for range 9 {
		require.Equal(t, problem.CodeUnauthenticated, enters(own, "wrong"))
	}
	require.Equal(t, problem.CodeRateLimited, enters(own, "right"), "it has no more guesses than others")
}

// Hashes are taken in turns by address: one from elsewhere waits for two at most, whatever waits already.
func TestPasswordsOfOneAddressDelayOthersByTwoHashes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSignIns(t)
		s.add("zoe@example.com", "right")
		var all sync.WaitGroup
		for i := range 60 {
			all.Go(func() { s.password("192.0.2.1:1", "", fmt.Sprintf("%d@example.com", i), "wrong") })
		}
		synctest.Wait()
		require.Len(t, s.began, hashesAtOnce)
		all.Go(func() {
			_, code := s.password("192.0.2.2:1", "", "zoe@example.com", "right")
			require.Empty(t, code)
		})
		synctest.Wait()
		for range hashesAtOnce {
			require.Equal(t, "wrong", <-s.began)
		}
		before := 0
		for s.goOn <- struct{}{}; <-s.began != "right"; s.goOn <- struct{}{} {
			before++
		}
		require.LessOrEqual(t, before, 2)
		close(s.goOn)
		all.Wait()
		require.Equal(t, hashesAtOnce, s.passwords.queue.free)
	})
}

// A caller who goes away leaves the queue, and the place that it has just got goes to the next.
func TestACallerWhoGoesAwayTakesNoPlace(t *testing.T) {
	t.Parallel()
	p, peer := newHashQueue(1), netip.MustParseAddr("192.0.2.1")
	require.NoError(t, p.acquire(t.Context(), peer))
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, p.acquire(gone, peer), context.Canceled)
	require.Empty(t, p.turns)
	turn := make(chan struct{})
	p.leave(peer, turn) // as if it had been called meanwhile
	require.Equal(t, 1, p.free)
}
