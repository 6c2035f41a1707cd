package people

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"levy/models"
)

// RelyingParty is this installation as passkeys know it: the host and the address under which people open it. A passkey
// works for that host alone.
type RelyingParty struct {
	ceremonies  *webauthn.WebAuthn
	unavailable string // why there are no passkeys; empty where there are
}

// NewRelyingParty returns the relying party at the public address of the installation. Browsers have passkeys only by TLS,
// but for localhost, and only for a host that has a name.
func NewRelyingParty(publicURL string, provider bool) *RelyingParty {
	none := func(why string) *RelyingParty { return &RelyingParty{unavailable: why} }
	at, err := url.Parse(strings.ToLower(publicURL)) // browsers spell the host in small letters
	switch {
	case provider:
		return none("People sign in at the OpenID provider of this installation: passkeys are set up there.")
	case publicURL == "":
		return none("The operator has not said under which address people open this installation (LEVY_PUBLIC_URL): " +
			"a passkey belongs to it.")
	case err != nil || at.Hostname() == "":
		return none("LEVY_PUBLIC_URL is not an address.")
	case isNumber(at.Hostname()):
		return none("LEVY_PUBLIC_URL has a number for a host: a passkey belongs to a host with a name.")
	case strings.HasSuffix(at.Hostname(), "."):
		return none("LEVY_PUBLIC_URL has a host that ends with a dot: leave it out.")
	case at.Scheme != "https" && at.Hostname() != "localhost":
		return none("LEVY_PUBLIC_URL does not begin with https: browsers have passkeys only by TLS.")
	}
	ceremonies, err := webauthn.New(&webauthn.Config{
		RPID: at.Hostname(), RPDisplayName: codeIssuer, RPOrigins: []string{at.Scheme + "://" + at.Host},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(),
			UserVerification: protocol.VerificationRequired,
		},
	})
	if err != nil {
		return none(fmt.Sprintf("LEVY_PUBLIC_URL has no host for passkeys: %s", err))
	}
	return &RelyingParty{ceremonies: ceremonies}
}

// PasskeysUnavailable returns why an installation has no passkeys; empty where it has.
func PasskeysUnavailable(publicURL string, provider bool) string {
	return NewRelyingParty(publicURL, provider).unavailable
}

// isNumber reports whether a host is the number of a machine.
func isNumber(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil
}

// passkeyOwner is a person with passkeys, as the library sees them.
type passkeyOwner struct {
	person *models.User
	keys   []models.Passkey
}

func (o passkeyOwner) WebAuthnID() []byte          { return []byte(o.person.ID) }
func (o passkeyOwner) WebAuthnName() string        { return o.person.Email }
func (o passkeyOwner) WebAuthnDisplayName() string { return o.person.Name }

func (o passkeyOwner) WebAuthnCredentials() []webauthn.Credential {
	all := make([]webauthn.Credential, len(o.keys))
	for i, key := range o.keys {
		all[i] = webauthn.Credential{
			ID: key.CredentialID, PublicKey: key.PublicKey,
			Flags: webauthn.CredentialFlags{BackupEligible: key.BackupEligible},
		}
		for transport := range strings.FieldsSeq(key.Transports) {
			all[i].Transport = append(all[i].Transport, protocol.AuthenticatorTransport(transport))
		}
	}
	return all
}

// beginRegistration returns the options for a new passkey of a person, whose devices make no second one, and its challenge.
func (r *RelyingParty) beginRegistration(owner passkeyOwner) (options any, challenge string, err error) {
	known := webauthn.Credentials(owner.WebAuthnCredentials())
	creation, begun, err := r.ceremonies.BeginRegistration(owner, webauthn.WithExclusions(known.CredentialDescriptors()))
	if err != nil {
		return nil, "", err
	}
	return creation.Response, begun.Challenge, nil
}

// beginAssertion returns the options for a passkey of any person, and the challenge.
func (r *RelyingParty) beginAssertion() (options any, challenge string, err error) {
	assertion, begun, err := r.ceremonies.BeginDiscoverableLogin()
	if err != nil {
		return nil, "", err
	}
	return assertion.Response, begun.Challenge, nil
}

// ceremony returns what the library compares an answer with.
func (r *RelyingParty) ceremony(challenge string) webauthn.SessionData {
	return webauthn.SessionData{
		Challenge: challenge, RelyingPartyID: r.ceremonies.Config.RPID,
		// guard: passkeys: the device has checked who uses it
		UserVerification: protocol.VerificationRequired,
		CredParams:       webauthn.CredentialParametersDefault(),
	}
}

// These bound what a browser sends of a passkey, and the public key in it, in bytes. A check takes time with the square of
// the length of an RSA key.
const largestCredential, largestPublicKey = 16 << 10, 2048

var errCredentialTooLarge = errors.New("the credential is too large")

// register returns the passkey that a browser has made for a person. Errors: those of the library.
func (r *RelyingParty) register(u *models.User, challenge string, answer []byte) (p models.Passkey, err error) {
	// guard: passkeys: a new passkey is bounded before it is checked
	if len(answer) > largestCredential {
		return p, errCredentialTooLarge
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(answer)
	if err != nil {
		return p, err
	}
	// guard: passkeys: a public key is bounded
	if len(parsed.Response.AttestationObject.AuthData.AttData.CredentialPublicKey) > largestPublicKey {
		return p, errCredentialTooLarge
	}
	owner, begun := passkeyOwner{person: u}, r.ceremony(challenge)
	begun.UserID = owner.WebAuthnID()
	made, err := r.ceremonies.CreateCredential(owner, begun, parsed)
	if err != nil {
		return p, err
	}
	transports := make([]string, len(made.Transport))
	for i, transport := range made.Transport {
		transports[i] = string(transport)
	}
	return models.Passkey{
		CredentialID: made.ID, PublicKey: made.PublicKey, Counter: int64(made.Authenticator.SignCount),
		Transports: strings.Join(transports, " "), BackupEligible: made.Flags.BackupEligible,
	}, nil
}

// confirm checks an answer with the passkey of a person. It returns the number of signatures that the device tells.
// Errors: those of the library.
func (r *RelyingParty) confirm(
	u *models.User, key *models.Passkey, challenge string, answer *protocol.ParsedCredentialAssertionData,
) (counter int64, err error) {
	of := func([]byte, []byte) (webauthn.User, error) {
		return passkeyOwner{person: u, keys: []models.Passkey{*key}}, nil
	}
	if _, _, err := r.ceremonies.ValidatePasskeyLogin(of, r.ceremony(challenge), answer); err != nil {
		return 0, err
	}
	return int64(answer.Response.AuthenticatorData.Counter), nil
}
