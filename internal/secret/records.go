package secret

import (
	"context"

	"levy/internal/failpoint"
)

// RecordKey is the stored key of one record. A document or a second factor has a key of its own, so it stays readable
// when the data key of its organization is destroyed. Without a RecordID it is that data key.
type RecordKey struct {
	OrganizationID, RecordID string
	WrappedKey
}

// RecordKeys are the stored keys of records of one kind. Package store implements it.
type RecordKeys interface {
	// WrappedBefore returns up to limit keys that are not wrapped by the master key named.
	WrappedBefore(ctx context.Context, masterKeyID string, limit int) ([]RecordKey, error)
	// Rewrap replaces the wrapping of keys, from[i] by to[i]. It leaves out keys that another process has rewrapped or
	// that were destroyed.
	Rewrap(ctx context.Context, from, to []RecordKey) error
}

// RecordKeyOpener opens keys of records. Vault implements it.
type RecordKeyOpener interface {
	// RecordKey opens the key of a record. Errors: ErrUnreadable.
	RecordKey(stored RecordKey) (*DataKey, error)
}

// NewRecordKey makes the key of a record, and wraps it with the current master key.
func (v *Vault) NewRecordKey(organizationID, recordID string) (*DataKey, WrappedKey) {
	key := newKey()
	return &DataKey{organizationID, newAEAD(key)}, v.wrapper.wrap(organizationID, keyField(recordID), key)
}

// RecordKey opens the key of a record. Errors: ErrUnreadable.
func (v *Vault) RecordKey(stored RecordKey) (*DataKey, error) {
	plain, err := v.wrapper.unwrap(stored.OrganizationID, keyField(stored.RecordID), stored.WrappedKey)
	if err != nil {
		return nil, err
	}
	return &DataKey{stored.OrganizationID, newAEAD(plain)}, nil
}

// keyField is the field to which the wrapped key of a record is tied.
func keyField(recordID string) string {
	if recordID == "" {
		return dataKeyField
	}
	return "key of " + recordID
}

// rewrapBatch is how many keys Rotate reads at a time.
const rewrapBatch = 500

// Rotate wraps every key of one kind with the current master key and returns how many it changed. Sealed values stay as
// they are, so it may run while the service does, and again after an interruption.
func (v *Vault) Rotate(ctx context.Context, keys RecordKeys) (rotated int, err error) {
	for {
		n, err := v.RotateSome(ctx, keys, rewrapBatch)
		if err != nil || n == 0 {
			return rotated, err
		}
		rotated += n
		if err := failpoint.Hit("after_rewrap"); err != nil {
			return rotated, err
		}
	}
}

// RotateSome wraps up to limit keys of one kind with the current master key and returns their number.
func (v *Vault) RotateSome(ctx context.Context, keys RecordKeys, limit int) (rotated int, err error) {
	from, err := keys.WrappedBefore(ctx, v.wrapper.current, limit)
	if err != nil || len(from) == 0 {
		return 0, err
	}
	to := make([]RecordKey, len(from))
	for i, k := range from {
		plain, err := v.wrapper.unwrap(k.OrganizationID, keyField(k.RecordID), k.WrappedKey)
		if err != nil {
			return 0, err
		}
		to[i] = k
		to[i].WrappedKey = v.wrapper.wrap(k.OrganizationID, keyField(k.RecordID), plain)
	}
	return len(from), keys.Rewrap(ctx, from, to)
}
