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
	// WrappedBefore returns up to limit data keys that are not wrapped by the master
	// key named, by organization.
	WrappedBefore(ctx context.Context, masterKeyID string, limit int) (map[string]WrappedKey, error)
	// Rewrap replaces the wrapping of a data key unless somebody else did or the key
	// was destroyed.
	Rewrap(ctx context.Context, organizationID string, from, to WrappedKey) error
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

// KeyOrNew is Key for who is about to seal: it makes a key when there is none.
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
	plain, err := v.wrapper.unwrap(organizationID, dataKeyField, stored)
	if err != nil {
		return nil, err
	}
	return &DataKey{organizationID, newAEAD(plain)}, nil
}

// rewrapBatch is how many keys Rotate reads at a time.
const rewrapBatch = 500

// Rotate wraps every data key with the current master key and returns how many it
// changed. Sealed values stay as they are, so it may run while the service does,
// and again after an interruption.
func (v *Vault) Rotate(ctx context.Context) (rotated int, err error) {
	for {
		keys, err := v.keys.WrappedBefore(ctx, v.wrapper.current, rewrapBatch)
		if err != nil || len(keys) == 0 {
			return rotated, err
		}
		for organizationID, from := range keys {
			plain, err := v.wrapper.unwrap(organizationID, dataKeyField, from)
			if err != nil {
				return rotated, err
			}
			if err := v.keys.Rewrap(ctx, organizationID, from, v.wrapper.wrap(organizationID, dataKeyField, plain)); err != nil {
				return rotated, err
			}
			rotated++
		}
	}
}
