package secret

import (
	"crypto/cipher"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrNoSuchMasterKey says that an entry names a master key that is not there.
var ErrNoSuchMasterKey = errors.New("names no master key, and has no key of its own")

// WithWrapping returns the ring with keys that wrap data keys instead of its master keys. text is
// `id:base64[,id2:base64]`, the first one current. Wrapping keys can be replaced and destroyed while master keys stay,
// from which many more secrets derive. An entry that is only the id of a master key means that key. Data keys that
// master keys wrapped stay readable. An empty text changes nothing. The error names the position, never the key.
func (r *Ring) WithWrapping(text string) (*Ring, error) {
	if strings.TrimSpace(text) == "" {
		return r, nil
	}
	with := &Ring{keys: r.keys}
	for i, part := range strings.Split(text, ",") {
		id, _, hasKey := strings.Cut(strings.TrimSpace(part), ":")
		master := slices.IndexFunc(r.keys, func(k masterKey) bool { return k.id == id })
		var entry masterKey
		switch {
		case !hasKey && master >= 0:
			entry = r.keys[master]
		case !hasKey:
			return nil, fmt.Errorf("wrapping key %d: %w", i+1, ErrNoSuchMasterKey)
		case master >= 0:
			return nil, fmt.Errorf("wrapping key %d: its id is that of a master key", i+1)
		default:
			own, err := ParseRing(part)
			if err != nil {
				return nil, fmt.Errorf("wrapping key %d: not of the form id:base64, with %d bytes", i+1, masterKeySize)
			}
			entry = own.keys[0]
		}
		if slices.ContainsFunc(with.wrapping, func(k masterKey) bool { return k.id == entry.id }) {
			return nil, fmt.Errorf("wrapping key %d: its id is used twice", i+1)
		}
		with.wrapping = append(with.wrapping, entry)
	}
	return with, nil
}

// CurrentWrapping is the id of the key with which data keys are wrapped.
func (r *Ring) CurrentWrapping() string { return r.wrappers()[0].id }

// WrappingIDs are the ids of all keys by which wrapped data keys can be opened.
func (r *Ring) WrappingIDs() (ids []string) {
	for _, k := range r.wrappers() {
		ids = append(ids, k.id)
	}
	return ids
}

// wrappers are the wrapping keys, the current one first, and the master keys.
func (r *Ring) wrappers() []masterKey {
	all := slices.Clone(r.wrapping)
	for _, k := range r.keys {
		if !slices.ContainsFunc(all, func(a masterKey) bool { return a.id == k.id }) {
			all = append(all, k)
		}
	}
	return all
}

// wrapper encrypts data keys under the wrapping keys of a ring.
type wrapper struct {
	current string
	keys    map[string]cipher.AEAD
}

func newWrapper(ring *Ring) *wrapper {
	w := &wrapper{current: ring.CurrentWrapping(), keys: map[string]cipher.AEAD{}}
	for _, key := range derive(ring.wrappers(), PurposePersonalData) {
		w.keys[key.ID] = newAEAD(key.Bytes)
	}
	return w
}

// dataKeyField is the field to which a wrapped data key is tied.
const dataKeyField = "data key"

// wrap encrypts a key, which opens in the same field of the organization only.
func (w *wrapper) wrap(organizationID, field string, key []byte) WrappedKey {
	return WrappedKey{w.current, w.keys[w.current].Seal(nil, nil, key, bindTo(organizationID, field))}
}

func (w *wrapper) unwrap(organizationID, field string, key WrappedKey) ([]byte, error) {
	master, ok := w.keys[key.MasterKeyID]
	if !ok {
		return nil, fmt.Errorf("%w: no key %q to open its wrapping", ErrUnreadable, key.MasterKeyID)
	}
	plain, err := master.Open(nil, nil, key.Wrapped, bindTo(organizationID, field))
	if err != nil {
		return nil, fmt.Errorf("%w: %s", ErrUnreadable, field)
	}
	return plain, nil
}
