package secret

import (
	"context"
	"errors"
)

// DataKeys are the stored data keys. Package store implements it.
type DataKeys interface {
	// DataKey reads the key of an organization; ok is false when it has none.
	DataKey(ctx context.Context, organizationID string) (key WrappedKey, ok bool, err error)
	// AddDataKey stores the first key of an organization and returns the one that is
	// stored then, which may be another's.
	AddDataKey(ctx context.Context, organizationID string, key WrappedKey) (WrappedKey, error)
}

// Vault gives access to the data keys of organizations.
type Vault struct {
	wrapper *wrapper
	keys    DataKeys
}

// NewVault makes a vault of stored keys under the master keys of a ring.
func NewVault(ring *Ring, keys DataKeys) *Vault { return &Vault{newWrapper(ring), keys} }

// ErrNoKey says that an organization has no data key: nothing was ever sealed for
// it, or all of it was erased.
var ErrNoKey = errors.New("organization has no data key")

// Key returns the data key of an organization. Errors: ErrNoKey, ErrUnreadable when
// the master key is not at hand, and those of the store.
func (v *Vault) Key(ctx context.Context, organizationID string) (*DataKey, error) {
	stored, ok, err := v.keys.DataKey(ctx, organizationID)
	if err == nil && !ok {
		err = ErrNoKey
	}
	if err != nil {
		return nil, err
	}
	return v.open(organizationID, stored)
}

// KeyOrNew is Key for a caller that is about to seal: it makes a key when there is none.
func (v *Vault) KeyOrNew(ctx context.Context, organizationID string) (*DataKey, error) {
	key, err := v.Key(ctx, organizationID)
	if !errors.Is(err, ErrNoKey) {
		return key, err
	}
	stored, err := v.keys.AddDataKey(ctx, organizationID, v.wrapper.wrap(organizationID, dataKeyField, newKey()))
	if err != nil {
		return nil, err
	}
	return v.open(organizationID, stored)
}

func (v *Vault) open(organizationID string, stored WrappedKey) (*DataKey, error) {
	return v.RecordKey(RecordKey{OrganizationID: organizationID, WrappedKey: stored})
}
