package people

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/protocol/webauthncbor"
	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/service/internal/call"
)

func (s *inMemory) Passkeys(_ context.Context, userID string) (all []models.Passkey, err error) {
	for _, key := range s.held {
		if key.UserID == userID {
			all = append(all, key)
		}
	}
	return all, nil
}

func (s *inMemory) Passkey(_ context.Context, credentialID []byte) (models.Passkey, error) {
	for _, key := range s.held {
		if bytes.Equal(key.CredentialID, credentialID) {
			return key, nil
		}
	}
	return models.Passkey{}, models.ErrNotFound
}

func (s *inMemory) AddPasskey(_ context.Context, actor models.Actor, _ [][]byte, p models.Passkey) error {
	p.UserID = actor.UserID
	s.held = append(s.held, p)
	return nil
}

func (s *inMemory) RemovePasskey(_ context.Context, actor models.Actor, _ [][]byte, credentialID []byte) error {
	s.held = slices.DeleteFunc(s.held, func(p models.Passkey) bool {
		return p.UserID == actor.UserID && bytes.Equal(p.CredentialID, credentialID)
	})
	return nil
}

func (s *inMemory) UsePasskey(context.Context, models.Actor, []byte, int64) error { return nil }

func (s *inMemory) UseSignIn(_ context.Context, hash []byte, _ time.Time) (first bool, err error) {
	first = !slices.ContainsFunc(s.used, func(other []byte) bool { return bytes.Equal(other, hash) })
	s.used = append(s.used, hash)
	return first, nil
}

// authenticator is a device with a passkey, and the browser around it.
type authenticator struct {
	t      *testing.T
	key    *ecdsa.PrivateKey
	id     []byte
	owner  []byte
	origin string
	host   string
	flags  protocol.AuthenticatorFlags

	surplus    int // bytes around a credential that nobody reads
	surplusKey int // such bytes in the public key
}

func newAuthenticator(t *testing.T) *authenticator {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	id := make([]byte, 16)
	rand.Read(id)
	return &authenticator{t: t, key: key, id: id, origin: "http://localhost:8080", host: "localhost",
		flags: protocol.FlagUserPresent | protocol.FlagUserVerified}
}

// data is what the device signs about itself.
func (a *authenticator) data(flags protocol.AuthenticatorFlags, attested []byte) []byte {
	host := sha256.Sum256([]byte(a.host))
	return append(binary.BigEndian.AppendUint32(append(host[:], byte(flags)), 1), attested...)
}

// client is what the browser says about the page.
func (a *authenticator) client(kind string, options *contract.Object) []byte {
	var sent struct{ Challenge string }
	require.NoError(a.t, json.Unmarshal(*options, &sent))
	client, err := json.Marshal(map[string]any{"type": kind, "challenge": sent.Challenge, "origin": a.origin})
	require.NoError(a.t, err)
	return client
}

func (a *authenticator) answer(challenge contract.PasskeyChallenge, response map[string]any) contract.PasskeyAnswer {
	for name, value := range response {
		if raw, ok := value.([]byte); ok {
			response[name] = base64.RawURLEncoding.EncodeToString(raw)
		}
	}
	id := base64.RawURLEncoding.EncodeToString(a.id)
	credential, err := json.Marshal(map[string]any{
		"surplus": strings.Repeat("x", a.surplus),
		"id":      id, "rawId": id, "type": "public-key", "response": response, "clientExtensionResults": map[string]any{},
	})
	require.NoError(a.t, err)
	return contract.PasskeyAnswer{Token: *challenge.Token, Credential: credential}
}

// creates makes the passkey of a person.
func (a *authenticator) creates(u *models.User, challenge contract.PasskeyChallenge) contract.PasskeyAnswer {
	a.owner = []byte(u.ID)
	point, err := a.key.PublicKey.Bytes()
	require.NoError(a.t, err)
	key := map[int]any{1: 2, 3: -7, -1: 1, -2: point[1:33], -3: point[33:]}
	if a.surplusKey > 0 {
		key[-70_000] = make([]byte, a.surplusKey)
	}
	public, err := webauthncbor.Marshal(key)
	require.NoError(a.t, err)
	attested := append(make([]byte, 16), byte(len(a.id)>>8), byte(len(a.id)))
	attested = append(append(attested, a.id...), public...)
	object, err := webauthncbor.Marshal(map[string]any{"fmt": "none", "attStmt": map[string]any{},
		"authData": a.data(a.flags|protocol.FlagAttestedCredentialData, attested)})
	require.NoError(a.t, err)
	return a.answer(challenge, map[string]any{
		"clientDataJSON": a.client("webauthn.create", challenge.Options), "attestationObject": object,
		"transports": []string{"internal"},
	})
}

// signs answers a challenge with the passkey.
func (a *authenticator) signs(challenge contract.PasskeyChallenge) contract.PasskeyAnswer {
	client, data := a.client("webauthn.get", challenge.Options), a.data(a.flags, nil)
	of := sha256.Sum256(client)
	signed := sha256.Sum256(append(slices.Clone(data), of[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, a.key, signed[:])
	require.NoError(a.t, err)
	return a.answer(challenge, map[string]any{
		"clientDataJSON": client, "authenticatorData": data, "signature": signature, "userHandle": a.owner,
	})
}

// inSession is the context of a person's call.
func (s *signIns) inSession(u *models.User, token string) context.Context {
	return call.With(context.Background(),
		&call.Call{Outcome: &call.Outcome{}, Address: "192.0.2.1:1", Person: u, Token: token})
}

func (s *signIns) listed(t *testing.T, u *models.User, token string) contract.PasskeyList {
	t.Helper()
	list, err := s.ListPasskeys(s.inSession(u, token), contract.ListPasskeysRequest{})
	require.NoError(t, err)
	return list
}

// withPasskey adds a passkey of a person.
func (s *signIns) withPasskey(t *testing.T, u *models.User) *authenticator {
	t.Helper()
	device := newAuthenticator(t)
	_, err := s.SetPasskey(s.inSession(u, "session"), contract.SetPasskeyRequest{Body: contract.PasskeyUpdate{
		Name: "Laptop", Passkey: device.creates(u, s.listed(t, u, "session").Registration),
	}})
	require.NoError(t, err)
	u.Passkeys++
	return device
}

func (s *signIns) challenge(t *testing.T) contract.PasskeyChallenge {
	t.Helper()
	challenge, err := s.GetPasskeyChallenge(context.Background(), contract.GetPasskeyChallengeRequest{})
	require.NoError(t, err)
	return challenge
}

func (s *signIns) passkey(answer contract.PasskeyAnswer) problem.Code {
	_, code := s.signIn("192.0.2.1:1", "", contract.SignIn{Passkey: answer})
	return code
}

func newPasskeys(t *testing.T) *signIns {
	t.Helper()
	s := newSignIns(t)
	close(s.goOn)
	return s
}

// A passkey signs in alone, whose device has checked its user, on the address of this installation. Each challenge is
// answered once.
func TestAPasskeySignsInAlone(t *testing.T) {
	t.Parallel()
	s := newPasskeys(t)
	zoe := s.add("zoe@example.com", "right")
	device := s.withPasskey(t, zoe)
	answer := device.signs(s.challenge(t))
	require.Empty(t, s.passkey(answer))
	require.Equal(t, problem.CodeUnauthenticated, s.passkey(answer), "a challenge is answered once")
	for name, change := range map[string]func(d *authenticator){
		"its user was not checked":  func(d *authenticator) { d.flags = protocol.FlagUserPresent },
		"on a page of another site": func(d *authenticator) { d.origin = "https://levy.example" },
		"for another host":          func(d *authenticator) { d.host = "levy.example" },
		"of another person":         func(d *authenticator) { d.owner = []byte(models.NewID(models.PrefixUser)) },
		"of nobody":                 func(d *authenticator) { d.owner = nil },
		"by another key":            func(d *authenticator) { d.key = newAuthenticator(t).key },
		"that was never added":      func(d *authenticator) { d.id = []byte("another") },
	} {
		wrong := *device
		change(&wrong)
		require.Equal(t, problem.CodeUnauthenticated, s.passkey(wrong.signs(s.challenge(t))), name)
	}
	forged := device.signs(s.challenge(t))
	content, _, _ := strings.Cut(forged.Token, ".")
	forged.Token = content + ".AAAA"
	require.Equal(t, problem.CodeUnauthenticated, s.passkey(forged), "Levy did not make the challenge")
	require.Empty(t, s.passkey(device.signs(s.challenge(t))))
	s.known[0].Status = models.UserDisabled
	require.Equal(t, problem.CodeUnauthenticated, s.passkey(device.signs(s.challenge(t))))
	s.known[0].Status = models.UserActive

	_, err := s.SetPasskey(s.inSession(zoe, "session"), contract.SetPasskeyRequest{Body: contract.PasskeyUpdate{
		Remove: s.listed(t, zoe, "session").Items[0].ID}})
	require.NoError(t, err)
	require.Equal(t, problem.CodeUnauthenticated, s.passkey(device.signs(s.challenge(t))), "it was removed")
}

// A challenge ends, answers for one purpose, and in one session.
func TestAChallengeAnswersForOneThing(t *testing.T) {
	t.Parallel()
	s := newPasskeys(t)
	zoe := s.add("zoe@example.com", "right")
	device := s.withPasskey(t, zoe)
	proof := s.listed(t, zoe, "session").Proof
	require.Equal(t, problem.CodeUnauthenticated, s.passkey(device.signs(proof)), "it proves a session")
	proves := func(u *models.User, token string, challenge contract.PasskeyChallenge) string {
		c := &call.Call{Outcome: &call.Outcome{}, Address: "192.0.2.1:1", Person: u, Token: token}
		_, err := s.Operations.ProveSession(call.With(context.Background(), c), contract.ProveSessionRequest{
			Body: contract.SessionProof{Passkey: device.signs(challenge)}})
		if p := problem.Of(err); p != nil {
			return p.Errors[0].Path
		}
		return ""
	}
	require.Equal(t, "passkey", proves(zoe, "session", s.challenge(t)), "it signs in")
	require.Equal(t, "passkey", proves(zoe, "another", s.listed(t, zoe, "session").Proof))
	require.Equal(t, "passkey", proves(s.add("yan@example.com", "right"), "session", s.listed(t, zoe, "session").Proof),
		"the passkey is of another person")
	zoe = &s.known[0]
	require.Empty(t, s.proven)
	require.Empty(t, proves(zoe, "session", s.listed(t, zoe, "session").Proof))
	require.Equal(t, []string{zoe.ID}, s.proven)
	require.Equal(t, "validation_failed passkey", s.prove(zoe, contract.SessionProof{Password: "right"}),
		"the password alone proves nothing of a person with a passkey")

	early, late := s.challenge(t), s.listed(t, zoe, "session").Registration
	now := s.now()
	s.now = func() time.Time { return now.Add(challengeFor + time.Second) }
	require.Equal(t, problem.CodeUnauthenticated, s.passkey(device.signs(early)), "it has ended")
	_, err := s.SetPasskey(s.inSession(zoe, "session"), contract.SetPasskeyRequest{Body: contract.PasskeyUpdate{
		Name: "Phone", Passkey: newAuthenticator(t).creates(zoe, late)}})
	require.Equal(t, "passkey.token", problem.Of(err).Errors[0].Path)
}

// A person with a passkey does not sign in with the password alone. A passkey of the same person has to follow.
func TestAPasskeyIsTheSecondStep(t *testing.T) {
	t.Parallel()
	s := newPasskeys(t)
	s.add("zoe@example.com", "right")
	s.add("yan@example.com", "right")
	device := s.withPasskey(t, &s.known[0])
	other := s.withPasskey(t, &s.known[1])
	c := &call.Call{Outcome: &call.Outcome{}, Address: "192.0.2.1:1"}
	_, err := s.SignIn(call.With(context.Background(), c), contract.SignInRequest{
		Body: contract.SignIn{Email: "zoe@example.com", Password: "right"}})
	p := problem.Of(err)
	require.NotNil(t, p)
	require.Equal(t, problem.CodeSecondFactorRequired, p.Code)
	challenge, ok := p.Members["challenge"].(string)
	require.True(t, ok)
	after := func(challenge string, answer contract.PasskeyAnswer) problem.Code {
		_, code := s.signIn("192.0.2.1:1", "", contract.SignIn{Challenge: challenge, Passkey: answer})
		return code
	}
	require.Equal(t, problem.CodeUnauthenticated, after(challenge, other.signs(s.challenge(t))), "of another person")
	require.Equal(t, problem.CodeUnauthenticated, after(challenge[1:], device.signs(s.challenge(t))))
	require.Empty(t, after(challenge, device.signs(s.challenge(t))))
	_, code := s.signIn("192.0.2.1:1", "", contract.SignIn{Challenge: challenge, Password: "123456"})
	require.Equal(t, problem.CodeUnauthenticated, code, "the person has no codes")
}

// A secret that was begun and never confirmed makes no codes: it takes no place of a passkey.
func TestACodeThatWasNeverConfirmedIsNone(t *testing.T) {
	t.Parallel()
	s := newPasskeys(t)
	zoe := s.add("zoe@example.com", "right")
	s.withPasskey(t, zoe)
	s.factor = &models.SecondFactor{UserID: zoe.ID}
	require.ErrorIs(t, s.useCode(s.inSession(zoe, "session"), zoe, "123456", nil), models.ErrUnauthenticated)
	_, code := s.password("192.0.2.1:1", "", "zoe@example.com", "right")
	require.Equal(t, problem.CodeSecondFactorRequired, code, "it needs the passkey")
}

// A device that has not checked its user, or is on another page, adds no passkey.
func TestOnlyAPasskeyOfThisInstallationIsAdded(t *testing.T) {
	t.Parallel()
	s := newPasskeys(t)
	zoe := s.add("zoe@example.com", "right")
	for name, change := range map[string]func(d *authenticator){
		"its user was not checked":  func(d *authenticator) { d.flags = protocol.FlagUserPresent },
		"on a page of another site": func(d *authenticator) { d.origin = "https://levy.example" },
		"for another host":          func(d *authenticator) { d.host = "levy.example" },
		"it is too large":           func(d *authenticator) { d.surplus = largestCredential },
		"its key is too large":      func(d *authenticator) { d.surplusKey = largestPublicKey },
	} {
		device := newAuthenticator(t)
		change(device)
		_, err := s.SetPasskey(s.inSession(zoe, "session"), contract.SetPasskeyRequest{Body: contract.PasskeyUpdate{
			Name: "Laptop", Passkey: device.creates(zoe, s.listed(t, zoe, "session").Registration)}})
		require.Equal(t, "passkey.credential", problem.Of(err).Errors[0].Path, name)
	}
	require.Empty(t, s.held)
}

// An answer that is too large to be checked is refused, though it is right.
func TestAnAnswerOfAPasskeyIsBounded(t *testing.T) {
	t.Parallel()
	s := newPasskeys(t)
	device := s.withPasskey(t, s.add("zoe@example.com", "right"))
	device.surplus = largestCredential
	require.Equal(t, problem.CodeUnauthenticated, s.passkey(device.signs(s.challenge(t))))
	device.surplus = largestCredential / 2
	require.Empty(t, s.passkey(device.signs(s.challenge(t))))
}

// Wrong passkeys of an account count like its wrong codes.
func TestWrongPasskeysAreLimited(t *testing.T) {
	t.Parallel()
	s := newPasskeys(t)
	device := s.withPasskey(t, s.add("zoe@example.com", "right"))
	device.origin = "https://levy.example"
	codes := map[problem.Code]int{}
	for range 12 {
		codes[s.passkey(device.signs(s.challenge(t)))]++
	}
	require.Equal(t, map[problem.Code]int{problem.CodeUnauthenticated: 10, problem.CodeRateLimited: 2}, codes)
}

// Passkeys need an address with a name and TLS, but for localhost.
func TestPasskeysNeedAnAddress(t *testing.T) {
	t.Parallel()
	for address, offered := range map[string]bool{
		"https://levy.example.com": true, "https://levy.example.com:8443": true, "http://localhost:8080": true,
		"": false, "http://levy.example.com": false, "https://192.0.2.1": false, "http://127.0.0.1:8080": false,
		"https://[2001:db8::1]": false, "levy.example.com": false, "https://": false,
	} {
		require.Equal(t, offered, NewRelyingParty(address, false).unavailable == "", address)
		require.NotEmpty(t, NewRelyingParty(address, true).unavailable, "people sign in at a provider")
	}
	s := newPasskeys(t)
	zoe := s.add("zoe@example.com", "right")
	s.Operations.passkeys = NewRelyingParty("", false)
	list := s.listed(t, zoe, "session")
	require.Contains(t, *list.Registration.Unavailable, "LEVY_PUBLIC_URL")
	require.Nil(t, list.Registration.Options)
	require.NotNil(t, s.challenge(t).Unavailable)
	require.Equal(t, problem.CodeForbiddenForKey, s.passkey(contract.PasskeyAnswer{Token: "t", Credential: []byte("{}")}))
}

// A sign-in names all that the person has proved, in its order, and a passkey by its name.
func TestASignInNamesItsProof(t *testing.T) {
	t.Parallel()
	s := newPasskeys(t)
	s.add("zoe@example.com", "right")
	s.add("yan@example.com", "right")
	device := s.withPasskey(t, &s.known[0])
	name := func() string {
		last := s.proofs[len(s.proofs)-1]
		require.Equal(t, slices.Contains(last.Kinds, models.ProofPasskey), last.Passkey == "Laptop")
		return fmt.Sprint(last.Kinds)
	}
	_, code := s.password("192.0.2.1:1", "", "yan@example.com", "right")
	require.Empty(t, code)
	require.Equal(t, "[password]", name())
	require.Empty(t, s.passkey(device.signs(s.challenge(t))))
	require.Equal(t, "[passkey]", name())

	second := func() (challenge string) {
		c := &call.Call{Outcome: &call.Outcome{}, Address: "192.0.2.1:1"}
		_, err := s.SignIn(call.With(context.Background(), c), contract.SignInRequest{
			Body: contract.SignIn{Email: "zoe@example.com", Password: "right"}})
		challenge, _ = problem.Of(err).Members["challenge"].(string)
		return challenge
	}
	_, code = s.signIn("192.0.2.1:1", "", contract.SignIn{Challenge: second(), Passkey: device.signs(s.challenge(t))})
	require.Empty(t, code)
	require.Equal(t, "[password passkey]", name())
	s.rightCodes = true
	_, code = s.signIn("192.0.2.1:1", "", contract.SignIn{Challenge: second(), Password: "AAAA-AAAA-AAAA-AAAA"})
	require.Empty(t, code)
	require.Equal(t, "[password recovery_code]", name())

	require.Empty(t, s.prove(&s.known[1], contract.SessionProof{Password: "right"}))
	require.Equal(t, "[password]", name())
	zoe := &s.known[0]
	_, err := s.Operations.ProveSession(s.inSession(zoe, "session"), contract.ProveSessionRequest{
		Body: contract.SessionProof{Passkey: device.signs(s.listed(t, zoe, "session").Proof)}})
	require.NoError(t, err)
	require.Equal(t, "[passkey]", name())
}
