package people

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/oapi-codegen/nullable"

	"levy/contract"
	"levy/contract/problem"
	"levy/internal/secret"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// CreateAPIKey creates a key for the organization of the header, as step 2 of an onboarding in progress.
// Only this answer contains the key itself.
func (o *Operations) CreateAPIKey(ctx context.Context, r contract.CreateAPIKeyRequest) (contract.APIKey, error) {
	c := call.Of(ctx)
	scopes := c.ScopesFor(r.Body.Scopes)
	if err := c.MayGrant(scopes); err != nil {
		return contract.APIKey{}, err
	}
	key, record, err := o.newKey(ctx, c.Scope)
	if err != nil {
		return contract.APIKey{}, err
	}
	if record.AllowedAddresses, err = networksOf(c, r.Body.AllowedAddresses); err != nil {
		return contract.APIKey{}, err
	}
	record.Scopes = scopes
	record.Name, record.Metadata = convert.Optional(r.Body.Name), json.RawMessage(r.Body.Metadata)
	record.ExpiresAt = expiryOf(r.Body)
	if err := c.MayLast(record.ExpiresAt); err != nil { // step 2 of an onboarding is done by a worker
		return contract.APIKey{}, err
	}
	if record, err = o.addAPIKey(ctx, record); err != nil {
		return contract.APIKey{}, err
	}
	return o.secretAnswer(record, key), nil
}

// newKey returns a new key and its record. Its kind is that of the organization.
func (o *Operations) newKey(ctx context.Context, scope models.Scope) (key string, record models.APIKey, err error) {
	owner, err := o.deps.Organizations.Organization(ctx, scope)
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
		ID: models.NewID(models.PrefixAPIKey), Hash: o.keys.Hash(key), Prefix: prefix, Last4: last4,
	}, nil
}

// secretAnswer returns the only answer that contains a key.
func (o *Operations) secretAnswer(record models.APIKey, key string) contract.APIKey {
	answer := o.APIKeyAnswer(record)
	answer.APIKey, answer.SecretAvailable = key, true
	return answer
}

// addAPIKey writes the record of a key: as a step of the onboarding that is in progress, else directly.
func (o *Operations) addAPIKey(ctx context.Context, k models.APIKey) (models.APIKey, error) {
	c := call.Of(ctx)
	onboarding, err := o.deps.Onboardings.Onboarding(ctx, c.Scope)
	if err != nil {
		return k, err
	}
	switch {
	case onboarding.Status.Undone():
		return k, &models.OnboardingInactiveError{Status: onboarding.Status}
	case c.IsLink() && onboarding.Completed >= models.StepAPIKey:
		return k, models.ErrLinkUsed // the step checks it again
	case onboarding.Root, onboarding.Status == models.OnboardingCompleted:
		return k, o.deps.APIKeys.CreateAPIKey(ctx, c.Scope, c.Actor(), &k)
	}
	step := c.Submission(c.Scope.OrganizationID, models.StepAPIKey)
	step.Recorded = onboarding.Completed
	step.APIKey = &models.APIKeyDraft{
		ID: k.ID, Name: k.Name, Hash: k.Hash, Prefix: k.Prefix, Last4: k.Last4, Metadata: k.Metadata,
		ExpiresAt: k.ExpiresAt,
		Scopes:    k.Scopes, AllowedAddresses: k.AllowedAddresses,
	}
	if err := o.deps.Steps.Submit(ctx, onboarding, step); err != nil {
		return k, err
	}
	made, err := o.deps.APIKeys.APIKey(ctx, c.Scope, k.ID)
	return made, call.UnknownAfterWrite(err)
}

// expiryOf returns the end of a key from either of its fields; nil for a key without end.
func expiryOf(body contract.APIKeyCreate) *time.Time {
	switch {
	case !body.ExpiresAt.IsZero():
		return convert.OptionalInstant(&body.ExpiresAt)
	case body.ExpiresAtSeconds != 0:
		at := time.Unix(body.ExpiresAtSeconds, 0).UTC()
		return &at
	}
	return nil
}

// networksOf returns the networks of a new key: those that are sent, else those of the key of the call. Errors:
// *models.InvalidError, *models.GiverError.
func networksOf(c *call.Call, sent []string) (models.Networks, error) {
	if len(sent) == 0 {
		return c.Principal.Networks, nil
	}
	networks, err := parseNetworks(sent)
	if err != nil {
		return nil, err
	}
	return networks, c.MayReach(networks)
}

// parseNetworks reads the networks of a key. Errors: *models.InvalidError.
func parseNetworks(sent []string) (models.Networks, error) {
	var faults []models.Fault
	networks := make(models.Networks, 0, len(sent))
	for i, text := range sent {
		network, ok := models.ParseNetwork(text)
		if !ok {
			faults = append(faults, models.Fault{Code: models.FieldInvalidFormat, Path: fmt.Sprintf("allowed_addresses[%d]", i),
				Message: fmt.Sprintf("%q is neither an address nor a network such as 203.0.113.0/24.", text)})
		}
		networks = append(networks, network)
	}
	if faults != nil {
		return nil, &models.InvalidError{Faults: faults}
	}
	return networks, nil
}

// changeNetworks changes the networks of a key; null makes it work from everywhere. Errors: those of networksOf.
func changeNetworks(c *call.Call, k *models.APIKey, sent nullable.Nullable[[]string]) error {
	if !sent.IsSpecified() {
		return nil
	}
	networks, err := parseNetworks(sent[true])
	if err != nil || slices.Equal(networks, k.AllowedAddresses) {
		return err
	}
	k.AllowedAddresses = networks
	return c.MayReach(networks)
}

// GetAPIKey reads the record of a key.
func (o *Operations) GetAPIKey(ctx context.Context, r contract.GetAPIKeyRequest) (contract.APIKey, error) {
	record, err := o.deps.APIKeys.APIKey(ctx, call.Of(ctx).Scope, r.APIKeyID)
	return convert.Answered(record, err, o.APIKeyAnswer)
}

// ListAPIKeys lists the records of keys.
func (o *Operations) ListAPIKeys(ctx context.Context, r contract.ListAPIKeysRequest) (contract.APIKeyList, error) {
	p := r.Params
	activeOnly := p.Active == nil || *p.Active
	list, err := o.deps.APIKeys.ListAPIKeys(
		ctx, call.Of(ctx).Scope, activeOnly, convert.OrderOf(p.OrderBy), convert.PageOf(p.Page, p.Size),
	)
	answer, err := convert.ListAnswer(list, err, p.Page, p.Size, o.APIKeyAnswer)
	return contract.APIKeyList(answer), err
}

// UpdateAPIKey changes the record of a key.
func (o *Operations) UpdateAPIKey(ctx context.Context, r contract.UpdateAPIKeyRequest) (contract.APIKey, error) {
	c := call.Of(ctx)
	if err := o.MayChangeKey(ctx, r.APIKeyID); err != nil {
		return contract.APIKey{}, err
	}
	record, err := o.deps.APIKeys.UpdateAPIKey(ctx, c.Scope, c.Actor(), r.APIKeyID, func(k *models.APIKey) error {
		if err := ChangeExpiry(k, &r.Body, o.now()); err != nil {
			return err
		}
		if err := changeNetworks(c, k, r.Body.AllowedAddresses); err != nil {
			return err
		}
		convert.ChangeOptional(&k.Name, r.Body.Name)
		metadata := contract.Object(k.Metadata)
		convert.Change(&metadata, r.Body.Metadata, contract.Object("{}"))
		k.Metadata = json.RawMessage(metadata)
		return nil
	})
	if err != nil {
		return contract.APIKey{}, err
	}
	call.AfterCommit(ctx, func() { o.principals.Forget(r.APIKeyID) })
	return o.APIKeyAnswer(record), nil
}

// ChangeExpiry changes the end of a key. The record has it in two fields, and a field counts as submitted
// if it differs from the record. A client can therefore return the answer with one field changed.
func ChangeExpiry(k *models.APIKey, sent *contract.APIKeyUpdate, now time.Time) error {
	at, bySeconds := k.ExpiresAt, k.ExpiresAt
	convert.ChangeOptional(&at, sent.ExpiresAt)
	at = convert.OptionalInstant(at)
	if seconds := sent.ExpiresAtSeconds; seconds.IsNull() {
		bySeconds = nil
	} else if seconds.IsSpecified() && (k.ExpiresAt == nil || seconds[true] != k.ExpiresAt.Unix()) {
		end := time.Unix(seconds[true], 0).UTC()
		bySeconds = &end
	}
	field, end := "expires_at", at
	switch changed := !convert.SameTime(bySeconds, k.ExpiresAt); {
	case convert.SameTime(at, k.ExpiresAt):
		field, end = "expires_at_seconds", bySeconds
	case changed && !convert.SameTime(at, bySeconds):
		return problem.Invalid(models.FieldNotAllowed, "expires_at_seconds",
			"expires_at_seconds cannot be combined with another expires_at.")
	}
	if end != nil && !convert.SameTime(end, k.ExpiresAt) && !end.After(now) {
		return problem.Invalid(models.FieldOutOfRange, field, "Must be in the future.")
	}
	k.ExpiresAt = end
	return nil
}

// rotationOverlap is the default time for which a replaced key remains valid.
const rotationOverlap = 24 * time.Hour

// RotateAPIKey replaces a key by a new one. The old one remains valid for a time.
func (o *Operations) RotateAPIKey(ctx context.Context, r contract.RotateAPIKeyRequest) (contract.APIKey, error) {
	c := call.Of(ctx)
	if err := o.MayChangeKey(ctx, r.APIKeyID); err != nil {
		return contract.APIKey{}, err
	}
	old, err := o.deps.APIKeys.APIKey(ctx, c.Scope, r.APIKeyID)
	if err != nil {
		return contract.APIKey{}, err
	}
	if err := c.MayGrant(old.Scopes); err != nil { // the scopes of a key never change
		return contract.APIKey{}, err
	}
	if err := c.MayReach(old.AllowedAddresses); err != nil {
		return contract.APIKey{}, err
	}
	key, record, err := o.newKey(ctx, c.Scope)
	if err != nil {
		return contract.APIKey{}, err
	}
	overlap := rotationOverlap
	if sent := r.Body.OverlapSeconds; sent != nil {
		overlap = time.Duration(*sent) * time.Second
	}
	rotation := models.APIKeyRotation{OldID: r.APIKeyID, Overlap: overlap, New: &record}
	if err := o.deps.APIKeys.RotateAPIKey(ctx, c.Scope, c.Actor(), rotation); err != nil {
		return contract.APIKey{}, err
	}
	call.AfterCommit(ctx, func() { o.principals.Forget(r.APIKeyID) })
	return o.secretAnswer(record, key), nil
}

// RevokeAPIKey revokes a key.
func (o *Operations) RevokeAPIKey(ctx context.Context, r contract.RevokeAPIKeyRequest) error {
	_, err := o.endAPIKey(ctx, r.APIKeyID, false)
	return err
}

// EndAPIKey revokes a key, and says what became of the things that it made.
func (o *Operations) EndAPIKey(ctx context.Context, r contract.EndAPIKeyRequest) (contract.EndedAPIKey, error) {
	after, err := o.endAPIKey(ctx, r.APIKeyID, r.Body.Leaked)
	if err != nil {
		return contract.EndedAPIKey{}, err
	}
	record, err := o.deps.APIKeys.APIKey(ctx, call.Of(ctx).Scope, r.APIKeyID)
	return contract.EndedAPIKey{
		APIKey:   o.APIKeyAnswer(record),
		Ended:    convert.ConvertAll(after.Ended, convert.Made),
		ToDecide: convert.ConvertAll(after.ToDecide, convert.Made),
	}, call.UnknownAfterWrite(err)
}

func (o *Operations) endAPIKey(ctx context.Context, id string, leaked bool) (after models.Aftermath, err error) {
	c := call.Of(ctx)
	if err := o.MayChangeKey(ctx, id); err != nil {
		return after, err
	}
	if after, err = o.deps.APIKeys.EndAPIKey(ctx, c.Scope, c.Actor(), id, leaked); err != nil {
		return after, err
	}
	call.AfterCommit(ctx, func() {
		o.principals.Forget(id)
		for _, thing := range after.Ended {
			if thing.Kind == models.MadeAPIKey {
				o.principals.Forget(thing.ID)
			}
		}
	})
	return after, nil
}

// MayChangeKey checks that a key of a client organization changes only itself, and that a partner changes the keys that
// it made under its grant. An admin of the client changes all of its keys. Errors: models.ErrNotFound,
// models.ErrForbidden, *models.GiverError.
func (o *Operations) MayChangeKey(ctx context.Context, id string) error {
	c := call.Of(ctx)
	bounded := c.Granted() == models.GrantPreparer || c.Granted() == models.GrantApprover
	if !bounded && (c.Class() != call.ClassSelf || c.Person != nil || id == c.Principal.APIKeyID) {
		return nil
	}
	switch key, err := o.deps.APIKeys.APIKey(ctx, c.Scope, id); {
	case err != nil:
		return err
	case !bounded:
		return models.ErrForbidden
	// guard: grants: a partner changes no key of the client's own
	case !key.Granted:
		return models.ErrKeyOfClient
	}
	return nil
}

// APIKeyAnswer returns the record of a key in the form of the contract.
func (o *Operations) APIKeyAnswer(k models.APIKey) contract.APIKey {
	answer := contract.APIKey{
		ID:             k.ID,
		APIKeyID:       k.ID,
		OrganizationID: k.OrganizationID,
		Name:           k.Name,
		Prefix:         k.Prefix,
		Last4:          k.Last4,
		Status:         contract.APIKeyStatus(k.Status(o.now())),
		Metadata:       contract.Object(k.Metadata),
		Scopes:         convert.Texts[contract.APIKeyScope](k.Scopes),
		ExpiresAt:      convert.OptionalInstant(k.ExpiresAt),
		Confirmed:      k.LastUsedAt != nil,
		LastUsedAt:     convert.OptionalInstant(k.LastUsedAt),
		RotatedTo:      k.RotatedTo,
		Granted:        k.Granted,
		RevokedAt:      convert.OptionalInstant(k.RevokedAt),
		CreatedAt:      convert.Instant(k.CreatedAt),

		AllowedAddresses: k.AllowedAddresses.Texts(),
	}
	if k.Maker != nil {
		answer.MadeBy, answer.MakerEndedAt = convert.Optional(k.Maker.By()), convert.OptionalInstant(k.Maker.MakerEndedAt)
	}
	if k.ExpiresAt != nil {
		seconds := k.ExpiresAt.Unix()
		answer.ExpiresAtSeconds = &seconds
	}
	return answer
}
