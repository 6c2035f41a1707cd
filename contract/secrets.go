package contract

// WithoutSecret is the answer as it may be stored and repeated.
func (w WebhookEndpoint) WithoutSecret() any {
	w.Secret, w.SecretAvailable = "", false
	return w
}

// WithoutSecret is the answer as it may be stored and repeated.
func (u InvitedUser) WithoutSecret() any {
	u.SignInPath, u.SecretAvailable = nil, false
	return u
}

// WithoutSecret is the answer as it may be stored and repeated.
func (l MadeOnboardingLink) WithoutSecret() any {
	l.Path, l.SecretAvailable = nil, false
	return l
}

// WithoutSecret is the answer as it may be stored and repeated.
func (k APIKey) WithoutSecret() any {
	k.APIKey, k.SecretAvailable = "", false
	return k
}
