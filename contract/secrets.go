package contract

// WithoutSecret returns the answer without its secret, as it may be stored and repeated.
func (w WebhookEndpoint) WithoutSecret() any {
	w.Secret, w.SecretAvailable = "", false
	return w
}

// WithoutSecret returns the answer without the path for setting the password, as it may be stored and repeated.
func (u InvitedUser) WithoutSecret() any {
	u.SignInPath, u.SecretAvailable = nil, false
	return u
}

// WithoutSecret returns the answer without the path of the onboarding, as it may be stored and repeated.
func (l MadeOnboardingLink) WithoutSecret() any {
	l.Path, l.SecretAvailable = nil, false
	return l
}

// WithoutSecret returns the answer without the path of the feed, as it may be stored and repeated.
func (f CreatedCalendarFeed) WithoutSecret() any {
	f.Path, f.SecretAvailable = nil, false
	return f
}

// WithoutSecret returns the answer without the key, as it may be stored and repeated.
func (k APIKey) WithoutSecret() any {
	k.APIKey, k.SecretAvailable = "", false
	return k
}
