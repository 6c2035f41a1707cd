package openapi

// WithoutSecret is the answer as it may be stored and repeated.
func (k APIKey) WithoutSecret() any {
	k.APIKey, k.SecretAvailable = "", false
	return k
}
