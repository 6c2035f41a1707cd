package models

import "time"

// Identity is the account of a person at the OpenID provider of the installation, with an e-mail address that the
// provider has verified.
type Identity struct {
	Issuer  string
	Subject string // the permanent id of the account at the issuer
	Email   string
	// SignedInAt is when the person proved to the provider who it is; zero if the provider does not say.
	SignedInAt time.Time
}

// SignInRefusal is the reason why a sign-in by the OpenID provider is refused.
type SignInRefusal string

// Refusals of a sign-in by the provider.
const (
	SignInTooLate     SignInRefusal = "too_late"      // or begun in another browser, or repeated
	SignInDenied      SignInRefusal = "denied"        // by the provider, or by the person
	SignInUnavailable SignInRefusal = "unavailable"   // the provider does not answer
	SignInUntrusted   SignInRefusal = "untrusted"     // its answer is not for this sign-in
	SignInUnverified  SignInRefusal = "unverified"    // it has no verified address
	SignInElsewhere   SignInRefusal = "domain"        // the domain of the address is not allowed
	SignInUnknown     SignInRefusal = "unknown"       // no person was invited with this address
	SignInDisabled    SignInRefusal = "disabled"      // the person is disabled
	SignInOtherOne    SignInRefusal = "other_account" // the person has used another account before
	SignInTooMany     SignInRefusal = "too_many"      // failures of the address
	SignInNotAgain    SignInRefusal = "not_again"     // the provider has not asked the person again, or does not say so
	SignInOtherPerson SignInRefusal = "other_person"  // another one than that of the session
)

func (r SignInRefusal) Error() string { return "sign-in by the provider refused: " + string(r) }
