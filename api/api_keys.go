package api

import (
	"context"
	"encoding/json"
	"time"

	"levy/contract"
	"levy/internal/secret"
	"levy/models"
)

// CreateAPIKey makes a key for the organization of the header, which is step 2 of an
// onboarding under way. The answer is the only place where the key itself ever stands.
func (s *Server) CreateAPIKey(ctx context.Context, r contract.CreateAPIKeyRequest) (contract.APIKey, error) {
	call := callOf(ctx)
	scopes := call.scopesFor(r.Body.Scopes)
	if err := call.mayGive(scopes); err != nil {
		return contract.APIKey{}, err
	}
	key, record, err := s.newKey(ctx, call.scope)
	if err != nil {
		return contract.APIKey{}, err
	}
	record.Scopes = scopes
	record.Name, record.Metadata = optional(r.Body.Name), json.RawMessage(r.Body.Metadata)
	record.ExpiresAt = expiryOf(r.Body)
	if record, err = s.addAPIKey(ctx, record); err != nil {
		return contract.APIKey{}, err
	}
	return s.secretAnswer(record, key), nil
}

// newKey makes a key of the kind that the organization has.
func (s *Server) newKey(ctx context.Context, scope models.Scope) (key string, record models.APIKey, err error) {
	owner, err := s.deps.Organizations.Organization(ctx, scope)
	if err != nil {
		return "", models.APIKey{}, err
	}
	kind := secret.KindLive
	if owner.IsTest {
		kind = secret.KindTest
	}
	key = secret.NewAPIKey(kind)
	prefix, last4 := secret.Shown(key)
	return key, models.APIKey{
		ID: models.NewID(models.PrefixAPIKey), Hash: s.keys.Hash(key), Prefix: prefix, Last4: last4,
	}, nil
}

// secretAnswer is the only answer that shows a key.
func (s *Server) secretAnswer(record models.APIKey, key string) contract.APIKey {
	answer := s.apiKeyAnswer(record)
	answer.APIKey, answer.SecretAvailable = key, true
	return answer
}

// addAPIKey writes the record of a key: as a step of the onboarding
// while that is in progress, else directly.
func (s *Server) addAPIKey(ctx context.Context, k models.APIKey) (models.APIKey, error) {
	call := callOf(ctx)
	onboarding, err := s.deps.Onboardings.Onboarding(ctx, call.scope)
	if err != nil {
		return k, err
	}
	switch {
	case onboarding.Status.Undone():
		return k, &models.OnboardingInactiveError{Status: onboarding.Status}
	case call.isLink() && onboarding.Completed >= models.StepAPIKey:
		return k, models.ErrForbidden // it does the step, and makes no further keys
	case onboarding.Root, onboarding.Status == models.OnboardingCompleted:
		return k, s.deps.APIKeys.CreateAPIKey(ctx, call.scope, call.actor(), &k)
	}
	step := call.submission(call.scope.OrganizationID, models.StepAPIKey)
	step.Recorded = onboarding.Completed
	step.APIKey = &models.APIKeyDraft{
		ID: k.ID, Name: k.Name, Hash: k.Hash, Prefix: k.Prefix, Last4: k.Last4, Metadata: k.Metadata,
		ExpiresAt: k.ExpiresAt,
		Scopes:    k.Scopes,
	}
	if err := s.deps.Steps.Submit(ctx, onboarding, step); err != nil {
		return k, err
	}
	made, err := s.deps.APIKeys.APIKey(ctx, call.scope, k.ID)
	return made, unknownAfterWrite(err)
}

// expiryOf is the end of a key, however it was sent; nil for a key without end.
func expiryOf(body contract.APIKeyCreate) *time.Time {
	switch {
	case !body.ExpiresAt.IsZero():
		return optionalInstant(&body.ExpiresAt)
	case body.ExpiresAtSeconds != 0:
		at := time.Unix(body.ExpiresAtSeconds, 0).UTC()
		return &at
	}
	return nil
}

// GetAPIKey reads the record of a key.
func (s *Server) GetAPIKey(ctx context.Context, r contract.GetAPIKeyRequest) (contract.APIKey, error) {
	record, err := s.deps.APIKeys.APIKey(ctx, callOf(ctx).scope, r.APIKeyID)
	return answered(record, err, s.apiKeyAnswer)
}

// ListAPIKeys lists the records of keys.
func (s *Server) ListAPIKeys(ctx context.Context, r contract.ListAPIKeysRequest) (contract.APIKeyList, error) {
	p := r.Params
	activeOnly := p.Active == nil || *p.Active
	list, err := s.deps.APIKeys.ListAPIKeys(
		ctx, callOf(ctx).scope, activeOnly, orderOf(p.OrderBy), pageOf(p.Page, p.Size),
	)
	answer, err := listAnswer(list, err, p.Page, p.Size, s.apiKeyAnswer)
	return contract.APIKeyList(answer), err
}

// UpdateAPIKey changes the record of a key.
func (s *Server) UpdateAPIKey(ctx context.Context, r contract.UpdateAPIKeyRequest) (contract.APIKey, error) {
	call := callOf(ctx)
	if err := s.mayChangeKey(ctx, r.APIKeyID); err != nil {
		return contract.APIKey{}, err
	}
	record, err := s.deps.APIKeys.UpdateAPIKey(ctx, call.scope, call.actor(), r.APIKeyID, func(k *models.APIKey) error {
		if err := changeExpiry(k, &r.Body, s.now()); err != nil {
			return err
		}
		changeOptional(&k.Name, r.Body.Name)
		metadata := contract.Object(k.Metadata)
		change(&metadata, r.Body.Metadata, contract.Object("{}"))
		k.Metadata = json.RawMessage(metadata)
		return nil
	})
	if err != nil {
		return contract.APIKey{}, err
	}
	afterCommit(ctx, func() { s.principals.forget(r.APIKeyID) })
	return s.apiKeyAnswer(record), nil
}

// changeExpiry moves the end of a key. It stands in two fields of the record, and each is an order only where it
// says something else than the record: what was read can be sent back with one of the two changed.
func changeExpiry(k *models.APIKey, sent *contract.APIKeyUpdate, now time.Time) error {
	at, bySeconds := k.ExpiresAt, k.ExpiresAt
	changeOptional(&at, sent.ExpiresAt)
	at = optionalInstant(at)
	if seconds := sent.ExpiresAtSeconds; seconds.IsNull() {
		bySeconds = nil
	} else if seconds.IsSpecified() && (k.ExpiresAt == nil || seconds[true] != k.ExpiresAt.Unix()) {
		end := time.Unix(seconds[true], 0).UTC()
		bySeconds = &end
	}
	field, end := "expires_at", at
	switch changed := !sameTime(bySeconds, k.ExpiresAt); {
	case sameTime(at, k.ExpiresAt):
		field, end = "expires_at_seconds", bySeconds
	case changed && !sameTime(at, bySeconds):
		return invalid(models.FieldNotAllowed, "expires_at_seconds",
			"expires_at_seconds cannot be combined with another expires_at.")
	}
	if end != nil && !sameTime(end, k.ExpiresAt) && !end.After(now) {
		return invalid(models.FieldOutOfRange, field, "Must be in the future.")
	}
	k.ExpiresAt = end
	return nil
}

// rotationOverlap is how long a replaced key goes on working, unless sent.
const rotationOverlap = 24 * time.Hour

// RotateAPIKey replaces a key by a new one. The old one goes on working for a while.
func (s *Server) RotateAPIKey(ctx context.Context, r contract.RotateAPIKeyRequest) (contract.APIKey, error) {
	call := callOf(ctx)
	if err := s.mayChangeKey(ctx, r.APIKeyID); err != nil {
		return contract.APIKey{}, err
	}
	old, err := s.deps.APIKeys.APIKey(ctx, call.scope, r.APIKeyID)
	if err != nil {
		return contract.APIKey{}, err
	}
	if err := call.mayGive(old.Scopes); err != nil { // the scopes of a key never change
		return contract.APIKey{}, err
	}
	key, record, err := s.newKey(ctx, call.scope)
	if err != nil {
		return contract.APIKey{}, err
	}
	overlap := rotationOverlap
	if sent := r.Body.OverlapSeconds; sent != nil {
		overlap = time.Duration(*sent) * time.Second
	}
	rotation := models.APIKeyRotation{OldID: r.APIKeyID, Overlap: overlap, New: &record}
	if err := s.deps.APIKeys.RotateAPIKey(ctx, call.scope, call.actor(), rotation); err != nil {
		return contract.APIKey{}, err
	}
	afterCommit(ctx, func() { s.principals.forget(r.APIKeyID) })
	return s.secretAnswer(record, key), nil
}

// RevokeAPIKey ends a key.
func (s *Server) RevokeAPIKey(ctx context.Context, r contract.RevokeAPIKeyRequest) error {
	call := callOf(ctx)
	if err := s.mayChangeKey(ctx, r.APIKeyID); err != nil {
		return err
	}
	if err := s.deps.APIKeys.RevokeAPIKey(ctx, call.scope, call.actor(), r.APIKeyID); err != nil {
		return err
	}
	afterCommit(ctx, func() { s.principals.forget(r.APIKeyID) })
	return nil
}

// mayChangeKey lets a key of a client organization change only itself.
func (s *Server) mayChangeKey(ctx context.Context, id string) error {
	call := callOf(ctx)
	if call.class() != classSelf || id == call.principal.APIKeyID {
		return nil
	}
	if _, err := s.deps.APIKeys.APIKey(ctx, call.scope, id); err != nil {
		return err
	}
	return models.ErrForbidden
}

func (s *Server) apiKeyAnswer(k models.APIKey) contract.APIKey {
	answer := contract.APIKey{
		ID:             k.ID,
		APIKeyID:       k.ID,
		OrganizationID: k.OrganizationID,
		Name:           k.Name,
		Prefix:         k.Prefix,
		Last4:          k.Last4,
		Status:         contract.APIKeyStatus(k.Status(s.now())),
		Metadata:       contract.Object(k.Metadata),
		Scopes:         texts[contract.APIKeyScope](k.Scopes),
		ExpiresAt:      optionalInstant(k.ExpiresAt),
		Confirmed:      k.LastUsedAt != nil,
		LastUsedAt:     optionalInstant(k.LastUsedAt),
		RotatedTo:      k.RotatedTo,
		RevokedAt:      optionalInstant(k.RevokedAt),
		CreatedAt:      instant(k.CreatedAt),
	}
	if k.ExpiresAt != nil {
		seconds := k.ExpiresAt.Unix()
		answer.ExpiresAtSeconds = &seconds
	}
	return answer
}
