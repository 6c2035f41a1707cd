package service

import (
	"context"

	"levy/models"
)

// BeginSignIn begins a sign-in at the OpenID provider that ends at the path next. again proves who uses the session of
// the browser. at is the address of the provider. Errors: models.SignInRefusal.
func (s *Service) BeginSignIn(
	ctx context.Context, next string, again bool,
) (begun ProviderSignIn, at string, err error) {
	return s.subjects.BeginSignIn(ctx, next, again)
}

// SealSignIn returns the value of the cookie of a sign-in.
func (s *Service) SealSignIn(begun ProviderSignIn) string { return s.subjects.SealSignIn(begun) }

// ReadSignIn reads the value of the cookie. ok is false if Levy did not write it, or if it has expired.
func (s *Service) ReadSignIn(value string) (begun ProviderSignIn, ok bool) {
	return s.subjects.ReadSignIn(value)
}

// EndSignIn begins the session of a user who returns from the provider and returns its token. The token is empty if the
// session of the browser goes on. ok means that the sign-in began in this browser and has not expired. Errors:
// models.SignInRefusal.
func (s *Service) EndSignIn(ctx context.Context, begun ProviderSignIn, ok bool, back ProviderCallback) (token string, err error) {
	return s.subjects.EndSignIn(ctx, begun, ok, back)
}

// RefusedSignIn returns the reason of a failed sign-in and counts a failed attempt of the address.
func (s *Service) RefusedSignIn(ctx context.Context, err error) models.SignInRefusal {
	return s.subjects.RefusedSignIn(ctx, err)
}
