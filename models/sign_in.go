package models

// Identity is who somebody is at the OpenID provider of the installation: an account there, and an e-mail
// address that the provider has verified.
type Identity struct {
	Issuer  string
	Subject string // names the account at the issuer, for ever
	Email   string
}

// SignInRefusal is why a sign-in by the OpenID provider is refused.
type SignInRefusal string

// Refusals of a sign-in by the provider.
const (
	SignInTooLate     SignInRefusal = "too_late"      // or begun in another browser, or come twice
	SignInDenied      SignInRefusal = "denied"        // by the provider, or by the person
	SignInUnavailable SignInRefusal = "unavailable"   // the provider does not answer
	SignInUntrusted   SignInRefusal = "untrusted"     // its answer is not one for this sign-in
	SignInUnverified  SignInRefusal = "unverified"    // it has no verified address
	SignInElsewhere   SignInRefusal = "domain"        // the address is of a domain that is not let in
	SignInUnknown     SignInRefusal = "unknown"       // nobody has been invited with this address
	SignInDisabled    SignInRefusal = "disabled"      // the person is
	SignInOtherOne    SignInRefusal = "other_account" // the person has come with another account before
	SignInTooMany     SignInRefusal = "too_many"      // failures of the address
)

func (r SignInRefusal) Error() string { return "sign-in by the provider refused: " + string(r) }
