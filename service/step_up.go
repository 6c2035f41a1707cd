package service

import (
	"levy/contract"
	"levy/contract/problem"
	"levy/service/internal/call"
)

// proof says which requests of an operation need a person who proved just before who uses the session. Requests that give
// access do: no one gets more by a session that was left open. The zero proof asks nothing.
type proof struct {
	words string                 // names the requests, for the docs
	of    func(request any) bool // reports whether a request does; nil for every request
}

// always is the proof of an operation that gives access with every request.
var always = proof{words: "always"}

// given reports whether the caller may send a request without another proof. A key proves itself with each request, and
// a link is no person. request is nil before a file is received.
func (p proof) given(c *call.Call, request any) bool {
	// guard: step-up: what gives access needs a proof that is new
	return p.words == "" || c.Person == nil || c.Person.Proven || request == nil || p.of != nil && !p.of(request)
}

// proofMissing returns the refusal of a person whose proof is too old.
func (s *Service) proofMissing() *problem.Problem {
	if s.HasProvider() {
		return problem.New(problem.CodeStepUpRequired, "This gives access, and you signed in at the provider more than 5 "+
			"minutes ago. Nothing was changed: sign in there again, and send it again.")
	}
	return problem.New(problem.CodeStepUpRequired, "")
}

// ofUser asks for a proof if a change gives a person other rights or another way to sign in.
var ofUser = proof{words: "with a role, a new link, a reset of the second step, or ACTIVE", of: func(request any) bool {
	b := &request.(*contract.UpdateUserRequest).Body
	return b.NewLink || b.ResetSecondFactor || b.Role.IsSpecified() || b.StaffRole.IsSpecified() ||
		b.Status == contract.UserStatusACTIVE
}}

// ofKey asks for a proof if a change lets a key work longer, or from elsewhere.
var ofKey = proof{words: "with another end or other addresses", of: func(request any) bool {
	b := &request.(*contract.UpdateAPIKeyRequest).Body
	return b.ExpiresAt.IsSpecified() || b.ExpiresAtSeconds.IsSpecified() || b.AllowedAddresses.IsSpecified()
}}
